//! Cards and payments and their rules, without any HTTP.

use serde::Deserialize;

use super::calendar::iso_date;
use super::catalogue::Price;

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

#[cfg(test)]
mod tests {
    use super::*;

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
