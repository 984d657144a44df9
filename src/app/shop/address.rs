//! Delivery addresses and their rules, without any HTTP.

use serde::{Deserialize, Serialize};

use super::calendar::{is_iso_date, iso_date};
use super::catalogue::regions;

/// The longest text of an address field, in characters.
const FIELD_LIMIT: usize = 100;

/// The shop needs this many days until it can deliver, and plans no further ahead than the last.
const DELIVERY_DAYS: (u64, u64) = (3, 60);

/// The first and the last day of delivery that can be chosen today.
pub(super) fn delivery_days(today: u64) -> (String, String) {
    (iso_date(today + DELIVERY_DAYS.0), iso_date(today + DELIVERY_DAYS.1))
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
        Address { delivery: delivery_days(today).0, ..Address::default() }
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
        } else {
            let (first, last) = delivery_days(today);
            if self.delivery < first {
                problems.push(("delivery", "We can't deliver that soon"));
            } else if self.delivery > last {
                problems.push(("delivery", "Choose an earlier day: we do not plan that far ahead"));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            address("Austria", "England", "1970-01-13"),
            address("Austria", "Tyrol", "1970-01-14"),
            address("Austria", "Tyrol", "1970-03-13"),
        ]
        .map(|address| address.problems(10).into_iter().map(|(field, _)| field).collect::<Vec<_>>().join(" "));
        assert_eq!(problems, ["name street city postcode country delivery", "region delivery", "", "delivery"]);
    }
}
