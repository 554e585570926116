//! The bytes are those of the description of the messages: who changes them changes the description, and `PROTOCOL`.

mod examples;
mod handshake;
mod values;

use std::collections::VecDeque;
use std::time::Duration;

use cosimo_subsystem::{MacroStep, Signal, StepLoads, Subsystem};
use cosimo_transport::{Channel, ChannelSubsystem, DEADLINE, PROTOCOL, TransportError, serve_channel};

use examples::{Cart, Governor};

const DESCRIPTION: &str = include_str!("../../../../docs/reference/messages.md");

/// The blocks of bytes below a heading of the description. What stands behind `#` is not of them; `00*28` are 28 bytes.
fn blocks(heading: &str) -> VecDeque<Vec<u8>> {
    let (_, rest) = DESCRIPTION.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let blocks = section.split("```hex\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    blocks.map(bytes).collect()
}

fn bytes(block: &str) -> Vec<u8> {
    let numbers = block.lines().flat_map(|line| line.split('#').next().unwrap().split_whitespace());
    let repeated =
        numbers.map(|own| own.split_once('*').map_or((own, 1), |(byte, n)| (byte, n.parse().unwrap())));
    repeated.flat_map(|(byte, n)| std::iter::repeat_n(u8::from_str_radix(byte, 16).unwrap(), n)).collect()
}

/// One end of the conversation of the description, whose other end is tried: the messages that are left, from both ends by turns.
struct Script(VecDeque<Vec<u8>>);

impl Channel for Script {
    fn send(&mut self, message: &[u8], _deadline: Duration) -> Result<(), TransportError> {
        let expected = self.0.pop_front().unwrap();
        assert_eq!(hex(message), hex(&expected), "{} messages before the end", self.0.len());
        Ok(())
    }

    fn receive(&mut self, message: &mut Vec<u8>, _deadline: Duration) -> Result<(), TransportError> {
        *message = self.0.pop_front().ok_or(TransportError::Ended)?;
        Ok(())
    }
}

/// The same where replies tell what they have cost, which is never the same: 40 bytes before the last one.
struct WithoutCost(Script, bool);

impl Channel for WithoutCost {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        // The answer to the greeting tells of none.
        if !std::mem::replace(&mut self.1, true) {
            return self.0.send(message, deadline);
        }
        let (before, cost) = message.split_at(message.len() - 42);
        assert_eq!(cost[0], 1);
        self.0.send(&[before, &[0, cost[41]]].concat(), deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.0.receive(message, deadline)
    }
}

/// Bytes as they stand in the description, sixteen per line.
fn hex(bytes: &[u8]) -> String {
    let byte = |byte: &u8| format!("{byte:02X}");
    let line = |line: &[u8]| line.iter().map(byte).collect::<Vec<_>>().join(" ");
    bytes.chunks(16).map(line).collect::<Vec<_>>().join("\n")
}

/// Both ends speak as below this heading: the master where it makes these calls, and the server of this subsystem.
#[track_caller]
fn assert_described(heading: &str, subsystem: impl Subsystem + 'static, calls: impl Fn(&mut dyn Subsystem)) {
    let mut near = ChannelSubsystem::over_channel("near", Script(blocks(heading)), DEADLINE).unwrap();
    assert_eq!(near.description(), subsystem.description());
    calls(&mut near);
    let mut far = WithoutCost(Script(blocks(heading)), false);
    serve_channel(|_| Ok(Box::new(subsystem)), &mut far).unwrap();
    assert!(far.0.0.is_empty(), "the conversation goes on");
}

const STEP: MacroStep = MacroStep { time: 0.0, size: 0.25 };

#[test]
fn a_controller_is_served_by_the_bytes_of_the_description() {
    assert_described("A conversation with a controller", Governor::default(), |governor| {
        let mut torque = [0.0];
        governor.outputs(&[4.0], &mut torque).unwrap();
        assert_eq!(torque, [48.0]);
        governor.set_inputs(&[Signal::held(0.0, 4.0)]).unwrap();
        governor.begin(STEP, &[]).unwrap();
        governor.commit(&StepLoads::zeros(0)).unwrap();
        let saved = governor.save().unwrap();
        assert_eq!(saved.as_bytes(), 16.0_f64.to_le_bytes());
        governor.restore(&saved).unwrap();
        let error = governor.evaluate(&[]).unwrap_err();
        assert_eq!(error, Governor::default().evaluate(&[]).unwrap_err());
    });
}

#[test]
fn a_cart_is_served_by_the_bytes_of_the_description() {
    assert_described("A conversation with a cart", Cart::default(), |cart| {
        let response = cart.begin(STEP, &[0.0]).unwrap();
        assert_eq!((response.positions[0], response.inverse_mass.entry(0, 0)), (1.125, 0.5));
        let loads = StepLoads { impulses: vec![0.5], ..StepLoads::zeros(1) };
        let ledger = cart.commit(&loads).unwrap();
        assert_eq!((ledger.port_work, ledger.energy.kinetic), (0.3125, 0.5625));
        assert_eq!((cart.rows().positions[0], cart.rows().velocities[0]), (1.15625, 0.75));
        let response = cart.begin(MacroStep { time: 0.25, ..STEP }, &[0.0]).unwrap();
        assert_eq!(response.inverse_mass.entry(0, 0), 0.5, "it is the one before");
        cart.discard();
    });
}

#[test]
fn the_description_is_of_this_version() {
    assert!(DESCRIPTION.contains(&format!("version {PROTOCOL} of the protocol")));
}
