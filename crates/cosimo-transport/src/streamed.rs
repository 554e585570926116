//! A subsystem at the other end of any pair of streams.

use std::io::{Read, Write};
use std::time::Duration;

use cosimo_subsystem::SubsystemError;

use crate::exchange::ChannelSubsystem;
use crate::stream::{CarriedChannel, Key};

/// A subsystem at the other end of a pair of streams, such as pipes, where [`serve`](crate::serve) answers.
pub type StreamSubsystem = ChannelSubsystem<CarriedChannel>;

impl StreamSubsystem {
    /// Greets the other end of these streams; every answer, that to the greeting included, may take `deadline`. Errors
    /// before the subsystem is known name it `name`.
    ///
    /// # Errors
    /// As [`over_channel`](Self::over_channel).
    pub fn connect(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        deadline: Duration,
    ) -> Result<Self, SubsystemError> {
        let channel = CarriedChannel::open(name, reader, writer, &Key::NONE);
        Self::over_channel(name, channel.map_err(|error| error.of(name, "hello", deadline))?, deadline)
    }
}
