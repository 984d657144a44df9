// The page between payment and confirmation: waits as if a bank had to be asked, then places the order.
"use strict";

const PROCESSING_MS = 500;

setTimeout(() => document.getElementById("complete").requestSubmit(), PROCESSING_MS);
