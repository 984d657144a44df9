//! Carts, addresses, payments and orders: the shop's records and their rules, without any HTTP.

use serde::{Deserialize, Serialize};

use super::calendar::{is_iso_date, iso_date};
use super::catalogue::{Price, Product, find_product, regions};

/// The most of one article that a cart holds.
pub(super) const QUANTITY_LIMIT: u32 = 99;

/// The longest text of an address field, in characters.
const FIELD_LIMIT: usize = 100;

/// The shop needs this many days until it can deliver.
const DELIVERY_DAYS: u64 = 3;

/// What a visitor means to buy: articles and how many of each, in the order they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Cart {
    lines: Vec<(&'static Product, u32)>,
}

impl Cart {
    pub(super) fn lines(&self) -> &[(&'static Product, u32)] {
        &self.lines
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many pieces there are.
    pub(super) fn count(&self) -> u32 {
        self.lines.iter().map(|(_, quantity)| quantity).sum()
    }

    pub(super) fn total(&self) -> Price {
        self.lines.iter().map(|(product, quantity)| product.price.times(*quantity)).sum()
    }

    /// Adds one piece.
    pub(super) fn add(&mut self, product: &'static Product) {
        match self.lines.iter_mut().find(|(known, _)| known.id == product.id) {
            Some((_, quantity)) => *quantity = QUANTITY_LIMIT.min(*quantity + 1),
            None => self.lines.push((product, 1)),
        }
    }

    /// Sets how many there are of an article of the cart; none removes it.
    pub(super) fn set(&mut self, id: &str, quantity: u32) {
        if let Some((_, known)) = self.lines.iter_mut().find(|(product, _)| product.id == id) {
            *known = quantity.min(QUANTITY_LIMIT);
        }
        self.lines.retain(|(_, quantity)| *quantity > 0);
    }
}

/// Where and when to deliver, as typed into the form.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Address {
    pub(super) name: String,
    pub(super) street: String,
    pub(super) city: String,
    pub(super) postcode: String,
    pub(super) country: String,
    pub(super) region: String,
    pub(super) delivery: String,
}

impl Address {
    /// An empty address with the first possible day of delivery.
    pub(super) fn suggest(today: u64) -> Address {
        Address { delivery: iso_date(today + DELIVERY_DAYS), ..Address::default() }
    }

    /// What is wrong with it: the names of the fields and a sentence for each.
    pub(super) fn problems(&self, today: u64) -> Vec<(&'static str, &'static str)> {
        let mut problems = Vec::new();
        for (field, text, missing) in [
            ("name", &self.name, "Enter a name"),
            ("street", &self.street, "Enter a street"),
            ("city", &self.city, "Enter a city"),
            ("postcode", &self.postcode, "Enter a postcode"),
        ] {
            if text.trim().is_empty() {
                problems.push((field, missing));
            } else if text.chars().count() > FIELD_LIMIT {
                problems.push((field, "Enter no more than 100 characters"));
            }
        }
        let regions = regions(&self.country);
        if regions.is_empty() {
            problems.push(("country", "Choose a country"));
        } else if !regions.contains(&self.region.as_str()) {
            problems.push(("region", "Choose a region"));
        }
        if !is_iso_date(&self.delivery) {
            problems.push(("delivery", "Enter a delivery date"));
        } else if self.delivery < iso_date(today) {
            problems.push(("delivery", "Choose a day that is not in the past"));
        }
        problems
    }
}

/// A card as typed into the payment form. It is checked and forgotten: a [`Payment`] keeps four digits.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Card {
    pub(super) number: String,
    pub(super) expiry: String,
    pub(super) cvc: String,
}

/// The number of a card that always has too little money on it.
const DECLINED_CARD: &str = "4000000000000002";

impl Card {
    /// The last four digits of a card that can pay.
    ///
    /// # Errors
    /// The form's field that is at fault, and a sentence about it.
    pub(super) fn charge(&self, today: u64) -> Result<String, (&'static str, &'static str)> {
        let digits: String = self.number.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        if !(13..=19).contains(&digits.len())
            || !digits.bytes().all(|b| b.is_ascii_digit())
            || !has_check_digit(&digits)
        {
            return Err(("number", "The card number is not valid"));
        }
        let expiry = self.expiry.trim().as_bytes();
        let [m1 @ b'0'..=b'1', m2 @ b'0'..=b'9', b'/', y1 @ b'0'..=b'9', y2 @ b'0'..=b'9'] = expiry else {
            return Err(("expiry", "Enter the expiry date as MM/YY"));
        };
        let (month, year) = ((m1 - b'0') * 10 + (m2 - b'0'), (y1 - b'0') * 10 + (y2 - b'0'));
        if !(1..=12).contains(&month) {
            return Err(("expiry", "Enter the expiry date as MM/YY"));
        }
        if format!("20{year:02}-{month:02}").as_str() < &iso_date(today)[..7] {
            return Err(("expiry", "The card has expired"));
        }
        let cvc = self.cvc.trim();
        if !(3..=4).contains(&cvc.len()) || !cvc.bytes().all(|b| b.is_ascii_digit()) {
            return Err(("cvc", "Enter the three or four digits of the CVC"));
        }
        if digits == DECLINED_CARD {
            return Err(("number", "The card was declined"));
        }
        Ok(digits[digits.len() - 4..].to_owned())
    }
}

/// The checksum of ISO/IEC 7812: from the right every second digit counts double, its own digits summed.
fn has_check_digit(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| match (at % 2, u32::from(byte - b'0')) {
            (0, digit) => digit,
            (_, digit) => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A payment that the shop has asked for.
#[derive(Debug, Clone)]
pub(super) struct Payment {
    pub(super) id: String,
    pub(super) total: Price,
    /// The last digits of the card, once it is paid.
    pub(super) card: Option<String>,
}

/// An order that was placed, as `/api/orders` shows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Order {
    pub(super) number: String,
    pub(super) date: String,
    pub(super) state: &'static str,
    pub(super) email: &'static str,
    pub(super) lines: Vec<OrderLine>,
    pub(super) total: Price,
    pub(super) card: String,
    pub(super) address: Address,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct OrderLine {
    pub(super) product: &'static str,
    pub(super) quantity: u32,
    pub(super) price: Price,
}

impl From<&Cart> for Vec<OrderLine> {
    fn from(cart: &Cart) -> Vec<OrderLine> {
        let line = |(product, quantity): &(&'static Product, u32)| OrderLine {
            product: product.name,
            quantity: *quantity,
            price: product.price,
        };
        cart.lines().iter().map(line).collect()
    }
}

/// The orders that the account begins with, the newest first.
pub(super) fn seeded_orders(email: &'static str) -> Vec<Order> {
    let goods = ["mug", "vase", "teapot", "bread-board", "lamp"];
    let seed = |at: usize| {
        let mut cart = Cart::default();
        for id in [goods[at % 5], goods[at % 3]] {
            if let Some(product) = find_product(id) {
                cart.add(product);
            }
        }
        Order {
            number: order_number(at),
            date: iso_date(20_000 + 11 * at as u64),
            state: match at {
                4 | 13 => "cancelled",
                _ => "delivered",
            },
            email,
            lines: Vec::from(&cart),
            total: cart.total(),
            card: "4242".into(),
            address: Address::default(),
        }
    };
    (0..SEEDED_ORDERS).rev().map(seed).collect()
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

    fn cart(ids: &[&str]) -> Cart {
        let mut cart = Cart::default();
        ids.iter().for_each(|id| cart.add(find_product(id).unwrap()));
        cart
    }

    #[test]
    fn carts_add_up() {
        let mut cart = cart(&["kettle", "mug", "kettle"]);
        assert_eq!((cart.count(), cart.total().to_string()), (3, "€ 96.00".to_owned()));
        cart.set("kettle", 0);
        cart.set("mug", 1_000);
        cart.set("vase", 1);
        assert_eq!((cart.lines().len(), cart.count()), (1, QUANTITY_LIMIT));
    }

    #[test]
    fn addresses_are_checked() {
        let address = |country: &str, region: &str, delivery: &str| Address {
            name: "Ada".into(),
            street: "1 Square".into(),
            city: "London".into(),
            postcode: "SW1".into(),
            country: country.into(),
            region: region.into(),
            delivery: delivery.into(),
        };
        let problems = [
            Address::default(),
            address("Austria", "England", "1970-01-10"),
            address("Austria", "Tyrol", "1970-01-11"),
        ]
        .map(|address| address.problems(10).into_iter().map(|(field, _)| field).collect::<Vec<_>>().join(" "));
        assert_eq!(problems, ["name street city postcode country delivery", "region delivery", ""]);
    }

    #[test]
    fn cards_are_checked() {
        let charge = |number: &str, expiry: &str, cvc: &str| {
            let card = Card { number: number.into(), expiry: expiry.into(), cvc: cvc.into() };
            // 2025-12-31
            card.charge(20_453).map_err(|(field, _)| field)
        };
        assert_eq!(
            [
                charge("4242 4242 4242 4242", "12/25", "123"),
                charge("4242-4242-4242-4242", "01/26", "1234"),
                charge("4242424242424241", "01/26", "123"),
                charge("٤٢٤٢٤٢٤٢٤٢٤٢", "01/26", "123"),
                charge("4242424242424242", "11/25", "123"),
                charge("4242424242424242", "13/26", "123"),
                charge("4242424242424242", "01/26", "12"),
                charge(DECLINED_CARD, "01/26", "123"),
            ],
            [
                Ok("4242".to_owned()),
                Ok("4242".to_owned()),
                Err("number"),
                Err("number"),
                Err("expiry"),
                Err("expiry"),
                Err("cvc"),
                Err("number"),
            ]
        );
    }
}
