//! The server's end: masters come, one is answered at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cosimo_transport::TransportError;
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

/// Sessions of the past whose messages are known as such.
const PAST: usize = 64;

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
    /// The session that came last.
    present: Option<Arc<Mailbox>>,
    /// Whether it waits to be answered.
    is_new: bool,
    /// Those before it.
    past: VecDeque<Id>,
}

impl State {
    fn knows(&self, session: Id) -> bool {
        self.present.as_ref().is_some_and(|present| present.session() == session)
            || self.past.contains(&session)
    }

    /// A master opens a session with its first message: it takes the place of the one before, which may be gone without a word.
    fn open(&mut self, session: Id, first: &ZBytes) {
        let mailbox = Arc::new(Mailbox::new(session, End::Master));
        mailbox.deliver(first);
        if let Some(before) = self.present.replace(mailbox) {
            before.end(TransportError::Disconnected("another master has taken its place".to_owned()));
            self.past.truncate(PAST - 1);
            self.past.push_front(before.session());
        }
        self.is_new = true;
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
            state.open(session, frame);
            drop(state);
            return self.arrived.notify_one();
        }
        let present = state.present.clone();
        drop(state);
        match present {
            // It drops what is of another session.
            Some(present) => present.deliver(frame),
            None => tracing::debug!("a message of no session was dropped"),
        }
    }

    /// A master that has left is not waited for.
    fn see(&self, token: &Sample) {
        let left = (token.kind() == SampleKind::Delete).then(|| owner(token.key_expr().as_str())).flatten();
        let state = self.lock();
        if let Some(present) = state.present.as_ref().filter(|present| Some(present.session()) == left) {
            present.end(TransportError::Ended);
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

    /// Waits for the next master. None: the network was closed.
    pub(crate) fn next(&self) -> Result<Option<ZenohChannel>, NetworkError> {
        let mut state = self.shared.lock();
        loop {
            if self.network.is_closed() {
                return Ok(None);
            }
            if let Some(mailbox) = state.present.clone().filter(|_| state.is_new) {
                state.is_new = false;
                drop(state);
                match ZenohChannel::answering(&self.network, &self.offer, self.server, mailbox) {
                    Err(_) if self.network.is_closed() => return Ok(None),
                    channel => return channel.map(Some),
                }
            }
            let waited = self.shared.arrived.wait_timeout(state, SLICE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
