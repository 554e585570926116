//! How load ports answer motion.

use nalgebra::UnitQuaternion;

use super::Conformance;
use super::motion::{is_turn, moved_on};
use super::portrait::Portrait;
use super::purity::expect_undisturbed;
use super::rejections::{Rejection, expect_refused};
use super::report::{Finding, Found, ensure};
use super::run::Run;
use crate::{Description, InverseMass, LoadResponse, PortMotion, RowMatrix, StepLoads, SubsystemError};

/// The rule is of load ports: it does not apply without.
fn ensure_load_ports(setup: &Conformance<'_>) -> Found {
    match Run::new(setup).load_coordinates {
        0 => Err(Finding::NotApplicable("there are no load ports")),
        _ => Ok(()),
    }
}

/// [`Check::Respond`](super::Check::Respond)
pub(super) fn respond(setup: &Conformance<'_>) -> Found {
    ensure_load_ports(setup)?;
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let untouched = run.portrait()?;
        run.begin()?;
        let loads = run.plain_loads(Vec::new(), run.next_step());
        let other = moved_on(&loads.motion, run.subsystem.description());
        let first = response_to(&mut run, &loads.motion)?;
        let elsewhere = response_to(&mut run, &other)?;
        let again = response_to(&mut run, &loads.motion)?;
        first.ensure_same(&again, || format!("after {place} events, `respond` after another motion"))?;
        untouched.ensure_same(&run.portrait()?, || format!("after {place} events and `respond`"))?;
        run.begin()?;
        let after_begin = response_to(&mut run, &other)?;
        elsewhere
            .ensure_same(&after_begin, || format!("after {place} events, `respond` right after `begin`"))?;
        // The last motion was another one than that which is committed.
        run.commit(&loads)?;
        let mut direct = Run::at(setup, place)?;
        direct.begin()?;
        direct.commit(&loads)?;
        let expected = direct.portrait()?;
        expected
            .ensure_same(&run.portrait()?, || format!("`commit` after {place} events and other motions"))?;
    }
    Ok(())
}

fn response_to(run: &mut Run<'_>, motion: &PortMotion) -> Result<Portrait, SubsystemError> {
    Ok(Portrait::of_loads(run.subsystem.respond(motion)?))
}

/// [`Check::Motion`](super::Check::Motion)
pub(super) fn motions(setup: &Conformance<'_>) -> Found {
    ensure_load_ports(setup)?;
    let place = 2;
    let mut run = Run::at(setup, place)?;
    run.begin()?;
    let good = run.plain_loads(Vec::new(), run.next_step());
    for (text, motion, rejection) in bad_motions(&good.motion) {
        let result = run.subsystem.respond(&motion).map(|_| ());
        expect_refused(&format!("`respond` to {text}"), rejection, result)?;
        let loads = StepLoads { motion, ..good.clone() };
        expect_refused(&format!("`commit` with {text}"), rejection, run.subsystem.commit(&loads))?;
    }
    run.commit(&good)?;
    expect_undisturbed(setup, &mut run, place + 1, "refused motions")
}

/// Motions that must be refused.
fn bad_motions(good: &PortMotion) -> Vec<(String, PortMotion, Rejection)> {
    type Part = fn(&mut PortMotion) -> &mut Vec<f64>;
    let parts: [(&str, Part); 4] = [
        ("position at the start", |motion| &mut motion.start.positions),
        ("velocity at the start", |motion| &mut motion.start.velocities),
        ("position at the end", |motion| &mut motion.end.positions),
        ("velocity at the end", |motion| &mut motion.end.velocities),
    ];
    let mut bad = Vec::new();
    for (name, part) in parts {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut motion = good.clone();
            part(&mut motion)[0] = value;
            bad.push((format!("a {name} of {value}"), motion, Rejection::MotionNotFinite));
        }
        let mut motion = good.clone();
        part(&mut motion).push(0.0);
        bad.push((format!("a {name} too many"), motion, Rejection::MotionShape));
    }
    let mut motion = good.clone();
    motion.end.orientations.push(UnitQuaternion::identity());
    bad.push(("an orientation too many".to_owned(), motion, Rejection::MotionShape));
    bad
}

/// What a solver of states leaves in the loads that it finds, relative.
const ROUND_OFF: f64 = 1e-12;
/// Share of the way, and of the velocity, of the coordinate by which it is moved for a difference.
const KICK: f64 = 1e-4;

/// [`Check::LoadTangents`](super::Check::LoadTangents)
pub(super) fn tangents(setup: &Conformance<'_>) -> Found {
    ensure_load_ports(setup)?;
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        run.begin()?;
        let motion = run.plain_loads(Vec::new(), run.next_step()).motion;
        let answer = run.subsystem.respond(&motion)?.clone();
        let stated = [&answer.position_tangent, &answer.velocity_tangent];
        if run.capabilities.inverse_mass == InverseMass::Unknown {
            ensure(stated.iter().all(|matrix| matrix.is_empty()), || {
                "tangents are said to be unknown and are told".to_owned()
            })?;
            continue;
        }
        let shape = (run.load_coordinates, run.load_coordinates);
        ensure(stated.iter().all(|matrix| matrix.shape() == shape), || {
            format!("the tangents are {:?} and {:?}, not {shape:?}", stated[0].shape(), stated[1].shape())
        })?;
        for kind in [Coordinate::Position, Coordinate::Velocity] {
            expect_tangent(setup, &mut run, (&motion, &answer), kind, place)?;
        }
    }
    Ok(())
}

/// What of a load coordinate is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coordinate {
    Position,
    Velocity,
}

impl Coordinate {
    fn tangent(self, answer: &LoadResponse) -> &RowMatrix {
        match self {
            Self::Position => &answer.position_tangent,
            Self::Velocity => &answer.velocity_tangent,
        }
    }

    /// How far it is moved.
    fn kick(self, motion: &PortMotion, k: usize) -> f64 {
        match self {
            Self::Position => KICK * (motion.end.positions[k] - motion.start.positions[k]).abs().max(1e-5),
            Self::Velocity => KICK * motion.end.velocities[k].abs().max(1e-2),
        }
    }

    /// The motion with this coordinate moved at the end.
    fn moved(self, description: &Description, motion: &PortMotion, (k, by): (usize, f64)) -> PortMotion {
        let mut moved = motion.clone();
        match self {
            Self::Position => moved.end.positions[k] += by,
            Self::Velocity => moved.end.velocities[k] += by,
        }
        if is_turn(description, k) {
            for (first, place) in description.frames_of_loads() {
                let turn = nalgebra::Vector3::from_column_slice(&moved.end.positions[first + 3..first + 6]);
                moved.end.orientations[place] =
                    UnitQuaternion::from_scaled_axis(turn) * moved.start.orientations[place];
            }
        }
        moved
    }
}

/// Central differences of the loads at the end, column by column.
fn expect_tangent(
    setup: &Conformance<'_>,
    run: &mut Run<'_>,
    (motion, answer): (&PortMotion, &LoadResponse),
    kind: Coordinate,
    place: usize,
) -> Found {
    let description = run.subsystem.description().clone();
    let tangent = kind.tangent(answer);
    for column in 0..run.load_coordinates {
        let kick = kind.kick(motion, column);
        let mut loads_at = |by: f64| -> Result<Vec<f64>, SubsystemError> {
            let moved = kind.moved(&description, motion, (column, by));
            Ok(run.subsystem.respond(&moved)?.end.clone())
        };
        let (above, below) = (loads_at(kick)?, loads_at(-kick)?);
        let largest = above.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let allowed = setup.derivative_tolerance * tangent.column_amax(column) + ROUND_OFF * largest / kick;
        for row in 0..run.load_coordinates {
            let difference = (above[row] - below[row]) / (2.0 * kick);
            let stated = tangent.entry(row, column);
            ensure((difference - stated).abs() <= allowed, || {
                format!(
                    "after {place} events: the tangent [{row}, {column}] by the {kind:?} is {stated:e}, differences \
                     give {difference:e}"
                )
            })?;
        }
    }
    Ok(())
}

/// [`Check::AffineLoads`](super::Check::AffineLoads)
pub(super) fn affinity(setup: &Conformance<'_>) -> Found {
    ensure_load_ports(setup)?;
    if !Run::new(setup).capabilities.is_affine {
        return Err(Finding::NotApplicable("the loads are not affine"));
    }
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        run.begin()?;
        let motion = run.plain_loads(Vec::new(), run.next_step()).motion;
        let description = run.subsystem.description().clone();
        let at = run.subsystem.respond(&motion)?.end.clone();
        for column in (0..run.load_coordinates).filter(|k| !is_turn(&description, *k)) {
            for kind in [Coordinate::Position, Coordinate::Velocity] {
                let kick = 1e3 * kind.kick(&motion, column);
                let mut loads_at = |by: f64| -> Result<Vec<f64>, SubsystemError> {
                    let moved = kind.moved(&description, &motion, (column, by));
                    Ok(run.subsystem.respond(&moved)?.end.clone())
                };
                let (above, below) = (loads_at(kick)?, loads_at(-kick)?);
                for row in 0..at.len() {
                    let scale = above[row].abs().max(below[row].abs()).max(at[row].abs());
                    let bend = above[row] + below[row] - 2.0 * at[row];
                    ensure(bend.abs() <= setup.affine_tolerance * scale, || {
                        format!("load {row} is not affine in the {kind:?} of {column}: {bend:e} of {scale:e}")
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// [`Check::LoadWork`](super::Check::LoadWork)
pub(super) fn work(setup: &Conformance<'_>) -> Found {
    ensure_load_ports(setup)?;
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        run.begin()?;
        let loads = run.plain_loads(Vec::new(), run.next_step());
        let answer = run.subsystem.respond(&loads.motion)?.clone();
        let ledger = run.commit(&loads)?;
        let PortMotion { start, end } = &loads.motion;
        let (mut work, mut scale) = (0.0, 0.0);
        for k in 0..answer.end.len() {
            let mean = 0.5 * (answer.start[k] + answer.end[k]);
            let part = mean * (end.positions[k] - start.positions[k]);
            (work, scale) = (work - part, scale + part.abs());
        }
        ensure((ledger.port_work - work).abs() <= 1e-11 * scale, || {
            format!(
                "after {place} events the ledger has {:e} J of the ports, not {work:e} J",
                ledger.port_work
            )
        })?;
    }
    Ok(())
}
