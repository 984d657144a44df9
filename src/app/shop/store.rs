//! Everything the shop remembers, in memory and bounded: sessions, payments, orders and the account's profile.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::address::Address;
use super::calendar::{self, iso_date};
use super::cart::Cart;
use super::order::{Order, SEEDED_ORDERS, State, order_number, seeded_orders};
use super::payment::{Card, Payment};
use super::profile::Profile;
use super::{DEMO_EMAIL, Settings};

/// The oldest session is forgotten for one more than these.
const SESSION_LIMIT: usize = 1_000;

/// The oldest order is forgotten for one more than these.
const ORDER_LIMIT: usize = 1_000;

/// The shop's memory.
pub(super) struct Store {
    pub(super) port: u16,
    pub(super) settings: Settings,
    records: Mutex<Records>,
}

struct Records {
    sessions: HashMap<String, Session>,
    /// Keys of `sessions`, the oldest first.
    ages: VecDeque<String>,
    /// The newest first.
    orders: VecDeque<Order>,
    orders_so_far: usize,
    profile: Profile,
}

/// What the shop knows of one visitor.
#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    pub(super) email: Option<&'static str>,
    pub(super) cart: Cart,
    pub(super) address: Option<Address>,
    pub(super) payment: Option<Payment>,
}

impl Session {
    /// The last digits of the card that pays for what is in the cart now.
    pub(super) fn paid_card(&self) -> Option<&str> {
        let payment = self.payment.as_ref().filter(|payment| payment.total == self.cart.total())?;
        payment.card.as_deref()
    }
}

/// Why a card was not charged.
pub(super) enum ChargeError {
    UnknownPayment,
    Card { field: &'static str, message: &'static str },
}

impl Store {
    pub(super) fn new(port: u16, settings: Settings) -> Store {
        let records = Records {
            sessions: HashMap::new(),
            ages: VecDeque::new(),
            orders: seeded_orders(DEMO_EMAIL).collect(),
            orders_so_far: SEEDED_ORDERS,
            profile: Profile::default(),
        };
        Store { port, settings, records: Mutex::new(records) }
    }

    /// Days from 1970-01-01 until today.
    pub(super) fn today(&self) -> u64 {
        self.settings.today.unwrap_or_else(calendar::today)
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
        if !email.trim().eq_ignore_ascii_case(DEMO_EMAIL) || password != self.settings.password {
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
        let digits = card.charge(self.today()).map_err(|(field, message)| ChargeError::Card { field, message })?;
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
        let card = session.paid_card()?.to_owned();
        session.payment = None;
        let order = Order {
            number,
            date: iso_date(self.today()),
            state: State::InPreparation,
            reason: String::new(),
            email,
            lines: Vec::from(&session.cart),
            total: session.cart.total(),
            card,
            address,
        };
        session.cart = Cart::default();
        records.orders_so_far += 1;
        records.orders.push_front(order.clone());
        records.orders.truncate(ORDER_LIMIT);
        Some(order)
    }

    /// All orders of the account, the newest first.
    pub(super) fn orders(&self) -> Vec<Order> {
        let mut records = self.records();
        records.orders.iter_mut().for_each(Order::settle);
        records.orders.iter().cloned().collect()
    }

    /// The order with that number.
    pub(super) fn order(&self, number: &str) -> Option<Order> {
        self.orders().into_iter().find(|order| order.number == number)
    }

    /// Begins to cancel the order with that number; nothing if there is none.
    pub(super) fn cancel(&self, number: &str, reason: &str) -> Option<Result<(), &'static str>> {
        let mut records = self.records();
        let order = records.orders.iter_mut().find(|order| order.number == number)?;
        Some(order.cancel(reason, self.settings.cancelling))
    }

    pub(super) fn profile(&self) -> Profile {
        self.records().profile.clone()
    }

    pub(super) fn change_profile<T>(&self, change: impl FnOnce(&mut Profile) -> T) -> T {
        change(&mut self.records().profile)
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
    use super::super::catalogue::{Article, find_product};
    use super::*;

    fn store() -> Store {
        Store::new(1, Settings { password: "pw".into(), ..Settings::default() })
    }

    fn article(id: &str) -> Article {
        find_product(id).unwrap().article("").unwrap()
    }

    fn paid_session(store: &Store) -> String {
        let id = store.sign_in(None, " ADA@example.com", "pw").unwrap();
        store.change(Some(&id), |session| {
            session.cart.add(article("kettle"), 1);
            session.address = Some(Address::default());
        });
        let payment = store.ask_for_payment(&id).unwrap();
        let card = Card { number: "4242424242424242".into(), expiry: "12/99".into(), cvc: "1234".into() };
        assert!(store.charge(&payment.id, &card).is_ok());
        id
    }

    #[test]
    fn an_order_is_placed_once() {
        let store = store();
        let id = paid_session(&store);
        let order = store.place_order(&id).unwrap();
        assert_eq!((order.number.as_str(), order.total.to_string().as_str()), ("R-10024", "€ 42.00"));
        assert!(store.place_order(&id).is_none());
        assert_eq!(store.orders().len(), SEEDED_ORDERS + 1);
    }

    /// Whoever pays and then adds to the cart has to pay again.
    #[test]
    fn a_changed_cart_is_not_paid_for() {
        let store = store();
        let id = paid_session(&store);
        store.change(Some(&id), |session| session.cart.add(article("mug"), 1));
        assert!(store.place_order(&id).is_none());
        assert!(store.ask_for_payment(&id).unwrap().card.is_none());
    }

    #[test]
    fn sessions_are_bounded() {
        let store = store();
        let first = store.change(None, |_| ()).unwrap();
        for _ in 0..SESSION_LIMIT {
            store.change(None, |_| ());
        }
        assert!(store.session(&first).is_none());
        let records = store.records();
        assert_eq!((records.sessions.len(), records.ages.len()), (SESSION_LIMIT, SESSION_LIMIT));
    }
}
