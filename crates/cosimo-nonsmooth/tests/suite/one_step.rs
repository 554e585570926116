//! What holds for every one-step problem: Signorini's condition and Newton's law at the end of the step, independence
//! of the numbering, memory.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{
    ContactChangeKind, ContactLaws, ContactMemory, ContactRows, ContactSolution, Hit, ImpactResolution,
    OneStepProblem, Partings, root_of_parabola,
};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

const STEP: f64 = 1e-3;

/// Rows of one step of the midpoint rule.
#[derive(Debug, Clone)]
struct Step {
    delassus: DMatrix<f64>,
    damped: DMatrix<f64>,
    start_gaps: DVector<f64>,
    start_rates: DVector<f64>,
    end_gaps: DVector<f64>,
    end_rates: DVector<f64>,
    laws: ContactLaws,
}

impl Step {
    fn rows(&self) -> ContactRows<'_> {
        ContactRows {
            time: 0.0,
            step: STEP,
            macro_step: STEP,
            damping_weight: 0.5 * STEP,
            position_weight: 0.5 * STEP,
            load_weight: STEP,
            start_gaps: self.start_gaps.as_slice(),
            start_rates: self.start_rates.as_slice(),
            lengths: &[],
            speeds: &[],
            end_gaps: self.end_gaps.as_slice(),
            end_rates: self.end_rates.as_slice(),
            laws: &self.laws,
            delassus: (&self.delassus).into(),
            damped: &self.damped,
            impacts: None,
            partings: None,
            impact_lead: None,
        }
    }

    fn len(&self) -> usize {
        self.laws.len()
    }

    fn solve(&self, resolution: ImpactResolution) -> (ContactSolution, Vec<ContactMemory>) {
        let mut memory = vec![ContactMemory::OPEN; self.len()];
        let mut problem = OneStepProblem::new(self.len(), resolution);
        let solution = problem.solve(&self.rows(), &mut memory).unwrap().clone();
        (solution, memory)
    }

    /// Gaps and rates at the end with the impulses.
    fn end(&self, solution: &ContactSolution) -> (DVector<f64>, DVector<f64>) {
        let vector = |x: &[f64]| DVector::from_column_slice(x);
        let (sustained, m) = (vector(&solution.sustained), &solution.moments);
        let rates = &self.end_rates + &self.delassus * (&sustained + vector(&m.velocity));
        let gaps = &self.end_gaps + &self.delassus * (0.5 * STEP * sustained + vector(&m.position));
        if self.damped.is_empty() {
            return (gaps, rates);
        }
        (gaps + &self.damped * vector(&m.position_damped), rates + &self.damped * vector(&m.velocity_damped))
    }

    /// The contacts in another order.
    fn permuted(&self, order: &[usize]) -> Self {
        let pick = |x: &DVector<f64>| DVector::from_iterator(order.len(), order.iter().map(|&i| x[i]));
        Self {
            delassus: self.delassus.select_rows(order).select_columns(order),
            damped: if self.damped.is_empty() {
                self.damped.clone()
            } else {
                self.damped.select_rows(order).select_columns(order)
            },
            start_gaps: pick(&self.start_gaps),
            start_rates: pick(&self.start_rates),
            end_gaps: pick(&self.end_gaps),
            end_rates: pick(&self.end_rates),
            laws: ContactLaws::new(order.iter().map(|&i| (*self.laws.of(i), 0))),
        }
    }
}

fn vector(n: usize, range: std::ops::Range<f64>) -> impl Strategy<Value = DVector<f64>> {
    prop::collection::vec(range, n).prop_map(DVector::from_vec)
}

fn restitution() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.0..1.0]
}

/// One to five contacts, some of which are hit within the step.
fn step(is_damped: bool) -> impl Strategy<Value = Step> {
    (1..=5_usize).prop_flat_map(move |n| {
        let matrices =
            (vector(n * n, -1.0..1.0), vector(n * n, -1.0..1.0), prop::collection::vec(restitution(), n));
        let motion = (vector(n, 0.0..4e-3), vector(n, -5.0..2.0), vector(n, -40.0..20.0));
        (matrices, motion).prop_map(move |((g, d, restitutions), (start_gaps, start_rates, acceleration))| {
            let square = |x: DVector<f64>| {
                let x = DMatrix::from_column_slice(n, n, x.as_slice());
                &x * x.transpose() + 0.3 * DMatrix::<f64>::identity(n, n)
            };
            let end_rates = &start_rates + STEP * acceleration;
            let end_gaps = &start_gaps + 0.5 * STEP * (&start_rates + &end_rates);
            let damped = if is_damped { 2.0 * square(d) } else { DMatrix::zeros(0, 0) };
            Step {
                delassus: square(g),
                damped,
                start_gaps,
                start_rates,
                end_gaps,
                end_rates,
                laws: restitutions.into(),
            }
        })
    })
}

/// As `step`, all contacts hit at once at the start and no forces: Newton's law alone.
fn collision() -> impl Strategy<Value = Step> {
    (step(false), vector(5, -5.0..-0.1)).prop_map(|(step, rates)| {
        let n = step.len();
        let (gaps, rates) = (DVector::zeros(n), rates.rows(0, n).into_owned());
        Step {
            end_gaps: STEP * &rates,
            end_rates: rates.clone(),
            start_rates: rates,
            start_gaps: gaps,
            ..step
        }
    })
}

/// `0 ≤ P ⟂ U₁ + e min(U₀, 0) ≥ 0`.
fn assert_newton(step: &Step, rates: &DVector<f64>, solution: &ContactSolution) -> Result<(), TestCaseError> {
    for c in (0..step.len()).filter(|&c| step.end_gaps[c] <= 0.0) {
        let slack = rates[c] + step.laws.of(c).restitution * step.start_rates[c].min(0.0);
        let impulse = solution.impulses[c];
        prop_assert!(impulse >= 0.0 && slack >= -1e-11, "contact {c}: impulse {impulse}, slack {slack}");
        prop_assert!(impulse * slack < 1e-10, "contact {c}: impulse {impulse}, slack {slack}");
    }
    Ok(())
}

/// A light body between a wall and a heavy one that comes near: impacts without end in one step.
#[test]
fn a_squeezed_body_makes_no_energy() {
    let (ball, block) = (0.1, 100.0);
    let delassus =
        DMatrix::from_row_slice(2, 2, &[1.0 / ball, -1.0 / ball, -1.0 / ball, 1.0 / ball + 1.0 / block]);
    for (speed, approach) in [(-5.0, -1.0), (5.0, -1.0), (-0.1, -3.0), (40.0, -0.2)] {
        let rates = DVector::from_column_slice(&[speed, approach - speed]);
        let step = Step {
            start_gaps: DVector::from_column_slice(&[-5e-2, -6e-2]),
            end_gaps: DVector::from_column_slice(&[-5e-2, -6e-2]) + STEP * &rates,
            start_rates: rates.clone(),
            end_rates: rates.clone(),
            delassus: delassus.clone(),
            damped: DMatrix::zeros(0, 0),
            laws: ContactLaws::new([0.8, 0.5].map(|e| (ContactLaw::frictionless(e), 0))),
        };
        for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
            let (solution, _) = step.solve(resolution);
            let impulses = DVector::from_column_slice(&solution.sustained)
                + DVector::from_column_slice(&solution.moments.velocity);
            let change = impulses.dot(&(&rates + 0.5 * &delassus * &impulses));
            let kinetic = 0.5 * (ball * speed * speed + block * approach * approach);
            assert!(change <= 1e-12 * kinetic, "{resolution:?}, {speed} m/s: {change} J of {kinetic} J");
        }
    }
}

/// An elastic impact exchanges energy and does no work: what rounding leaves of that is no gain.
#[test]
fn elastic_impacts_gain_nothing() {
    for k in 1..200 {
        let (mass, speed) = (1.0 / (0.7 + 0.01 * f64::from(k)), 0.3 * f64::from(k).sqrt());
        let step = Step {
            start_gaps: DVector::from_element(1, 0.3 * STEP * speed),
            end_gaps: DVector::from_element(1, -0.7 * STEP * speed),
            start_rates: DVector::from_element(1, -speed),
            end_rates: DVector::from_element(1, -speed - 1e-2),
            delassus: DMatrix::from_element(1, 1, 1.0 / mass),
            damped: DMatrix::zeros(0, 0),
            laws: ContactLaws::new([(ContactLaw::frictionless(1.0), 0)]),
        };
        let (solution, _) = step.solve(ImpactResolution::SubStep);
        assert_eq!(solution.changes.len(), 1);
        assert!(solution.gains.is_empty(), "{:?}", solution.gains);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn newtons_law_holds_in_the_plain_scheme(step in step(false)) {
        let (solution, _) = step.solve(ImpactResolution::Plain);
        let (_, rates) = step.end(&solution);
        prop_assert!(!solution.has_moments);
        for c in (0..step.len()).filter(|&c| step.end_gaps[c] > 0.0) {
            prop_assert_eq!(solution.impulses[c], 0.0);
        }
        assert_newton(&step, &rates, &solution)?;
    }

    #[test]
    fn newtons_law_holds_at_simultaneous_impacts(step in collision()) {
        let (solution, _) = step.solve(ImpactResolution::SubStep);
        let (_, rates) = step.end(&solution);
        assert_newton(&step, &rates, &solution)?;
        // Both schemes are the same law here.
        let (plain, _) = step.solve(ImpactResolution::Plain);
        for (a, b) in solution.impulses.iter().zip(&plain.impulses) {
            prop_assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
        // With one coefficient for all, energy is only lost.
        let e = step.laws.of(0).restitution;
        prop_assert!((0..step.len()).any(|c| step.laws.of(c).restitution != e) || solution.work <= 1e-12);
    }

    #[test]
    fn signorinis_condition_holds_after_impacts_at_their_own_instants(step in step(false), damped in step(true)) {
        for step in [step, damped] {
            let (solution, memory) = step.solve(ImpactResolution::SubStep);
            let (gaps, rates) = step.end(&solution);
            for c in 0..step.len() {
                prop_assert!(solution.impulses[c] >= 0.0);
                if solution.has_moments {
                    // The way that an acceleration makes in a step.
                    prop_assert!(gaps[c] > -2e-4, "contact {c}: gap {}", gaps[c]);
                }
                if memory[c].is_closed() {
                    prop_assert!(rates[c].abs() < 1e-10, "contact {c}: rate {}", rates[c]);
                }
            }
            prop_assert!(solution.changes.is_sorted_by(|a, b| a.time <= b.time));
            let inside = |time: f64| (0.0..=STEP).contains(&time);
            prop_assert!(solution.changes.iter().all(|change| inside(change.time)), "{:?}", solution.changes);
        }
    }

    #[test]
    fn numbering_of_contacts_does_not_matter(step in step(true), seed in 0..120_usize) {
        let mut order: Vec<usize> = (0..step.len()).collect();
        let mut rest = seed;
        for i in (1..order.len()).rev() {
            order.swap(i, rest % (i + 1));
            rest /= i + 1;
        }
        for resolution in [ImpactResolution::Plain, ImpactResolution::SubStep] {
            let (solution, _) = step.solve(resolution);
            let (other, _) = step.permuted(&order).solve(resolution);
            let scale = solution.impulses.iter().fold(1.0, |m: f64, p| m.max(*p));
            for (i, &c) in order.iter().enumerate() {
                let parts = [
                    (solution.impulses[c], other.impulses[i]),
                    (solution.sustained[c], other.sustained[i]),
                    (solution.moments.position[c] / STEP, other.moments.position[i] / STEP),
                ];
                for (a, b) in parts {
                    prop_assert!((a - b).abs() < 1e-12 * scale, "{resolution:?}, contact {c}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn same_input_gives_the_same_bits(step in step(true)) {
        for resolution in [ImpactResolution::Plain, ImpactResolution::SubStep] {
            prop_assert_eq!(step.solve(resolution), step.solve(resolution));
        }
    }

    /// The first way down through zero of a parabola that ends below.
    #[test]
    fn root_of_parabola_is_a_root(y in 0.0..1.0, u in -2.0..2.0, end in -1.0..-1e-3) {
        let a = 2.0 * (end - y - u);
        let t = root_of_parabola(y, u, a, 1.0).unwrap();
        let (value, rate) = (y + t * (u + 0.5 * a * t), u + a * t);
        prop_assert!(value.abs() < 1e-12 && rate <= 1e-7 && (0.0..=1.0).contains(&t), "{t}: {value}, {rate}");
    }
}

#[test]
fn root_of_parabola_at_zero_is_the_return_or_the_start() {
    assert_eq!(root_of_parabola(0.0, -1.0, 3.0, 1.0), Some(0.0));
    assert_eq!(root_of_parabola(0.0, 0.0, -3.0, 1.0), Some(0.0));
    assert_eq!(root_of_parabola(0.0, 1.0, -4.0, 1.0), Some(0.5));
    assert_eq!(root_of_parabola(0.0, 1.0, 4.0, 1.0), None);
    assert_eq!(root_of_parabola(-1.0, -1.0, 0.0, 1.0), None);
    let tiny = root_of_parabola(1e-20, 1.0, -4.0, 1.0).unwrap();
    assert!((tiny - 0.5).abs() < 1e-15);
}

/// A contact with this gap and rate, under the acceleration `a`.
fn one(gap: f64, rate: f64, a: f64, e: f64) -> Step {
    let end = rate + STEP * a;
    Step {
        delassus: DMatrix::from_element(1, 1, 2.0),
        damped: DMatrix::zeros(0, 0),
        start_gaps: DVector::from_element(1, gap),
        start_rates: DVector::from_element(1, rate),
        end_gaps: DVector::from_element(1, gap + 0.5 * STEP * (rate + end)),
        end_rates: DVector::from_element(1, end),
        laws: vec![e].into(),
    }
}

#[test]
fn memory_holds_the_load_and_survives_saving() {
    let step = one(0.0, 0.0, -10.0, 0.5);
    let (solution, memory) = step.solve(ImpactResolution::SubStep);
    assert!((memory[0].load - 5.0).abs() < 1e-9 && memory[0].is_closed() && memory[0].quiet_steps == 0);
    assert_eq!(solution.changes.len(), 1);
    let (_, bounced) = one(1e-4, -1.0, -10.0, 0.5).solve(ImpactResolution::SubStep);
    assert!(!bounced[0].is_closed() && bounced[0].jump > 1.0);
    for m in [memory[0], bounced[0], ContactMemory::OPEN] {
        assert_eq!(ContactMemory::from_values(m.to_values()), m);
    }
}

#[test]
fn contact_that_is_pulled_is_released_and_a_bounced_one_learns_its_stiffness() {
    let mut memory = [ContactMemory { load: 5.0, ..ContactMemory::OPEN }];
    let mut problem = OneStepProblem::new(1, ImpactResolution::SubStep);
    let solution = problem.solve(&one(0.0, 0.0, 10.0, 0.5).rows(), &mut memory).unwrap();
    assert_eq!(solution.changes[0].kind, ContactChangeKind::Release);
    // From 5 N in the mean of the last step to 5 N of tension in this one: at the communication point.
    assert!(solution.changes[0].time.abs() < 1e-15 && !memory[0].is_closed());

    let bounce = one(1e-4, -1.0, -10.0, 0.5);
    let mut memory = [ContactMemory::OPEN];
    problem.solve(&bounce.rows(), &mut memory).unwrap();
    let after = one(1e-3, 0.5, -400.0, 0.5);
    assert!(ImpactResolution::SubStep.is_needed(&after.rows(), &memory));
    problem.solve(&after.rows(), &mut memory).unwrap();
    // The step takes back 0.39 m/s more than before, of a jump of 1.5 m/s.
    assert!((memory[0].stiffness - 0.39 / 1.5).abs() < 1e-3, "{:?}", memory[0]);
    assert!(!ImpactResolution::SubStep.is_needed(&after.rows(), &memory));
}

#[test]
fn data_that_are_not_finite_are_refused_and_leave_the_memory() {
    let mut memory = [ContactMemory { load: 1.0, ..ContactMemory::OPEN }];
    let before = memory;
    let step = one(f64::NAN, -1.0, 0.0, 0.5);
    assert!(OneStepProblem::new(1, ImpactResolution::SubStep).solve(&step.rows(), &mut memory).is_err());
    assert_eq!(memory, before);
}

/// The law at a communication point: a held contact that feels nothing of the impact stays closed, one that is thrown
/// open is released.
#[test]
fn collision_at_a_communication_point_holds_or_opens_closed_contacts() {
    let matrix = |coupling: f64| DMatrix::from_row_slice(2, 2, &[1.0, coupling, coupling, 1.0]);
    for (coupling, stays, kinds) in [
        (0.0, true, &[ContactChangeKind::Impact][..]),
        (-0.5, true, &[ContactChangeKind::Impact, ContactChangeKind::Impact]),
        (0.5, false, &[ContactChangeKind::Impact, ContactChangeKind::Release]),
    ] {
        let two = |x: f64, y: f64| DVector::from_column_slice(&[x, y]);
        let step = Step {
            delassus: matrix(coupling),
            damped: DMatrix::zeros(0, 0),
            start_gaps: two(0.0, 0.0),
            start_rates: two(-1.0, 0.0),
            end_gaps: two(0.0, 0.0),
            end_rates: two(-1.0, 0.0),
            laws: vec![0.5, 0.5].into(),
        };
        let mut memory = [ContactMemory::OPEN, ContactMemory { load: 3.0, ..ContactMemory::OPEN }];
        let mut problem = OneStepProblem::new(2, ImpactResolution::ClosedOnly);
        let solution = problem.collide(&step.rows(), &[Hit::bouncing(0)], &mut memory).unwrap();
        let found: Vec<_> = solution.changes.iter().map(|change| change.kind).collect();
        assert_eq!(found, kinds, "coupling {coupling}");
        assert_eq!(memory[1].is_closed(), stays, "coupling {coupling}");
        assert!(!memory[0].is_closed());
        let rates = &step.start_rates + &step.delassus * DVector::from_column_slice(&solution.sustained);
        assert!((rates[0] - 0.5).abs() < 1e-15 && rates[1] >= -1e-15);
    }
}

proptest! {
    /// A contact that is hit and comes back above zero inside the step: its end gap without impulse is open.
    #[test]
    fn an_impact_that_opens_again_within_the_step_is_not_missed(
        acceleration in 1.0..1e3_f64,
        turn in 0.1..0.9_f64,
        below in 0.06..0.3_f64,
        e in 0.0..1.0_f64,
    ) {
        // Turns back at `turn` of the step, below zero for `below` of it, but not at the end.
        prop_assume!(turn + 0.5 * below < 1.0 && turn > 0.5 * below);
        let rate = -acceleration * turn * STEP;
        let gap = 0.5 * acceleration * STEP * STEP * (turn * turn - 0.25 * below * below);
        let step = one(gap, rate, acceleration, e);
        prop_assert!(step.end_gaps[0] > 0.0);
        prop_assert!(ImpactResolution::SubStep.is_needed(&step.rows(), &[ContactMemory::OPEN]));
        let (solution, _) = step.solve(ImpactResolution::SubStep);
        let hit = (turn - 0.5 * below) * STEP;
        let before = rate + acceleration * hit;
        prop_assert!((solution.changes[0].time - hit).abs() < 1e-9 * STEP);
        prop_assert!((solution.changes[0].rate_after + e * before).abs() < 1e-9 * before.abs());
        let (gaps, rates) = step.end(&solution);
        let left = STEP - hit;
        prop_assert!((rates[0] - (acceleration * left - e * before)).abs() < 1e-9 * before.abs());
        prop_assert!((gaps[0] - left * (0.5 * acceleration * left - e * before)).abs() < 1e-9 * gaps[0]);
    }

    /// What is below zero for less than a twentieth of the step is within the error of the parabola.
    #[test]
    fn a_touch_shorter_than_parabolas_tell_is_none(turn in 0.1..0.9_f64, below in 0.0..0.049_f64) {
        let acceleration = 100.0;
        let gap = 0.5 * acceleration * STEP * STEP * (turn * turn - 0.25 * below * below);
        let step = one(gap, -acceleration * turn * STEP, acceleration, 0.5);
        prop_assert!(!ImpactResolution::SubStep.is_needed(&step.rows(), &[ContactMemory::OPEN]));
        prop_assert_eq!(step.solve(ImpactResolution::SubStep).0.impulses[0], 0.0);
    }
}

/// Where the rule remembers accelerations, an impact of the plain problem is an impulse inside the step, which moves gap and rate as
/// the load would, and so is what a closed contact passes on of it.
#[test]
fn impacts_of_the_plain_problem_may_be_impulses() {
    let laws = ContactLaws::from(vec![0.5, 0.0]);
    let (delassus, none) = (nalgebra::dmatrix![2.0, 0.5; 0.5, 1.0], nalgebra::DMatrix::zeros(0, 0));
    let rows = |impact_lead| ContactRows {
        time: 0.0,
        step: 0.1,
        macro_step: 0.1,
        damping_weight: 0.0,
        position_weight: 0.5 * STEP,
        load_weight: 0.1,
        start_gaps: &[0.02, 0.0],
        start_rates: &[-1.0, 0.0],
        lengths: &[],
        speeds: &[],
        end_gaps: &[-0.1, -0.05],
        end_rates: &[-1.4, -1.0],
        laws: &laws,
        delassus: (&delassus).into(),
        damped: &none,
        impacts: None,
        partings: None,
        impact_lead,
    };
    let solve = |lead| {
        let closed = ContactMemory { load: 1.0, ..ContactMemory::OPEN };
        let mut problem = OneStepProblem::new(2, ImpactResolution::Plain);
        problem.solve(&rows(lead), &mut [ContactMemory::OPEN, closed]).unwrap().clone()
    };
    let (load, impulse) = (solve(None), solve(Some(0.06)));
    assert!(load.sustained.iter().all(|p| *p > 0.0) && !load.has_moments, "{load:?}");
    assert_eq!(impulse.impulses, load.impulses);
    assert_eq!(impulse.sustained, [0.0, 0.0]);
    assert_eq!(impulse.moments.velocity, load.sustained);
    assert_eq!(impulse.moments.position, [0, 1].map(|c: usize| 0.06 * load.sustained[c]));
    assert_eq!(impulse.changes, load.changes);
}

/// A body of 1 kg that falls on a plane, joined to one of 3 kg behind it by what gives way to loads and is rigid to impacts: at the impact
/// both move as one, with what they have together, and Newton's law holds for that; inside the step, and by the plain problem that
/// serves for chatter.
#[test]
fn what_has_parted_meets_at_an_impact() {
    let (e, [own, behind]) = (0.5, [1.0, 3.0]);
    let [fast, slow] = [-2.0, -1.0];
    let together = (own * fast + behind * slow) / (own + behind);
    let (delassus, impacts) =
        (DMatrix::from_element(1, 1, 1.0 / own), DMatrix::from_element(1, 1, 1.0 / (own + behind)));
    let damped = DMatrix::zeros(0, 0);
    let laws = ContactLaws::new([(ContactLaw { restitution: e, ..ContactLaw::default() }, 0)]);
    let gap = 0.25 * STEP * -fast;
    let parted = [fast - together];
    let rows = ContactRows {
        time: 0.0,
        step: STEP,
        macro_step: STEP,
        damping_weight: 0.0,
        position_weight: 0.5 * STEP,
        load_weight: STEP,
        start_gaps: &[gap],
        start_rates: &[fast],
        lengths: &[],
        speeds: &[],
        end_gaps: &[gap + STEP * fast],
        end_rates: &[fast],
        laws: &laws,
        delassus: (&delassus).into(),
        damped: &damped,
        impacts: Some((&impacts).into()),
        partings: Some(Partings { start: &parted, end: &parted }),
        impact_lead: None,
    };
    let impulse = -(1.0 + e) * together * (own + behind);
    let stiff = ContactMemory { stiffness: 0.5, quiet_steps: 0, ..ContactMemory::OPEN };
    for (memory, before_end, weights) in
        [(ContactMemory::OPEN, 0.75 * STEP, [0.75, 0.25]), (stiff, 0.5 * STEP, [0.0, 1.0])]
    {
        let mut problem = OneStepProblem::new(1, ImpactResolution::SubStep);
        let solution = problem.solve(&rows, &mut [memory]).unwrap();
        assert!(solution.has_met());
        let (found, meetings) = (&solution.moments, &solution.meetings);
        assert!((found.velocity[0] - impulse).abs() < 1e-12, "{found:?}");
        assert!((found.position[0] - before_end * impulse).abs() < 1e-12, "{found:?}");
        assert_eq!(solution.sustained, [0.0]);
        for k in 0..2 {
            assert!((meetings.velocity[k] - weights[k]).abs() < 1e-12, "{meetings:?}");
            assert!((meetings.position[k] - before_end * weights[k]).abs() < 1e-12, "{meetings:?}");
        }
        let change = solution.changes[0];
        assert!((change.rate_before - together).abs() < 1e-12, "{change:?}");
        assert!((change.rate_after + e * together).abs() < 1e-12, "{change:?}");
        // Meeting and the impact take out what is lost.
        let lost = 0.5 * (own + behind) * together * together * (1.0 - e * e);
        assert!((solution.work + lost).abs() < 1e-12, "{} J of {lost}", solution.work);
    }
}
