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

/// One product; its `id` is also the name of its drawing in `products.svg`.
#[derive(Debug)]
pub(super) struct Product {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) blurb: &'static str,
    pub(super) price: Price,
    /// What its variants differ in, such as `Colour`; empty if there is but one.
    pub(super) choice: &'static str,
    /// At least one; a product of one kind has a single variant without a name.
    pub(super) variants: &'static [Variant],
}

#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    pub(super) in_stock: bool,
}

const fn variant(name: &'static str) -> Variant {
    Variant { name, in_stock: true }
}

const fn sold(name: &'static str) -> Variant {
    Variant { name, in_stock: false }
}

static ONE_KIND: [Variant; 1] = [variant("")];
static SOLD_OUT: [Variant; 1] = [sold("")];
static ENAMELS: [Variant; 3] = [variant("Cream"), variant("Moss green"), sold("Midnight blue")];
static GLAZES: [Variant; 3] = [variant("Sky"), variant("Clay"), variant("Moss green")];
static WEAVES: [Variant; 3] = [sold("Natural"), variant("Indigo stripe"), variant("Rust check")];

pub(super) static PRODUCTS: [Product; 9] = [
    Product {
        choice: "Colour",
        variants: &ENAMELS,
        ..product("kettle", "Kettle", "Enamelled steel, 1.2 litres", 42_00)
    },
    product("teapot", "Teapot", "Stoneware, with a cane handle", 34_50),
    Product { choice: "Glaze", variants: &GLAZES, ..product("mug", "Mug", "Stoneware, 250 ml", 12_00) },
    Product { choice: "Glaze", variants: &GLAZES, ..product("mug-large", "Mug, large", "Stoneware, 400 ml", 15_00) },
    Product {
        choice: "Weave",
        variants: &WEAVES,
        ..product("tea-towel", "Tea towel", "Washed linen, 50 × 70 cm", 9_50)
    },
    product("bread-board", "Bread board", "Oiled walnut, 38 cm", 28_00),
    Product { variants: &SOLD_OUT, ..product("grinder", "Coffee grinder", "Beech and cast iron", 54_00) },
    product("lamp", "Table lamp", "Brass, with a paper shade", 69_00),
    product("vase", "Vase", "Mouth-blown glass, 24 cm", 39_00),
];

const fn product(id: &'static str, name: &'static str, blurb: &'static str, cents: u32) -> Product {
    Product { id, name, blurb, price: Price(cents), choice: "", variants: &ONE_KIND }
}

/// The product with that id.
pub(super) fn find_product(id: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.id == id)
}

impl Product {
    pub(super) fn in_stock(&self) -> bool {
        self.variants.iter().any(|variant| variant.in_stock)
    }

    /// The article of that variant; with an empty name the first that is in stock, or else the first.
    pub(super) fn article(&'static self, name: &str) -> Option<Article> {
        let named = self.variants.iter().find(|variant| variant.name == name);
        let first = || self.variants.iter().find(|variant| variant.in_stock).or(self.variants.first());
        let variant = named.or_else(|| name.is_empty().then(first).flatten())?;
        Some(Article { product: self, variant })
    }
}

/// What a cart holds and an order lists: a product in one of its variants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Article {
    pub(super) product: &'static Product,
    pub(super) variant: &'static Variant,
}

impl Article {
    /// Its name in forms, such as `kettle:Moss green`.
    pub(super) fn id(self) -> String {
        format!("{}:{}", self.product.id, self.variant.name)
    }

    /// Its name for people, such as `Kettle, Moss green`.
    pub(super) fn title(self) -> String {
        match self.variant.name {
            "" => self.product.name.to_owned(),
            variant => format!("{}, {variant}", self.product.name),
        }
    }
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
    fn articles_are_found_by_variant() {
        let title = |id: &str, variant: &str| find_product(id)?.article(variant).map(Article::title);
        assert_eq!(
            [
                title("kettle", "Moss green"),
                title("kettle", ""),
                title("tea-towel", ""),
                title("grinder", ""),
                title("vase", ""),
                title("vase", "Moss green"),
            ]
            .map(Option::unwrap_or_default),
            ["Kettle, Moss green", "Kettle, Cream", "Tea towel, Indigo stripe", "Coffee grinder", "Vase", ""]
        );
    }

    #[test]
    fn prices_read_as_euros() {
        let total: Price = [Price(42_00).times(2), Price(5)].into_iter().sum();
        assert_eq!([Price(0), Price(9_50), total].map(|price| price.to_string()), ["€ 0.00", "€ 9.50", "€ 84.05"]);
    }
}
