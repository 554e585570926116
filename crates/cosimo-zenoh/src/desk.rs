//! The server's end: masters come, one is answered at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cosimo_transport::{Greeted, Offering, TransportError};
use zenoh::bytes::ZBytes;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Subscriber;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use crate::channel::ZenohChannel;
use crate::error::NetworkError;
use crate::frame::{End, Head, is_whole, length};
use crate::id::Id;
use crate::keys::{Offer, owner};
use crate::mailbox::{LONGEST, Mailbox, SLICE};
use crate::watch::show;

/// How long an answer to a greeting may take; the greeting itself has come.
const GREETING: Duration = Duration::from_secs(20);

/// Sessions of the past whose messages are known as such, and at most that wait to be looked at.
const PAST: usize = 64;
const VISITORS: usize = 4;

/// Receives masters of an offer, until it is dropped.
#[derive(Debug)]
pub(crate) struct Desk {
    network: Session,
    offer: Offer,
    server: Id,
    shared: Arc<Shared>,
    _questions: Subscriber<()>,
    _tokens: Subscriber<()>,
    _token: LivelinessToken,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Sessions of masters that have greeted and are not checked yet, the first of which is looked at.
    visitors: VecDeque<Arc<Mailbox>>,
    /// The session that came last of those that were not refused.
    present: Option<Arc<Mailbox>>,
    /// It, where it waits to be answered.
    greeted: Option<Greeted<ZenohChannel>>,
    /// Those before it, and those refused.
    past: VecDeque<Id>,
}

impl State {
    /// The messages of a session that has not ended.
    fn mailbox(&self, session: Id) -> Option<&Arc<Mailbox>> {
        self.visitors.iter().chain(&self.present).find(|own| own.session() == session)
    }

    fn knows(&self, session: Id) -> bool {
        self.mailbox(session).is_some() || self.past.contains(&session)
    }

    /// A master opens a session with its first message; says whether there is room for it.
    fn open(&mut self, session: Id, first: &ZBytes) -> bool {
        let has_room = self.visitors.len() < VISITORS;
        if has_room {
            let mailbox = Arc::new(Mailbox::new(session, End::Master));
            mailbox.deliver(first);
            self.visitors.push_back(mailbox);
        }
        has_room
    }

    /// The first of the visitors was looked at. Who is not refused takes the place of the one before, which may be gone without a word; where
    /// that still waits to be answered, it is given back.
    fn seat(&mut self, greeted: Option<Greeted<ZenohChannel>>) -> Option<Greeted<ZenohChannel>> {
        let mailbox = self.visitors.pop_front()?;
        let mut waiting = None;
        let gone = if greeted.is_some() {
            waiting = std::mem::replace(&mut self.greeted, greeted);
            let before = self.present.replace(mailbox);
            let reason = "another master has taken its place".to_owned();
            before.inspect(|before| before.end(TransportError::Disconnected(reason)))
        } else {
            Some(mailbox)
        };
        if let Some(gone) = gone {
            self.past.truncate(PAST - 1);
            self.past.push_front(gone.session());
        }
        waiting
    }
}

/// The session that this message opens, if it is the first one of a master.
fn opened_by(frame: &ZBytes) -> Option<Id> {
    let head =
        Head::read(frame).filter(|head| head.from == End::Master && head.number == 0 && !head.is_last)?;
    (length(frame) <= LONGEST && is_whole(frame)).then_some(head.session)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(&self, frame: &ZBytes) {
        let mut state = self.lock();
        if let Some(session) = opened_by(frame).filter(|session| !state.knows(*session)) {
            if !state.open(session, frame) {
                tracing::warn!(
                    "session {session}: more than {VISITORS} masters come at once, it was not let in"
                );
            }
            drop(state);
            return self.arrived.notify_all();
        }
        // What is of no session that is known is counted by the one that is answered.
        let of_session = Head::read(frame).and_then(|head| state.mailbox(head.session));
        let mailbox = of_session.or(state.present.as_ref()).cloned();
        drop(state);
        match mailbox {
            Some(mailbox) => mailbox.deliver(frame),
            None => tracing::debug!("a message of no session was dropped"),
        }
    }

    /// A master that has left is not waited for.
    fn see(&self, token: &Sample) {
        let left = (token.kind() == SampleKind::Delete).then(|| owner(token.key_expr().as_str())).flatten();
        let state = self.lock();
        if let Some(mailbox) = left.and_then(|session| state.mailbox(session)) {
            mailbox.end(TransportError::Ended);
        }
    }
}

impl Desk {
    /// Offers something under a name.
    pub(crate) fn open(network: &Session, offer: Offer) -> Result<Self, NetworkError> {
        let (server, shared) = (Id::random()?, Arc::new(Shared::default()));
        let receiving = Arc::clone(&shared);
        let questions = network
            .declare_subscriber(offer.all_questions(server)?)
            .callback(move |sample| receiving.receive(sample.payload()))
            .wait()
            .map_err(NetworkError::refused("questions cannot be received"))?;
        let seeing = Arc::clone(&shared);
        let tokens = network
            .liveliness()
            .declare_subscriber(offer.masters(server)?)
            .callback(move |token| seeing.see(&token))
            .wait()
            .map_err(NetworkError::refused("masters cannot be watched"))?;
        // Last: who sees it may ask.
        let token = show(network, offer.server(server)?)?;
        let network = network.clone();
        Ok(Self { network, offer, server, shared, _questions: questions, _tokens: tokens, _token: token })
    }

    /// Looks at those who come until the network is closed, beside the one that is answered: who gets nothing is told.
    pub(crate) fn receive(&self, offering: &impl Offering) {
        while let Some(mailbox) = self.wait(|state| state.visitors.front().cloned()) {
            let session = mailbox.session();
            let channel = ZenohChannel::answering(&self.network, &self.offer, self.server, mailbox);
            let greeted = channel
                .map_err(TransportError::from)
                .and_then(|channel| Greeted::receive(offering, channel, GREETING));
            let greeted = greeted.unwrap_or_else(|error| {
                tracing::warn!("session {session} was not let in: {error}");
                None
            });
            let waiting = self.shared.lock().seat(greeted);
            self.shared.arrived.notify_all();
            // It is told, which takes time and must not hold up the messages of others.
            drop(waiting);
        }
    }

    /// Waits for the next master. None: the network was closed.
    pub(crate) fn next(&self) -> Option<Greeted<ZenohChannel>> {
        self.wait(|state| state.greeted.take())
    }

    /// Waits for something. None: the network was closed.
    fn wait<T>(&self, find: impl Fn(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.shared.lock();
        loop {
            if self.network.is_closed() {
                return None;
            }
            if let Some(found) = find(&mut state) {
                return Some(found);
            }
            let waited = self.shared.arrived.wait_timeout(state, SLICE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
