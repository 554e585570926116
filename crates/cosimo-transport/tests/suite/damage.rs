//! Damaged bytes are errors on either side, never a panic and never much memory.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use cosimo_subsystem::Subsystem;
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_transport::{DEADLINE, StreamSubsystem, serve};
use proptest::prelude::*;

use super::threaded::{loads, step};
use super::{connect_to, served};

/// Keeps a copy of what passes.
struct Copying<S>(S, Arc<Mutex<Vec<u8>>>);

impl<S: Read> Read for Copying<S> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(into)?;
        self.1.lock().unwrap().extend_from_slice(&into[..count]);
        Ok(count)
    }
}

impl<S: Write> Write for Copying<S> {
    fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
        let count = self.0.write(from)?;
        self.1.lock().unwrap().extend_from_slice(&from[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Calls of every kind; they go on after an error.
fn converse(subsystem: &mut dyn Subsystem) {
    let saved = subsystem.save();
    for index in 0..2 {
        let _ = subsystem.begin(step(index), &[0.0; 3]);
        let _ = subsystem.evaluate(&loads(index).impulses);
        let _ = subsystem.commit(&loads(index));
        let _ = subsystem.prepare_jump(1e-3).map(|matrix| matrix.amax());
        let _ = subsystem.jump(&[0.0; 3]);
        let mut observed = vec![0.0; subsystem.description().quantities.len()];
        subsystem.observe(&mut observed);
    }
    let _ = saved.map(|saved| subsystem.restore(&saved));
    subsystem.discard();
}

/// What both sides say in a conversation without damage: requests, replies.
fn conversation() -> [Vec<u8>; 2] {
    let [sent, came] = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
    let (reader, writer) = served(Box::new(TwoMasses::default()));
    let (reader, writer) = (Copying(reader, Arc::clone(&came)), Copying(writer, Arc::clone(&sent)));
    let mut subsystem = StreamSubsystem::connect("masses", reader, writer, DEADLINE).unwrap();
    converse(&mut subsystem);
    drop(subsystem);
    [sent, came].map(|bytes| bytes.lock().unwrap().clone())
}

/// Bytes with some of them changed, and the end cut off.
fn damaged(mut bytes: Vec<u8>, changes: &[(usize, u8)], keep: usize) -> Vec<u8> {
    for (place, value) in changes {
        let place = place % bytes.len();
        bytes[place] ^= value;
    }
    bytes.truncate(keep.max(1));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_replies_are_errors(changes in proptest::collection::vec((any::<usize>(), 1_u8..), 0..4), cut in 0..10_000_usize) {
        let [_, came] = conversation();
        if let Ok(mut subsystem) = connect_to(&damaged(came, &changes, cut), DEADLINE) {
            // A description may have lost its ports.
            if subsystem.description().rows() == 3 {
                converse(&mut subsystem);
            }
        }
    }

    #[test]
    fn damaged_requests_are_errors(changes in proptest::collection::vec((any::<usize>(), 1_u8..), 0..4), cut in 0..10_000_usize) {
        let [sent, _] = conversation();
        let _ = serve(Box::new(TwoMasses::default()), &damaged(sent, &changes, cut)[..], std::io::sink());
    }

    #[test]
    fn random_bytes_are_errors(bytes in proptest::collection::vec(any::<u8>(), 1..300)) {
        prop_assert!(connect_to(&bytes, DEADLINE).is_err());
        prop_assert!(serve(Box::new(TwoMasses::default()), &bytes[..], std::io::sink()).is_err());
    }
}
