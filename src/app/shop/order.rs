//! Orders and what becomes of them, without any HTTP.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use super::address::Address;
use super::calendar::iso_date;
use super::cart::Cart;
use super::catalogue::{Price, find_product};

/// The longest reason for a cancellation, in characters.
const REASON_LIMIT: usize = 200;

/// An order, as `/api/orders` shows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Order {
    pub(super) number: String,
    pub(super) date: String,
    pub(super) state: State,
    /// Why it was cancelled.
    pub(super) reason: String,
    pub(super) email: &'static str,
    pub(super) lines: Vec<OrderLine>,
    pub(super) total: Price,
    pub(super) card: String,
    pub(super) address: Address,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct OrderLine {
    pub(super) article: String,
    pub(super) quantity: u32,
    pub(super) price: Price,
}

impl From<&Cart> for Vec<OrderLine> {
    fn from(cart: &Cart) -> Vec<OrderLine> {
        let lines = cart.lines().iter();
        lines
            .map(|(article, quantity)| OrderLine {
                article: article.title(),
                quantity: *quantity,
                price: article.product.price,
            })
            .collect()
    }
}

/// What has become of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    InPreparation,
    Shipped,
    Delivered,
    /// Will be cancelled at that time.
    Cancelling(Instant),
    Cancelled,
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            State::InPreparation => "In preparation",
            State::Shipped => "Shipped",
            State::Delivered => "Delivered",
            State::Cancelling(_) => "Cancelling…",
            State::Cancelled => "Cancelled",
        })
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Order {
    /// Begins to cancel the order, which takes so long.
    ///
    /// # Errors
    /// A sentence that says why it can't be cancelled.
    pub(super) fn cancel(&mut self, reason: &str, takes: Duration) -> Result<(), &'static str> {
        match self.state {
            State::Shipped | State::Delivered => Err("This order is on its way and can no longer be cancelled"),
            State::Cancelling(_) | State::Cancelled => Err("This order is cancelled already"),
            State::InPreparation if reason.trim().is_empty() => Err("Please say why you cancel the order"),
            State::InPreparation => {
                self.reason = reason.trim().chars().take(REASON_LIMIT).collect();
                self.state = State::Cancelling(Instant::now() + takes);
                Ok(())
            }
        }
    }

    /// Finishes a cancellation whose time has come.
    pub(super) fn settle(&mut self) {
        if matches!(self.state, State::Cancelling(end) if end <= Instant::now()) {
            self.state = State::Cancelled;
        }
    }
}

/// The orders that the account begins with, the newest first.
pub(super) fn seeded_orders(email: &'static str) -> impl Iterator<Item = Order> {
    let goods = ["mug", "vase", "teapot", "bread-board", "lamp"];
    let seed = move |at: usize| {
        let mut cart = Cart::default();
        for id in [goods[at % 5], goods[at % 3]] {
            if let Some(article) = find_product(id).and_then(|product| product.article("")) {
                cart.add(article, 1);
            }
        }
        let state = match at {
            4 | 13 => State::Cancelled,
            19 | 22 => State::InPreparation,
            20 | 21 => State::Shipped,
            _ => State::Delivered,
        };
        Order {
            number: order_number(at),
            date: iso_date(20_000 + 11 * at as u64),
            state,
            reason: if state == State::Cancelled { "Ordered by mistake".into() } else { String::new() },
            email,
            lines: Vec::from(&cart),
            total: cart.total(),
            card: "4242".into(),
            address: Address {
                name: "Ada Lovelace".into(),
                street: "12 St James's Square".into(),
                city: "London".into(),
                postcode: "SW1Y 4JH".into(),
                country: "United Kingdom".into(),
                region: "England".into(),
                delivery: iso_date(20_004 + 11 * at as u64),
            },
        }
    };
    (0..SEEDED_ORDERS).rev().map(seed)
}

/// How many orders the account begins with.
pub(super) const SEEDED_ORDERS: usize = 23;

/// The number of the order that has so many before it.
pub(super) fn order_number(earlier: usize) -> String {
    format!("R-{}", 10_001 + earlier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_still_here_is_cancelled() {
        let answers: Vec<String> = seeded_orders("")
            .take(4)
            .chain(seeded_orders("").nth(9))
            .flat_map(|mut order| {
                let mut answer = |reason| {
                    let cancelled = order.cancel(reason, Duration::ZERO);
                    let began = order.state;
                    order.settle();
                    format!("{} {began} {} {}", order.number, order.state, cancelled.err().unwrap_or_default())
                };
                [answer(" "), answer("Too late")]
            })
            .collect();
        assert_eq!(
            answers,
            [
                "R-10023 In preparation In preparation Please say why you cancel the order",
                "R-10023 Cancelling… Cancelled ",
                "R-10022 Shipped Shipped This order is on its way and can no longer be cancelled",
                "R-10022 Shipped Shipped This order is on its way and can no longer be cancelled",
                "R-10021 Shipped Shipped This order is on its way and can no longer be cancelled",
                "R-10021 Shipped Shipped This order is on its way and can no longer be cancelled",
                "R-10020 In preparation In preparation Please say why you cancel the order",
                "R-10020 Cancelling… Cancelled ",
                "R-10014 Cancelled Cancelled This order is cancelled already",
                "R-10014 Cancelled Cancelled This order is cancelled already",
            ]
        );
    }
}
