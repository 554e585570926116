//! Steps of one size are begun where the last one is taken. Nobody can tell from the numbers.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{bits, chain, stepper};
use cosimo_dynamics::{LinearRow, LinearRows, Stepper, Theta};

const H: f64 = 1e-2;

/// What may happen to a stepper.
#[derive(Debug, Clone, Copy)]
enum Event {
    Step(f64),
    /// A step of this size is begun, evaluated and given up.
    GiveUp(f64),
    PrepareJump(f64),
    Jump,
    Shift,
    Restore,
}

fn make() -> Stepper {
    let rows = LinearRows(vec![LinearRow::coordinate(0), LinearRow::dense(&[0.0, 0.5, -1.0, 2.0], 0.1)]);
    stepper(
        chain(4, (2.0, 300.0, 1.0)),
        Theta::new(0.6).unwrap(),
        rows,
        (&[0.1, 0.0, -0.2, 0.05], &[1.0, 0.0, 0.5, -2.0]),
    )
}

/// Goes back to where it is, so that nothing but the state is left.
fn forget(stepper: &mut Stepper) {
    let mut saved = Vec::new();
    stepper.save(&mut saved);
    stepper.restore(&saved).unwrap();
}

fn rows(stepper: &Stepper) -> Vec<u64> {
    let parts = [
        stepper.start_positions(),
        stepper.start_velocities(),
        stepper.end_positions(),
        stepper.end_velocities(),
        stepper.inverse_mass().as_slice(),
        &[stepper.formula().stage_velocity()],
    ];
    parts.concat().iter().map(|x| x.to_bits()).collect()
}

/// Lets it happen; returns the rows of all that was asked for.
fn happen(stepper: &mut Stepper, event: Event) -> Vec<Vec<u64>> {
    let loads = [0.3, -0.2];
    let mut seen = Vec::new();
    match event {
        Event::Step(h) => {
            let end = stepper.state().time + h;
            stepper.begin(h, &loads).unwrap();
            seen.push(rows(stepper));
            let work = stepper.commit(&loads, None).unwrap();
            stepper.set_time(end * (1.0 + f64::EPSILON));
            seen.push([work.port_work, work.dissipated, work.numerical].map(f64::to_bits).to_vec());
        }
        Event::GiveUp(h) => {
            stepper.begin(h, &loads).unwrap();
            stepper.evaluate(&loads);
            seen.push(rows(stepper));
        }
        Event::PrepareJump(h) => stepper.prepare_jump(h).unwrap(),
        Event::Jump => {
            stepper.prepare_jump(H).unwrap();
            stepper.jump(&loads).unwrap();
        }
        Event::Shift => {
            stepper.prepare_jump(H).unwrap();
            stepper.project_positions(&loads).unwrap();
        }
        Event::Restore => forget(stepper),
    }
    seen
}

#[test]
fn steps_begun_ahead_have_the_bits_of_others() {
    use Event::{GiveUp, Jump, PrepareJump, Restore, Shift, Step};
    let half = 0.5 * H;
    let steady = [Step(H); 3];
    let between = [
        &[PrepareJump(half)][..],
        &[Jump],
        &[Shift],
        &[Restore],
        &[GiveUp(H), GiveUp(H)],
        &[GiveUp(half)],
        &[Step(half)],
        &[Step(half), PrepareJump(H), Step(half), Step(half)],
        &[GiveUp(half), Restore, Jump],
    ];
    let (mut steadily, mut anew) = (make(), make());
    for event in between.iter().flat_map(|events| steady.iter().chain(*events)) {
        forget(&mut anew);
        assert_eq!(happen(&mut steadily, *event), happen(&mut anew, *event), "{event:?}");
        assert_eq!(bits(&steadily), bits(&anew), "{event:?}");
    }
    assert_eq!(steadily.factorizations(), anew.factorizations());
}

/// What was begun ahead belongs to the state that is left, not to an earlier one that comes back.
#[test]
fn an_earlier_state_that_comes_back_takes_the_same_step_again() {
    let mut stepper = make();
    let mut saved = Vec::new();
    stepper.save(&mut saved);
    let first = happen(&mut stepper, Event::Step(H));
    (0..3).for_each(|_| drop(happen(&mut stepper, Event::Step(H))));
    stepper.restore(&saved).unwrap();
    assert_eq!(happen(&mut stepper, Event::Step(H)), first);
}

#[test]
fn steady_steps_allocate_nothing() {
    let mut stepper = make();
    (0..3).for_each(|_| drop(happen(&mut stepper, Event::Step(H))));
    let allocated = allocation_counter::measure(|| {
        for _ in 0..10 {
            stepper.begin(H, &[0.0; 2]).unwrap();
            stepper.commit(&[0.1, 0.2], None).unwrap();
        }
    });
    assert_eq!(allocated.count_total, 0);
}
