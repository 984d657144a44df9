// The page between payment and confirmation: waits as if a bank had to be asked, then places the order.
"use strict";

const { ms } = document.getElementById("processing").dataset;

setTimeout(() => document.getElementById("complete").requestSubmit(), Number(ms));
