//! What the shop sells, where it delivers, and how it writes prices.

use std::fmt;

use serde::{Serialize, Serializer};

/// An amount in euro cents; it displays as `€ 42.00`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Price(pub(super) u32);

impl Price {
    /// The price of so many; quantities are small enough that only a bug could saturate it.
    pub(super) fn times(self, quantity: u32) -> Price {
        Price(self.0.saturating_mul(quantity))
    }
}

impl std::iter::Sum for Price {
    fn sum<I: Iterator<Item = Price>>(prices: I) -> Price {
        Price(prices.fold(0, |total, price| total.saturating_add(price.0)))
    }
}

impl fmt::Display for Price {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "€ {}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One article; its `id` is also the name of its drawing in `products.svg`.
#[derive(Debug, Serialize)]
pub(super) struct Product {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) blurb: &'static str,
    pub(super) price: Price,
    pub(super) in_stock: bool,
}

pub(super) static PRODUCTS: [Product; 9] = [
    product("kettle", "Kettle", "Enamelled steel, 1.2 litres", 42_00),
    product("teapot", "Teapot", "Stoneware, with a cane handle", 34_50),
    product("mug", "Mug", "Stoneware, 250 ml", 12_00),
    product("mug-large", "Mug, large", "Stoneware, 400 ml", 15_00),
    product("tea-towel", "Tea towel", "Washed linen, 50 × 70 cm", 9_50),
    product("bread-board", "Bread board", "Oiled walnut, 38 cm", 28_00),
    Product { in_stock: false, ..product("grinder", "Coffee grinder", "Beech and cast iron", 54_00) },
    product("lamp", "Table lamp", "Brass, with a paper shade", 69_00),
    product("vase", "Vase", "Mouth-blown glass, 24 cm", 39_00),
];

const fn product(id: &'static str, name: &'static str, blurb: &'static str, cents: u32) -> Product {
    Product { id, name, blurb, price: Price(cents), in_stock: true }
}

/// The article with that id.
pub(super) fn find_product(id: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.id == id)
}

/// The countries that the shop delivers to, each with its regions.
pub(super) static COUNTRIES: [(&str, &[&str]); 4] = [
    ("Austria", &["Salzburg", "Styria", "Tyrol", "Vienna"]),
    ("Germany", &["Bavaria", "Berlin", "Hamburg", "Saxony"]),
    ("Ireland", &["Connacht", "Leinster", "Munster", "Ulster"]),
    ("United Kingdom", &["England", "Northern Ireland", "Scotland", "Wales"]),
];

/// The regions of a country; none for one that the shop does not deliver to.
pub(super) fn regions(country: &str) -> &'static [&'static str] {
    COUNTRIES.iter().find(|(name, _)| *name == country).map_or(&[], |(_, regions)| regions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_read_as_euros() {
        let total: Price = [Price(42_00).times(2), Price(5)].into_iter().sum();
        assert_eq!([Price(0), Price(9_50), total].map(|price| price.to_string()), ["€ 0.00", "€ 9.50", "€ 84.05"]);
    }
}
