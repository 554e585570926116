//! Subsystems at the other end of a network, by [zenoh](https://zenoh.io): found by a name, whatever machine they run on, without a broker.
//!
//! Everything is behind the feature `zenoh`. Without it this library is empty, and zenoh is not built.
//!
//! A server offers a subsystem under a *key expression*, such as `plant/blade`. A master finds the server by that name and makes a
//! [`RemoteSubsystem`](cosimo_transport::RemoteSubsystem) of it; the bits are the same as nearby. Messages, deadlines and resumption after a
//! loss are those of [`cosimo_transport`].
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | where a network connects and listens, and its certificates |
//! | `config.rs`, `endpoint.rs` | the configuration of zenoh that is made of them, and what is refused |
//! | `network.rs` | the network: offers |
//! | `remote.rs` | a subsystem that is to be reached |
//! | `keys.rs`, `id.rs` | the keys of a conversation; the numbers that tell servers and sessions apart |
//! | `frame.rs` | what a message carries besides: whose it is, which one, and a check |
//! | `mailbox.rs` | the messages of a session that have come |
//! | `watch.rs` | which servers are there |
//! | `desk.rs` | the server's end: which master is answered |
//! | `channel.rs` | both ends of a session, as a [`Channel`](cosimo_transport::Channel) |
//! | `error.rs` | what goes wrong |
#![cfg_attr(
    feature = "zenoh",
    doc = r#"
```no_run
use cosimo_subsystem::Subsystem;
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_zenoh::{Network, Settings};

let server = Network::open(&Settings::new().listen("tcp/127.0.0.1:17447"))?;
std::thread::spawn(move || server.offer("plant/masses", |_| Ok(Box::new(TwoMasses::default()))));

let network = Network::open(&Settings::new().connect("tcp/127.0.0.1:17447"))?;
let masses = network.remote("masses", "plant/masses").connect()?;
assert_eq!(masses.description().rows(), 3);
# Ok::<(), Box<dyn std::error::Error>>(())
```

# Who may connect

With certificates (TLS, and [`Settings::file`] has `enable_mtls: true`) both ends show theirs. Without, a network listens on the loopback address
only, and offers nothing over connections to other machines. Strangers on the network cannot change a run by bytes that they make up:
messages without the number of the session, 128 random bits, are dropped. Who sees the messages could forge them, so networks with others
need TLS.

A message that is longer than what is expected is refused and not copied. zenoh itself collects what others have really sent, up to 256 MiB per
message.

# Costs

zenoh takes ownership of every message, so that a message allocates once at each end. It works in threads of its own, which the whole process
shares; their processor time is not counted. Calls block: they must not be made in a task of `tokio`.
"#
)]

#[cfg(feature = "zenoh")]
mod channel;
#[cfg(feature = "zenoh")]
mod config;
#[cfg(feature = "zenoh")]
mod desk;
#[cfg(feature = "zenoh")]
mod endpoint;
#[cfg(feature = "zenoh")]
mod error;
#[cfg(feature = "zenoh")]
mod frame;
#[cfg(feature = "zenoh")]
mod id;
#[cfg(feature = "zenoh")]
mod keys;
#[cfg(feature = "zenoh")]
mod mailbox;
#[cfg(feature = "zenoh")]
mod network;
#[cfg(feature = "zenoh")]
mod remote;
#[cfg(feature = "zenoh")]
mod settings;
#[cfg(feature = "zenoh")]
mod watch;

#[cfg(feature = "zenoh")]
pub use channel::ZenohChannel;
#[cfg(feature = "zenoh")]
pub use error::NetworkError;
#[cfg(feature = "zenoh")]
pub use network::Network;
#[cfg(feature = "zenoh")]
pub use remote::{OfferedAt, ZenohRemote, ZenohSubsystem};
#[cfg(feature = "zenoh")]
pub use settings::Settings;
