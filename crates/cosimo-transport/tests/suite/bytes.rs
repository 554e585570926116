//! Bytes keep the bits, over a stream and without one, and large matrices cross once.

use std::collections::VecDeque;
use std::io::{PipeWriter, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::conformance::{Conformance, TwoMasses, TwoTables};
use cosimo_subsystem::{Call, MacroStep, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on};
use cosimo_transport::{
    Channel, ChannelSubsystem, DEADLINE, EncodedSubsystem, PROTOCOL, StreamSubsystem, TransportError,
    serve_channel,
};

use super::threaded::{bits, loads, step};
use super::{OF_OTHERS, connect_to, served, streamed};

fn encoded() -> EncodedSubsystem {
    EncodedSubsystem::new(Box::new(TwoMasses::default())).unwrap()
}

#[test]
fn they_pass_the_conformance_suite() {
    let report = Conformance::new(encoded).steps(20).check();
    report.assert_passed();
    assert!(report.skipped().all(|check| OF_OTHERS.contains(&check)), "{report}");
    let tables = || EncodedSubsystem::new(Box::new(TwoTables::default())).unwrap();
    Conformance::new(tables).step(1.0 / 256.0).steps(150).check().assert_passed();
    let report = Conformance::new(|| streamed(Box::new(TwoMasses::default()))).steps(20).check();
    report.assert_passed();
    assert!(report.skipped().all(|check| OF_OTHERS.contains(&check)), "{report}");
}

#[test]
fn a_thousand_steps_give_the_same_bits() {
    let mut near = TwoMasses::default();
    let mut far: [Box<dyn Subsystem>; 2] =
        [Box::new(encoded()), Box::new(streamed(Box::new(TwoMasses::default())))];
    for index in 0..1000 {
        let (step, loads) = (step(index), loads(index));
        let begun = near.begin(step, &[0.0; 3]).unwrap().clone();
        let evaluated = near.evaluate(&loads.impulses).unwrap().clone();
        let ledger = near.commit(&loads).unwrap();
        for far in &mut far {
            far.prefetch(Call::Begin(step, &[0.0; 3]));
            assert_eq!(*far.begin(step, &[0.0; 3]).unwrap(), begun);
            assert_eq!(*far.evaluate(&loads.impulses).unwrap(), evaluated);
            far.prefetch(Call::Commit(&loads));
            assert_eq!(far.commit(&loads).unwrap(), ledger);
            assert_eq!(bits(far.as_ref()), bits(&near));
            assert_eq!(far.statistics(), near.statistics());
        }
    }
}

#[test]
fn errors_keep_their_types_and_numbers_their_bits() {
    for mut far in
        [Box::new(encoded()) as Box<dyn Subsystem>, Box::new(streamed(Box::new(TwoMasses::default())))]
    {
        let error = far.begin(step(0), &[0.0, f64::NAN, 0.0]).unwrap_err();
        assert!(matches!(error, SubsystemError::LoadNotFinite { row: 1, .. }), "{error}");
        let error = far.commit(&loads(0)).unwrap_err();
        assert_eq!(error, TwoMasses::default().commit(&loads(0)).unwrap_err());
        assert_eq!(*far.description(), *TwoMasses::default().description());
        let saved = far.save().unwrap();
        assert_eq!(saved, TwoMasses::default().save().unwrap());
        far.restore(&saved).unwrap();
    }
}

/// Counts the bytes that come.
struct Counting<R>(R, Arc<AtomicUsize>);

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(into)?;
        self.1.fetch_add(count, Ordering::Relaxed);
        Ok(count)
    }
}

#[test]
fn matrices_cross_when_they_change() {
    let count = Arc::new(AtomicUsize::new(0));
    let (reader, writer) = served(Box::new(TwoMasses::default()));
    let mut far =
        StreamSubsystem::connect("masses", Counting(reader, Arc::clone(&count)), writer, DEADLINE).unwrap();
    let mut near = TwoMasses::default();
    let mut begin = |index, size| {
        count.store(0, Ordering::Relaxed);
        let step = cosimo_subsystem::MacroStep { size, ..step(index) };
        assert_eq!(far.begin(step, &[0.0; 3]).unwrap(), near.begin(step, &[0.0; 3]).unwrap());
        let bytes = count.load(Ordering::Relaxed);
        far.commit(&StepLoads::zeros(3)).unwrap();
        near.commit(&StepLoads::zeros(3)).unwrap();
        bytes
    };
    let (first, second) = (begin(0, 1e-3), begin(1, 1e-3));
    // At least the nine entries of the inverse mass.
    assert!(first >= second + 9 * 8, "{first} bytes, then {second}");
    assert_eq!(begin(2, 1e-3), second);
    assert_eq!(begin(3, 5e-4), first, "another size has another inverse mass");
}

/// What both sides have said, in a conversation of which one side says this.
#[derive(Debug)]
struct Scripted {
    says: VecDeque<Vec<u8>>,
    heard: Vec<Vec<u8>>,
}

impl Scripted {
    fn saying(message: &[u8]) -> Self {
        Self { says: VecDeque::from([message.to_vec()]), heard: Vec::new() }
    }
}

impl Channel for Scripted {
    fn send(&mut self, message: &[u8], _deadline: Duration) -> Result<(), TransportError> {
        self.heard.push(message.to_vec());
        Ok(())
    }

    fn receive(&mut self, message: &mut Vec<u8>, _deadline: Duration) -> Result<(), TransportError> {
        *message = self.says.pop_front().ok_or(TransportError::Ended)?;
        Ok(())
    }
}

/// A greeting of another version.
fn greeting(version: u32) -> Vec<u8> {
    [&version.to_le_bytes()[..], b"later"].concat()
}

#[test]
fn another_version_is_refused_on_both_sides() {
    let other = PROTOCOL + 1;
    let connect = |message: &[u8]| {
        ChannelSubsystem::over_channel("masses", Scripted::saying(message), DEADLINE).unwrap_err()
    };
    let error = connect(&greeting(other));
    let text =
        format!("subsystem `masses`: it speaks version {other} of the protocol, this is version {PROTOCOL}");
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, SubsystemError::Protocol { .. }));

    let mut master = Scripted::saying(&greeting(other));
    let error = serve_channel(|_| Ok(Box::new(TwoMasses::default())), &mut master).unwrap_err();
    assert!(error.to_string().contains(&format!("version {other}")), "{error}");
    // It says which version it speaks before it leaves.
    let answer = &master.heard[0];
    assert_eq!(answer[..4], PROTOCOL.to_le_bytes());
    let error = connect(answer);
    assert!(error.to_string().contains(&format!("version {PROTOCOL}")), "{error}");
}

#[test]
fn the_end_of_the_stream_is_an_error() {
    let error = connect_to(b"", DEADLINE).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    let (reader, mut writer): (_, PipeWriter) = served(Box::new(TwoMasses::default()));
    writer.write_all(b"Hello, world\n").unwrap();
    let error = StreamSubsystem::connect("masses", reader, writer, DEADLINE).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    let error = connect_to(b"Hello, world\n", DEADLINE).unwrap_err();
    assert!(
        matches!(&error, SubsystemError::Protocol { reason, .. } if reason.contains("`Hell`")),
        "{error}"
    );
}

/// Two masses whose energy is lost after some steps, or in the greeting.
struct Boundless {
    inner: TwoMasses,
    left: u32,
}

impl Subsystem for Boundless {
    pass_on!(inner: description, rows, discard, observe, save, restore, statistics);

    fn energy(&self) -> Energy {
        let kinetic = if self.left == 0 { f64::NAN } else { 1.0 };
        Energy { kinetic, ..self.inner.energy() }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.inner.begin(step, start_loads)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.left = self.left.saturating_sub(1);
        self.inner.commit(loads)
    }
}

#[test]
fn energies_that_are_not_finite_are_named() {
    let connect = |left: u32| {
        let (reader, writer) = served(Box::new(Boundless { inner: TwoMasses::default(), left }));
        StreamSubsystem::connect("masses", reader, writer, DEADLINE)
    };
    let name = TwoMasses::default().description().name.clone();
    let expected = SubsystemError::NotFinite { subsystem: name, what: "its energy".to_owned() };
    assert_eq!(connect(0).map(drop).unwrap_err(), expected);
    let mut far = connect(2).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    far.commit(&loads(0)).unwrap();
    far.begin(step(1), &[0.0; 3]).unwrap();
    assert_eq!(far.commit(&loads(1)).unwrap_err(), expected);
}
