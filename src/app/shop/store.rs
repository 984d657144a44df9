//! Everything the shop remembers, in memory and bounded: sessions, payments and placed orders.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::DEMO_EMAIL;
use super::calendar::{iso_date, today};
use super::order::{Address, Card, Cart, Order, Payment, SEEDED_ORDERS, order_number, seeded_orders};

/// The oldest session is forgotten for one more than these.
const SESSION_LIMIT: usize = 1_000;

/// The oldest placed order is forgotten for one more than these.
const ORDER_LIMIT: usize = 1_000;

/// The shop's memory.
pub(super) struct Store {
    pub(super) port: u16,
    password: String,
    records: Mutex<Records>,
}

struct Records {
    sessions: HashMap<String, Session>,
    /// Keys of `sessions`, the oldest first.
    ages: VecDeque<String>,
    /// The newest first.
    placed: VecDeque<Order>,
    orders_so_far: usize,
}

/// What the shop knows of one visitor.
#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    pub(super) email: Option<&'static str>,
    pub(super) cart: Cart,
    pub(super) address: Option<Address>,
    pub(super) payment: Option<Payment>,
}

/// Why a card was not charged.
pub(super) enum ChargeError {
    UnknownPayment,
    Card { field: &'static str, message: &'static str },
}

impl Store {
    pub(super) fn new(port: u16, password: &str) -> Store {
        let records = Records {
            sessions: HashMap::new(),
            ages: VecDeque::new(),
            placed: VecDeque::new(),
            orders_so_far: SEEDED_ORDERS,
        };
        Store { port, password: password.to_owned(), records: Mutex::new(records) }
    }

    /// A copy of the session with that id.
    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.records().sessions.get(id).cloned()
    }

    /// Changes the visitor's session. Returns the id of a new one, if there was none.
    pub(super) fn change(&self, id: Option<&str>, change: impl FnOnce(&mut Session)) -> Option<String> {
        let mut records = self.records();
        if let Some(session) = id.and_then(|id| records.sessions.get_mut(id)) {
            change(session);
            return None;
        }
        let mut session = Session::default();
        change(&mut session);
        Some(records.insert(session))
    }

    /// Signs the account in and returns the new id of the visitor's session, or nothing if the credentials are wrong.
    pub(super) fn sign_in(&self, id: Option<&str>, email: &str, password: &str) -> Option<String> {
        if !email.trim().eq_ignore_ascii_case(DEMO_EMAIL) || password != self.password {
            return None;
        }
        let mut records = self.records();
        // A new id, so that nobody who knew the old one is signed in too.
        let session = id.and_then(|id| records.remove(id)).unwrap_or_default();
        Some(records.insert(Session { email: Some(DEMO_EMAIL), ..session }))
    }

    /// Forgets the session of someone who is signed in; a guest keeps the cart.
    pub(super) fn sign_out(&self, id: &str) {
        let mut records = self.records();
        if records.sessions.get(id).is_some_and(|session| session.email.is_some()) {
            records.remove(id);
        }
    }

    /// The payment with that id, whoever asks: the payment frame has no session.
    pub(super) fn payment(&self, id: &str) -> Option<Payment> {
        self.records().payment_mut(id).cloned()
    }

    /// Charges the card for a payment that was asked for.
    pub(super) fn charge(&self, id: &str, card: &Card) -> Result<(), ChargeError> {
        let mut records = self.records();
        let payment = records.payment_mut(id).ok_or(ChargeError::UnknownPayment)?;
        let digits = card.charge(today()).map_err(|(field, message)| ChargeError::Card { field, message })?;
        payment.card = Some(digits);
        Ok(())
    }

    /// Asks for a payment of what is in the cart, and returns it; an unpaid one of the same total is asked for again.
    pub(super) fn ask_for_payment(&self, id: &str) -> Option<Payment> {
        let mut records = self.records();
        let session = records.sessions.get_mut(id)?;
        let total = session.cart.total();
        let asked = session.payment.take().filter(|payment| payment.total == total);
        let payment = asked.unwrap_or_else(|| Payment { id: random_id(), total, card: None });
        session.payment = Some(payment.clone());
        Some(payment)
    }

    /// Turns a cart that was paid for into an order.
    pub(super) fn place_order(&self, id: &str) -> Option<Order> {
        let mut records = self.records();
        let number = order_number(records.orders_so_far);
        let session = records.sessions.get_mut(id)?;
        let email = session.email?;
        let address = session.address.clone()?;
        let total = session.cart.total();
        let paid = session.payment.take_if(|payment| payment.card.is_some() && payment.total == total)?;
        let order = Order {
            number,
            date: iso_date(today()),
            state: "in preparation",
            email,
            lines: Vec::from(&session.cart),
            total,
            card: paid.card.unwrap_or_default(),
            address,
        };
        session.cart = Cart::default();
        records.orders_so_far += 1;
        records.placed.push_front(order.clone());
        records.placed.truncate(ORDER_LIMIT);
        Some(order)
    }

    /// The orders that were placed since the shop was started, the newest first.
    pub(super) fn placed_orders(&self) -> Vec<Order> {
        self.records().placed.iter().cloned().collect()
    }

    /// All orders of the account, the newest first.
    pub(super) fn order_history(&self) -> Vec<Order> {
        let mut orders = self.placed_orders();
        orders.extend(seeded_orders(DEMO_EMAIL));
        orders
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        // Every change is complete before anything that could panic, so a poisoned lock guards sound records.
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Records {
    fn insert(&mut self, session: Session) -> String {
        if self.sessions.len() >= SESSION_LIMIT
            && let Some(oldest) = self.ages.pop_front()
        {
            self.sessions.remove(&oldest);
        }
        let id = random_id();
        self.sessions.insert(id.clone(), session);
        self.ages.push_back(id.clone());
        id
    }

    fn remove(&mut self, id: &str) -> Option<Session> {
        self.ages.retain(|known| known != id);
        self.sessions.remove(id)
    }

    fn payment_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.sessions.values_mut().filter_map(|session| session.payment.as_mut()).find(|payment| payment.id == id)
    }
}

/// An id that nobody guesses: the standard library's hash keys come from the system's random source.
fn random_id() -> String {
    let half = || RandomState::new().hash_one("shop");
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::find_product;
    use super::*;

    fn paid_session(store: &Store) -> String {
        let id = store.sign_in(None, " ADA@example.com", "pw").unwrap();
        store.change(Some(&id), |session| {
            session.cart.add(find_product("kettle").unwrap());
            session.address = Some(Address::default());
        });
        let payment = store.ask_for_payment(&id).unwrap();
        let card = Card { number: "4242424242424242".into(), expiry: "12/99".into(), cvc: "1234".into() };
        assert!(store.charge(&payment.id, &card).is_ok());
        id
    }

    #[test]
    fn an_order_is_placed_once() {
        let store = Store::new(1, "pw");
        let id = paid_session(&store);
        let order = store.place_order(&id).unwrap();
        assert_eq!((order.number.as_str(), order.total.to_string().as_str()), ("R-10024", "€ 42.00"));
        assert!(store.place_order(&id).is_none());
        assert_eq!(store.placed_orders().len(), 1);
        assert_eq!(store.order_history().len(), SEEDED_ORDERS + 1);
    }

    /// Whoever pays and then adds to the cart has to pay again.
    #[test]
    fn a_changed_cart_is_not_paid_for() {
        let store = Store::new(1, "pw");
        let id = paid_session(&store);
        store.change(Some(&id), |session| session.cart.add(find_product("mug").unwrap()));
        assert!(store.place_order(&id).is_none());
        assert!(store.ask_for_payment(&id).unwrap().card.is_none());
    }

    #[test]
    fn sessions_are_bounded() {
        let store = Store::new(1, "pw");
        let first = store.change(None, |_| ()).unwrap();
        for _ in 0..SESSION_LIMIT {
            store.change(None, |_| ());
        }
        assert!(store.session(&first).is_none());
        let records = store.records();
        assert_eq!((records.sessions.len(), records.ages.len()), (SESSION_LIMIT, SESSION_LIMIT));
    }
}
