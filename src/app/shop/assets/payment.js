// The payment page: goes on when the payment provider's frame reports that its payment is made.
"use strict";

const frame = document.getElementById("payment-frame");

addEventListener("message", (event) => {
  const { origin, payment } = frame.dataset;
  if (event.origin !== origin || event.source !== frame.contentWindow) {
    return;
  }
  if (event.data?.kind === "paid" && event.data.payment === payment) {
    // The shop asks the provider itself whether this is true; the message only says that it is time to ask.
    location.assign("/checkout/review");
  }
});
