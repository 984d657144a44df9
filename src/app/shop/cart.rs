//! Carts: what a visitor means to buy, without any HTTP.

use super::catalogue::{Article, Price};

/// The most of one article that a cart holds.
pub(super) const QUANTITY_LIMIT: u32 = 99;

/// Articles and how many of each, in the order they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Cart {
    lines: Vec<(Article, u32)>,
}

impl Cart {
    pub(super) fn lines(&self) -> &[(Article, u32)] {
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
        self.lines.iter().map(|(article, quantity)| article.product.price.times(*quantity)).sum()
    }

    /// Adds so many pieces.
    pub(super) fn add(&mut self, article: Article, quantity: u32) {
        match self.lines.iter_mut().find(|(known, _)| known.id() == article.id()) {
            Some((_, known)) => *known = QUANTITY_LIMIT.min(known.saturating_add(quantity)),
            None => self.lines.push((article, quantity.min(QUANTITY_LIMIT))),
        }
    }

    /// Sets how many there are of an article of the cart; none removes it.
    pub(super) fn set(&mut self, id: &str, quantity: u32) {
        if let Some((_, known)) = self.lines.iter_mut().find(|(article, _)| article.id() == id) {
            *known = quantity.min(QUANTITY_LIMIT);
        }
        self.lines.retain(|(_, quantity)| *quantity > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::find_product;
    use super::*;

    #[test]
    fn carts_add_up() {
        let article = |id: &str, variant: &str| find_product(id).unwrap().article(variant).unwrap();
        let mut cart = Cart::default();
        cart.add(article("kettle", "Cream"), 1);
        cart.add(article("mug", "Clay"), 1);
        cart.add(article("kettle", "Moss green"), 2);
        cart.add(article("kettle", "Cream"), 1);
        assert_eq!((cart.lines().len(), cart.count(), cart.total().to_string()), (3, 5, "€ 180.00".to_owned()));
        cart.set("kettle:Cream", 0);
        cart.set("kettle:Moss green", 0);
        cart.set("mug:Clay", 1_000);
        cart.set("vase:", 1);
        assert_eq!((cart.lines().len(), cart.count()), (1, QUANTITY_LIMIT));
    }
}
