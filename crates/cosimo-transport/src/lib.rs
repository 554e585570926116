//! Running a subsystem elsewhere: in a thread, in a process, at the other end of a stream of bytes.
//!
//! A transport is a decorator: [`RemoteSubsystem`] is the [`Subsystem`](cosimo_subsystem::Subsystem) at the other end of a
//! [`Transport`]. The master sees no difference, except that several subsystems work at the same time when it prefetches its calls
//! with [`prefetch`](cosimo_subsystem::Subsystem::prefetch). The bits are the same.
//!
//! ```
//! use cosimo_subsystem::conformance::TwoMasses;
//! use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
//! use cosimo_transport::ThreadedSubsystem;
//!
//! let mut subsystem = ThreadedSubsystem::spawn(Box::new(TwoMasses::default()))?;
//! let step = MacroStep { time: 0.0, size: 1e-3 };
//! subsystem.prefetch(Call::Begin(step, &[0.0; 3])); // it starts on it
//! // … here the other subsystems are called …
//! subsystem.begin(step, &[0.0; 3])?; // the answer
//! subsystem.commit(&StepLoads::zeros(3))?;
//! assert_eq!(subsystem.statistics().steps, 1);
//! # Ok::<(), cosimo_subsystem::SubsystemError>(())
//! ```
//!
//! What crosses are a [`Request`] and a [`Reply`], plain data that refers to nothing. Inside one process there is no need for
//! bytes: the storage goes back and forth, and no step after the first allocates. [`ProcessSubsystem`] and
//! [`StreamSubsystem`] send them as bytes to where [`serve`] answers. Every wait has a deadline.

mod channel;
mod cost;
mod encoded;
mod exchange;
mod fit;
mod folder;
mod history;
mod introduction;
mod link;
mod message;
mod offering;
mod process;
mod protocol;
mod reach;
mod recovery;
mod remote;
mod reply;
mod serve;
mod served;
mod server;
mod storage;
mod stream;
mod streamed;
mod tcp;
mod thread;
mod transport;
mod wire;
mod worker;

pub use channel::Channel;
pub use encoded::{EncodedSubsystem, EncodedTransport};
pub use exchange::{ChannelSubsystem, ChannelTransport, Greeting, Pending};
pub use folder::remove_own_folder;
pub use introduction::Introduction;
pub use message::{Answer, Present, Request};
pub use offering::Offering;
pub use process::{ProcessChannel, ProcessSubsystem};
pub use protocol::PROTOCOL;
pub use reach::{Address, Remote};
pub use recovery::OnLoss;
pub use remote::RemoteSubsystem;
pub use reply::Reply;
pub use serve::{Greeted, serve, serve_assigned, serve_channel};
pub use served::Served;
pub use server::Server;
pub use storage::Storage;
pub use stream::{CarriedChannel, Key};
pub use streamed::StreamSubsystem;
pub use tcp::{TcpAddress, TcpChannel, TcpSubsystem};
pub use thread::{ThreadTransport, ThreadedSubsystem};
pub use transport::{DEADLINE, Transport, TransportError};
