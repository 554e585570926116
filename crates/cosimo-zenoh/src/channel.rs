//! Both ends of a session.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use cosimo_transport::{Channel, TransportError};
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::{Publisher, Subscriber};
use zenoh::qos::{CongestionControl, Priority};
use zenoh::{Session, Wait};

use crate::error::NetworkError;
use crate::frame::{End, Head};
use crate::id::Id;
use crate::keys::Offer;
use crate::mailbox::{LONGEST, Mailbox};
use crate::watch::{Watch, show};

/// Messages of a session between a master and a server.
///
/// A message is handed to zenoh, which sends it in order and without loss. [`send`](Channel::send) waits for zenoh where its queue is full:
/// until there is room, or the other machine is taken for dead, whatever the deadline.
pub struct ZenohChannel {
    network: Session,
    head: Head,
    publisher: Publisher<'static>,
    mailbox: Arc<Mailbox>,
    longest: usize,
    /// What the master holds until it leaves.
    _held: Option<(Subscriber<()>, LivelinessToken, Watch)>,
}

impl fmt::Debug for ZenohChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZenohChannel").field("head", &self.head).finish_non_exhaustive()
    }
}

impl ZenohChannel {
    /// The master's end of a new session with the server of an offer, which is waited for at most for `deadline`.
    pub(crate) fn connect(
        network: &Session,
        offer: &Offer,
        deadline: Duration,
    ) -> Result<Self, TransportError> {
        let watch = Watch::over(network, offer)?;
        let Some(server) = watch.find(deadline)? else {
            let reason = format!("nobody offers it within {} s", deadline.as_secs_f64());
            return Err(TransportError::Disconnected(reason));
        };
        let session = Id::random()?;
        let mailbox = Arc::new(Mailbox::new(session, End::Server));
        let delivering = Arc::clone(&mailbox);
        let answers = network
            .declare_subscriber(offer.answers(server, session)?)
            .callback(move |sample| delivering.deliver(sample.payload()))
            .wait()
            .map_err(NetworkError::refused("answers cannot be received"))?;
        let token = show(network, offer.master(server, session)?)?;
        watch.tell(server, &mailbox);
        let publisher = publisher(network, offer.questions(server, session)?)?;
        Ok(Self {
            network: network.clone(),
            head: Head { from: End::Master, is_last: false, session, number: 0 },
            publisher,
            mailbox,
            longest: LONGEST,
            _held: Some((answers, token, watch)),
        })
    }

    /// The server's end of a session, whose messages come to `mailbox`.
    pub(crate) fn answering(
        network: &Session,
        offer: &Offer,
        server: Id,
        mailbox: Arc<Mailbox>,
    ) -> Result<Self, NetworkError> {
        let session = mailbox.session();
        let publisher = publisher(network, offer.answers(server, session)?)?;
        let head = Head { from: End::Server, is_last: false, session, number: 0 };
        Ok(Self { network: network.clone(), head, publisher, mailbox, longest: LONGEST, _held: None })
    }

    /// Messages under the key of this session that were none of it, and were dropped.
    #[must_use]
    pub fn strays(&self) -> u64 {
        self.mailbox.strays()
    }
}

/// Publishes under a key: at once, in order, without loss.
fn publisher(
    network: &Session,
    key: zenoh::key_expr::KeyExpr<'static>,
) -> Result<Publisher<'static>, NetworkError> {
    let declared = network
        .declare_publisher(key)
        .congestion_control(CongestionControl::Block)
        .priority(Priority::RealTime)
        .express(true)
        .wait();
    declared.map_err(NetworkError::refused("messages cannot be published"))
}

impl Drop for ZenohChannel {
    /// Tells the other end.
    fn drop(&mut self) {
        let last = Head { is_last: true, ..self.head };
        // Who is gone needs no telling.
        let _ = self.publisher.put(last.write(&[])).wait();
    }
}

impl Channel for ZenohChannel {
    fn send(&mut self, message: &[u8], _deadline: Duration) -> Result<(), TransportError> {
        if message.len() > LONGEST {
            let count = message.len();
            let reason =
                format!("a message of {count} bytes is longer than {LONGEST}, the most that is sent");
            return Err(TransportError::Protocol(reason));
        }
        let sent = self.publisher.put(self.head.write(message)).wait();
        self.head.number += 1;
        sent.map_err(|error| TransportError::Disconnected(format!("a message cannot be sent: {error}")))
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.mailbox.take(message, self.longest, deadline, || self.network.is_closed())
    }

    fn expect_at_most(&mut self, length: usize) {
        self.longest = length.min(LONGEST);
    }
}
