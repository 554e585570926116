//! Damaged bytes are errors on either side, never a panic, never much memory, and never another answer.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{
    Channel, ChannelSubsystem, DEADLINE, EncodedSubsystem, StreamSubsystem, TransportError, serve,
    serve_channel,
};
use proptest::prelude::*;

use super::threaded::{loads, step};
use super::{connect_to, served};

/// Changes a byte of what passes, the one at this place.
struct Changing<S> {
    stream: S,
    passed: usize,
    change: Option<(usize, u8)>,
}

impl<S> Changing<S> {
    fn new(stream: S, change: Option<(usize, u8)>) -> Self {
        Self { stream, passed: 0, change }
    }

    fn pass(&mut self, bytes: &mut [u8]) {
        if let Some((place, by)) = self.change
            && let Some(byte) = place.checked_sub(self.passed).and_then(|own| bytes.get_mut(own))
        {
            *byte ^= by;
        }
        self.passed += bytes.len();
    }
}

impl<S: Read> Read for Changing<S> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(into)?;
        self.pass(&mut into[..count]);
        Ok(count)
    }
}

impl<S: Write> Write for Changing<S> {
    fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
        let mut copy = from.to_vec();
        self.pass(&mut copy);
        self.stream.write_all(&copy)?;
        Ok(copy.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

/// What calls of every kind answer, up to the first error.
fn converse(subsystem: &mut dyn Subsystem) -> Result<Vec<f64>, (Vec<f64>, SubsystemError)> {
    let mut answers = Vec::new();
    let mut talk = |answers: &mut Vec<f64>| -> Result<(), SubsystemError> {
        let saved = subsystem.save()?;
        for index in 0..2 {
            answers.extend(&subsystem.begin(step(index), &[0.0; 3])?.velocities);
            answers.extend(&subsystem.evaluate(&loads(index).impulses)?.positions);
            subsystem.commit(&loads(index))?;
            answers.extend(&subsystem.rows().positions);
            answers.push(subsystem.prepare_jump(1e-3)?.amax());
            subsystem.jump(&[0.0; 3])?;
            let mut observed = vec![0.0; subsystem.description().quantities.len()];
            subsystem.observe(&mut observed);
            answers.extend(observed);
        }
        subsystem.restore(&saved)
    };
    match talk(&mut answers) {
        Ok(()) => Ok(answers),
        Err(error) => Err((answers, error)),
    }
}

/// A conversation in which a byte is changed, of what is asked or of what is answered; the answers are those of a subsystem nearby as far
/// as they come. Whether there was an error.
fn check_change(of_requests: bool, change: (usize, u8)) -> bool {
    let (reader, writer) = served(Box::new(TwoMasses::default()));
    let [asked, answered] = [of_requests, !of_requests].map(|own| own.then_some(change));
    let (reader, writer) = (Changing::new(reader, answered), Changing::new(writer, asked));
    let Ok(mut far) = StreamSubsystem::connect("masses", reader, writer, Duration::from_millis(300)) else {
        return true;
    };
    assert_eq!(far.description(), TwoMasses::default().description());
    let expected = converse(&mut TwoMasses::default()).unwrap();
    match converse(&mut far) {
        Ok(found) => assert_eq!(found, expected),
        Err((found, _)) => {
            assert_eq!(found[..], expected[..found.len()]);
            return true;
        }
    }
    false
}

/// Messages without a check, as who has the key may send them, after one that is as it should be.
struct Stranger {
    messages: std::vec::IntoIter<Vec<u8>>,
}

impl Channel for Stranger {
    fn send(&mut self, _message: &[u8], _deadline: Duration) -> Result<(), TransportError> {
        Ok(())
    }

    fn receive(&mut self, message: &mut Vec<u8>, _deadline: Duration) -> Result<(), TransportError> {
        *message = self.messages.next().ok_or(TransportError::Ended)?;
        Ok(())
    }
}

/// Keeps what passes.
struct Keeping<C>(C, Arc<Mutex<[Vec<Vec<u8>>; 2]>>);

impl<C: Channel> Channel for Keeping<C> {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.1.lock().unwrap()[0].push(message.to_vec());
        self.0.send(message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.0.receive(message, deadline)?;
        self.1.lock().unwrap()[1].push(message.clone());
        Ok(())
    }
}

/// The messages of a conversation: requests, replies.
fn conversation() -> [Vec<Vec<u8>>; 2] {
    let kept = Arc::new(Mutex::new([Vec::new(), Vec::new()]));
    let (reader, writer) = served(Box::new(TwoMasses::default()));
    let channel =
        cosimo_transport::CarriedChannel::open("masses", reader, writer, &cosimo_transport::Key::NONE);
    let channel = Keeping(channel.unwrap(), Arc::clone(&kept));
    converse(&mut ChannelSubsystem::over_channel("masses", channel, DEADLINE).unwrap()).unwrap();
    let kept = kept.lock().unwrap();
    kept.clone()
}

/// Bytes of such messages in a stream: a mark and a number, a proof, and of each message its length and a check too. The last one, which ends
/// the conversation, is no part of them where nothing follows.
fn bytes_of(messages: &[Vec<u8>]) -> usize {
    4 + 32 + 32 + messages.iter().map(|message| 4 + message.len() + 16).sum::<usize>()
}

/// Numbers by chance that are the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    /// A message with some bytes changed, cut off or added.
    fn damage(&mut self, message: &mut Vec<u8>) {
        for _ in 0..=self.next(3) {
            let place = self.next(message.len());
            match self.next(4) {
                0 => message.truncate(place),
                1 => message.push(self.next(256) as u8),
                2 if place + 8 <= message.len() => message[place..place + 8].fill(self.next(2) as u8 * 255),
                _ => {
                    if let Some(byte) = message.get_mut(place) {
                        *byte ^= self.next(255) as u8 + 1;
                    }
                }
            }
        }
    }
}

/// Damages one message of a conversation and all that follow, so many times: whatever comes of it, it ends.
fn fuzz(times: usize, seed: u64) {
    let [requests, replies] = conversation();
    let mut chance = Chance(seed);
    let mut count = 0;
    while count < times {
        let mut sent = if chance.next(2) == 0 { requests.clone() } else { replies.clone() };
        let is_asked = sent == requests;
        let from = chance.next(sent.len());
        sent.truncate(from + 4);
        sent[from..].iter_mut().for_each(|message| chance.damage(message));
        count += sent.len() - from;
        let mut stranger = Stranger { messages: sent.into_iter() };
        let info = allocation_counter::measure(|| {
            if is_asked {
                let _ = serve_channel(|_| Ok(Box::new(TwoMasses::default())), &mut stranger);
            } else if let Ok(mut far) = ChannelSubsystem::over_channel("masses", stranger, DEADLINE)
                // A description may have lost its ports.
                && far.description().rows() == 3
            {
                let before = super::threaded::bits(&far);
                if far.begin(step(0), &[0.0; 3]).is_err() {
                    assert_eq!(super::threaded::bits(&far), before);
                }
                let _ = converse(&mut far);
            }
        });
        assert!(info.bytes_max < 8_000_000, "{} bytes at once", info.bytes_max);
    }
}

#[test]
fn strangers_are_refused() {
    fuzz(20_000, 1);
}

/// `cargo test --release -p cosimo-transport --test suite a_million -- --ignored`
#[test]
#[ignore = "it takes some time"]
fn a_million_strange_messages_are_refused() {
    fuzz(1_000_000, 2);
}

#[test]
fn encoded_subsystems_answer_as_those_nearby() {
    let mut far = EncodedSubsystem::new(Box::new(TwoMasses::default())).unwrap();
    assert_eq!(converse(&mut far).unwrap(), converse(&mut TwoMasses::default()).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_change_goes_unseen(of_requests: bool, place in 0..4000_usize, by in 1_u8..) {
        let [requests, replies] = conversation();
        let bytes = bytes_of(if of_requests { &requests } else { &replies });
        prop_assert_eq!(check_change(of_requests, (place, by)), place < bytes);
    }

    #[test]
    fn random_bytes_are_errors(bytes in proptest::collection::vec(any::<u8>(), 1..300)) {
        prop_assert!(connect_to(&bytes, DEADLINE).is_err());
        prop_assert!(serve(Box::new(TwoMasses::default()), &bytes[..], std::io::sink()).is_err());
    }
}
