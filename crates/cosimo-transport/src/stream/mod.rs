//! Channels over streams of bytes: both ends show that they have the same key, and every message has a check.
//!
//! | file | what |
//! |---|---|
//! | `bytes.rs` | what a stream of bytes is, and one that waits without end |
//! | `descriptors.rs` | pipes, with deadlines |
//! | `socket.rs` | sockets, with deadlines |
//! | `key.rs` | the key of both ends, and what is made of it |
//! | `handshake.rs` | how both ends show it |
//! | `framed.rs` | messages in the stream |
//! | `carried.rs` | any pair of streams, with deadlines, by a thread |

mod bytes;
mod carried;
#[cfg(unix)]
mod descriptors;
mod framed;
mod handshake;
mod key;
mod socket;

pub(crate) use bytes::Blocking;
pub use carried::CarriedChannel;
#[cfg(unix)]
pub(crate) use descriptors::Descriptors;
pub(crate) use framed::Framed;
pub use key::Key;
pub(crate) use socket::Socket;
