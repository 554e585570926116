//! A subsystem that is lost, whenever that is, is found again where it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{
    MacroStep, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on,
};
use cosimo_transport::{CarriedChannel, Channel, DEADLINE, Greeting, Key, OnLoss, TransportError};

use super::served;
use super::threaded::{bits, loads, step};

/// A channel that carries so many messages, and then is no more.
#[derive(Debug)]
struct Mortal {
    inner: CarriedChannel,
    left: u32,
}

impl Mortal {
    fn new(left: u32) -> Self {
        Self::to(Box::new(TwoMasses::default()), left)
    }

    fn to(subsystem: Box<dyn Subsystem>, left: u32) -> Self {
        let (reader, writer) = served(subsystem);
        Self { inner: CarriedChannel::open("masses", reader, writer, &Key::NONE).unwrap(), left }
    }

    fn live(&mut self) -> Result<(), TransportError> {
        self.left = self.left.checked_sub(1).ok_or(TransportError::Ended)?;
        Ok(())
    }
}

impl Channel for Mortal {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.live()?;
        self.inner.send(message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.live()?;
        self.inner.receive(message, deadline)
    }
}

/// Steps of a subsystem over channels the first of which lives for so long, and the others for longer.
fn assert_same_bits(first: u32) {
    let mut next = 0;
    let dial = move |_| {
        // Some are lost before they have greeted, none before it has come where it was.
        next += 1;
        Ok(Mortal::new(if next % 3 == 0 { next % 4 } else { 700 + 13 * next }))
    };
    let greeting = Greeting::new("masses", Mortal::new(first), Vec::new(), DEADLINE);
    let mut far = greeting.on_loss(OnLoss::Resume(Duration::from_secs(20)), dial).finish().unwrap();
    let mut near = TwoMasses::default();
    for index in 0..600 {
        let (step, loads) = (step(index), loads(index));
        assert_eq!(far.begin(step, &[0.0; 3]).unwrap(), near.begin(step, &[0.0; 3]).unwrap());
        assert_eq!(far.commit(&loads).unwrap(), near.commit(&loads).unwrap());
        if index % 90 == 50 {
            let saved = near.save().unwrap();
            assert_eq!(far.save().unwrap(), saved);
            near.prepare_jump(1e-3).unwrap();
            far.prepare_jump(1e-3).unwrap();
            near.jump(&[0.1, 0.0, 0.2]).unwrap();
            far.jump(&[0.1, 0.0, 0.2]).unwrap();
        }
        assert_eq!(bits(&far), bits(&near));
        // Who has come back factorises anew.
        let factorizations = far.statistics().factorizations;
        assert_eq!(far.statistics(), Statistics { factorizations, ..near.statistics() });
    }
}

#[test]
fn whenever_it_is_lost_it_comes_back_with_the_same_bits() {
    // In the greeting, in the first step, in the midst of the run.
    for first in [0, 1, 2, 3, 4, 5, 6, 400] {
        assert_same_bits(first);
    }
}

#[test]
fn one_that_does_not_come_back_is_given_up_after_the_patience() {
    let dial = |_| Err(TransportError::Disconnected("nobody is there".to_owned()));
    let greeting = Greeting::new("masses", Mortal::new(3), Vec::new(), DEADLINE);
    let mut far = greeting.on_loss(OnLoss::Resume(Duration::from_millis(100)), dial).finish().unwrap();
    let error = far.begin(step(0), &[0.0; 3]).map(drop).unwrap_err();
    assert!(error.to_string().contains("it has not come back within 0.1 s: nobody is there"), "{error}");
}

/// Two masses whose matrices have another revision in every step, which no state holds.
struct Refreshing {
    inner: TwoMasses,
    revision: u64,
    response: StepResponse,
}

impl Refreshing {
    fn new() -> Self {
        Self { inner: TwoMasses::default(), revision: 0, response: StepResponse::zeros(3) }
    }
}

impl Subsystem for Refreshing {
    pass_on!(inner: description, rows, energy, discard, observe, save, restore, statistics, prepare_jump, jump);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.revision += 1;
        self.response.clone_from(self.inner.begin(step, start_loads)?);
        self.response.revision = self.revision;
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.response.clone_from(self.inner.evaluate(impulses)?);
        self.response.revision = self.revision;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.inner.commit(loads)
    }
}

/// Whatever message is the last one, revisions go on as they would have: who asks compares them with those before the loss.
#[test]
fn revisions_go_on_where_they_were() {
    for first in (0..400).step_by(5) {
        let mut lives = 0;
        let dial = move |_| {
            lives += 1;
            Ok(Mortal::to(Box::new(Refreshing::new()), 500 + 37 * lives))
        };
        let channel = Mortal::to(Box::new(Refreshing::new()), first);
        let greeting = Greeting::new("masses", channel, Vec::new(), DEADLINE);
        let far = greeting.on_loss(OnLoss::Resume(Duration::from_secs(20)), dial).finish();
        let (mut far, mut near) = (far.unwrap(), Refreshing::new());
        let mut saved = near.save().unwrap();
        for index in 0..100 {
            let (step, loads) = (step(index), loads(index));
            assert_eq!(far.begin(step, &[0.0; 3]).unwrap(), near.begin(step, &[0.0; 3]).unwrap(), "{first}");
            let impulses = [0.1, 0.0, 0.05];
            assert_eq!(far.evaluate(&impulses).unwrap(), near.evaluate(&impulses).unwrap(), "{first}");
            assert_eq!(far.commit(&loads).unwrap(), near.commit(&loads).unwrap());
            if index % 30 == 10 {
                saved = near.save().unwrap();
                assert_eq!(far.save().unwrap(), saved);
            }
            if index % 30 == 20 {
                near.restore(&saved).unwrap();
                far.restore(&saved).unwrap();
            }
            assert_eq!(bits(&far), bits(&near));
        }
    }
}

/// Two masses that no state can be given to, and that admit it or not.
struct Unrestorable {
    inner: TwoMasses,
    admits: bool,
}

impl Subsystem for Unrestorable {
    pass_on!(inner: description, rows, energy, discard, observe, save, statistics);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.inner.begin(step, start_loads)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.inner.commit(loads)
    }

    fn restore(&mut self, _: &Snapshot) -> Result<(), SubsystemError> {
        let (subsystem, reason) = ("masses".to_owned(), "it is full".to_owned());
        if self.admits { Err(SubsystemError::BadSnapshot { subsystem, reason }) } else { Ok(()) }
    }
}

#[test]
fn one_that_cannot_be_brought_back_ends_the_run_by_name() {
    for (admits, expected) in [
        (true, ["cannot be brought to where it was", "it is full"]),
        (false, ["has come back, and answers otherwise than before", "restores no states"]),
    ] {
        let dial =
            move |_| Ok(Mortal::to(Box::new(Unrestorable { inner: TwoMasses::default(), admits }), 1000));
        let greeting = Greeting::new("masses", Mortal::new(300), Vec::new(), DEADLINE);
        let mut far = greeting.on_loss(OnLoss::Resume(Duration::from_secs(20)), dial).finish().unwrap();
        let mut step = |index| {
            far.begin(step(index), &[0.0; 3]).map(drop)?;
            far.commit(&loads(index)).map(drop)
        };
        let error = (0..200).find_map(|index| step(index).err()).unwrap().to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    }
}

/// Two masses of half the weight, which nothing but a matrix tells while no load acts.
struct Lighter {
    inner: TwoMasses,
    response: StepResponse,
}

impl Subsystem for Lighter {
    pass_on!(inner: description, rows, energy, discard, observe, save, restore, statistics, commit);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.response.clone_from(self.inner.begin(step, start_loads)?);
        self.response.inverse_mass.scale(2.0);
        Ok(&self.response)
    }
}

#[test]
fn one_that_comes_back_with_another_inverse_mass_is_another_one() {
    let dial = |_| {
        let lighter = Lighter { inner: TwoMasses::default(), response: StepResponse::zeros(3) };
        Ok(Mortal::to(Box::new(lighter), 1000))
    };
    let greeting = Greeting::new("masses", Mortal::new(300), Vec::new(), DEADLINE);
    let mut far = greeting.on_loss(OnLoss::Resume(Duration::from_secs(20)), dial).finish().unwrap();
    let mut step = |index| {
        far.begin(step(index), &[0.0; 3]).map(drop)?;
        far.commit(&loads(index)).map(drop)
    };
    let error = (0..200).find_map(|index| step(index).err()).unwrap().to_string();
    assert!(error.contains("has come back with another inverse mass than before"), "{error}");
}

/// Two masses that cannot be saved, and count how often they are asked to.
struct Unsaved {
    inner: TwoMasses,
    asked: Arc<AtomicU32>,
}

impl Subsystem for Unsaved {
    pass_on!(inner: description, rows, energy, discard, observe, restore, statistics);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.inner.begin(step, start_loads)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.inner.commit(loads)
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Err(self.unsupported("be saved"))
    }
}

#[test]
fn one_that_cannot_be_saved_comes_back_by_its_whole_run() {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&asked);
    let open = move |left| {
        Mortal::to(Box::new(Unsaved { inner: TwoMasses::default(), asked: Arc::clone(&counted) }), left)
    };
    let greeting = Greeting::new("masses", open(900), Vec::new(), DEADLINE);
    let dial = move |_| Ok(open(10_000));
    let mut far = greeting.on_loss(OnLoss::Resume(Duration::from_secs(20)), dial).finish().unwrap();
    let mut near = TwoMasses::default();
    for index in 0..500 {
        let (step, loads) = (step(index), loads(index));
        assert_eq!(far.begin(step, &[0.0; 3]).unwrap(), near.begin(step, &[0.0; 3]).unwrap());
        assert_eq!(far.commit(&loads).unwrap(), near.commit(&loads).unwrap());
        assert_eq!(bits(&far), bits(&near));
    }
    // Once in each greeting, for the size, and once in the run.
    assert_eq!(asked.load(Ordering::Relaxed), 2 + 1);
}
