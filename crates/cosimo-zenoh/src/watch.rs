//! Which servers of an offer are there.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cosimo_transport::TransportError;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Subscriber;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use crate::error::NetworkError;
use crate::id::Id;
use crate::keys::{Offer, owner};
use crate::mailbox::{Mailbox, SLICE};

/// How long two servers of one offer may be there: one that is dead is gone by then.
const SETTLING: Duration = Duration::from_secs(2);

/// Watches the tokens of the servers of an offer.
#[derive(Debug)]
pub(crate) struct Watch {
    shared: Arc<Shared>,
    _tokens: Subscriber<()>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    servers: BTreeSet<Id>,
    /// Who is told when the server goes.
    told: Option<(Id, Arc<Mailbox>)>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn see(&self, token: &Sample) {
        let Some(server) = owner(token.key_expr().as_str()) else { return };
        let mut state = self.lock();
        match token.kind() {
            SampleKind::Put => {
                state.servers.insert(server);
            }
            SampleKind::Delete => {
                state.servers.remove(&server);
                if let Some((_, mailbox)) = state.told.as_ref().filter(|(own, _)| *own == server) {
                    mailbox.end(gone());
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }
}

fn gone() -> TransportError {
    TransportError::Disconnected("its server is gone".to_owned())
}

impl Watch {
    /// Looks for the servers of an offer from now on.
    pub(crate) fn over(network: &Session, offer: &Offer) -> Result<Self, NetworkError> {
        let shared = Arc::new(Shared::default());
        let seeing = Arc::clone(&shared);
        let tokens = network
            .liveliness()
            .declare_subscriber(offer.servers()?)
            .history(true)
            .callback(move |token| seeing.see(&token))
            .wait()
            .map_err(NetworkError::refused("servers cannot be looked for"))?;
        Ok(Self { shared, _tokens: tokens })
    }

    /// Waits for the server, at most for `deadline`. None: there is none.
    ///
    /// # Errors
    /// There are several.
    pub(crate) fn find(&self, deadline: Duration) -> Result<Option<Id>, TransportError> {
        let (mut left, mut state) = (deadline, self.shared.lock());
        let mut several: Option<Instant> = None;
        loop {
            let count = state.servers.len();
            if let (1, Some(server)) = (count, state.servers.first()) {
                return Ok(Some(*server));
            }
            several = (count > 1).then(|| several.unwrap_or_else(Instant::now));
            if several.is_some_and(|since| since.elapsed() > SETTLING) || (count > 1 && left.is_zero()) {
                let reason = format!("{count} servers offer it: only one may");
                return Err(TransportError::Protocol(reason));
            }
            if left.is_zero() {
                return Ok(None);
            }
            let slice = left.min(SLICE);
            let (next, waited) =
                self.shared.changed.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if waited.timed_out() {
                left -= slice;
            }
        }
    }

    /// Ends a mailbox when the server goes, or has gone.
    pub(crate) fn tell(&self, server: Id, mailbox: &Arc<Mailbox>) {
        let mut state = self.shared.lock();
        if !state.servers.contains(&server) {
            mailbox.end(gone());
        }
        state.told = Some((server, Arc::clone(mailbox)));
    }
}

/// Shows that an end is there, until it is dropped or the process ends.
pub(crate) fn show(
    network: &Session,
    key: zenoh::key_expr::KeyExpr<'static>,
) -> Result<LivelinessToken, NetworkError> {
    let shown = network.liveliness().declare_token(key).wait();
    shown.map_err(NetworkError::refused("a token cannot be declared"))
}
