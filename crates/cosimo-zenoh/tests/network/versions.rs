//! Another version is refused by name.

use std::time::Duration;

use cosimo_subsystem::SubsystemError;
use cosimo_transport::{Channel, ChannelSubsystem, PROTOCOL, TransportError};
use cosimo_zenoh::ZenohChannel;

use super::{KEY, PATIENCE, Served, endpoint, network};

/// Speaks another version: of what is sent, or of what comes.
#[derive(Debug)]
struct Other {
    channel: ZenohChannel,
    of_questions: bool,
}

/// The version in a greeting becomes another one.
fn change(message: &[u8]) -> Vec<u8> {
    [&(PROTOCOL + 1).to_le_bytes(), &message[4..]].concat()
}

impl Channel for Other {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        let changed = change(message);
        self.channel.send(if self.of_questions { &changed } else { message }, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.channel.receive(message, deadline)?;
        if !self.of_questions {
            *message = change(message);
        }
        Ok(())
    }
}

#[test]
fn another_version_is_refused_on_both_sides() {
    let endpoint = endpoint();
    let (_served, network) = (Served::masses(&endpoint), network(&endpoint));
    for of_questions in [false, true] {
        let channel = network.channel(KEY, PATIENCE).unwrap();
        let error =
            ChannelSubsystem::over_channel("masses", Other { channel, of_questions }, PATIENCE).unwrap_err();
        let text = format!("it speaks version {} of the protocol, this is version {PROTOCOL}", PROTOCOL + 1);
        assert!(error.to_string().contains(&text), "{error}");
        assert!(matches!(error, SubsystemError::Protocol { .. }));
    }
}
