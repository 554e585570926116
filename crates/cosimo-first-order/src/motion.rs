//! The states of a system under a step rule.

use cosimo_dynamics::rules::StepPlan;
use cosimo_dynamics::{CoordinateBlock, Coordinates, MotionState, StepFormula, StepRule};
use nalgebra::DMatrix;

use crate::course::InputCourse;
use crate::differences::Lineariser;
use crate::events::{crossing, locate};
use crate::stage::{StagePoint, StageSolver, check_finite};
use crate::{FirstOrderSystem, Linearisation, Point, SystemError};

/// Events in one step at most.
const EVENTS: u32 = 1000;
/// How narrowly an event is located, as a share of the step (–) and of the time.
const RESOLUTION: [f64; 2] = [1e-13, 4.0 * f64::EPSILON];
/// Part of a step after its end in which an event still belongs to it (–): what is due then is due at its end, but for rounding.
const MARGIN: f64 = 1e-12;

/// States `x` and rates `ẋ` under a rule: the rule's velocities are the states.
pub(crate) struct StateMotion {
    pub(crate) rule: Box<dyn StepRule>,
    pub(crate) state: MotionState,
    pub(crate) after: MotionState,
    /// Where the present step ends (s): sums of steps are rounded.
    end: f64,
    coordinates: Coordinates,
    plan: StepPlan,
    pub(crate) solver: StageSolver,
    /// Signs at the communication point.
    before_signs: Vec<f64>,
    after_signs: Vec<f64>,
    rule_saved: Vec<f64>,
    kept_state: MotionState,
    kept_matrix: (DMatrix<f64>, bool),
}

impl StateMotion {
    pub(crate) fn new(mut rule: Box<dyn StepRule>, time: f64, states: &[f64], indicators: usize) -> Self {
        let n = states.len();
        let mut state = MotionState { time, ..MotionState::default() };
        state.q.set_zeros(n);
        state.a.set_zeros(n);
        state.v.set_zeros(n);
        state.v.copy_from_slice(states);
        let coordinates = Coordinates::new([CoordinateBlock::Flat(n)]);
        rule.restart(&coordinates);
        Self {
            rule,
            after: state.clone(),
            kept_state: state.clone(),
            kept_matrix: (DMatrix::zeros(n, n), false),
            coordinates,
            plan: StepPlan::zeros(n),
            solver: StageSolver::new(n),
            before_signs: vec![0.0; indicators],
            after_signs: vec![0.0; indicators],
            end: time,
            rule_saved: Vec::new(),
            state,
        }
    }

    /// A step between these instants (s) begins. The present time becomes its start, unless an event lay after it by rounding.
    pub(crate) fn begin(&mut self, start: f64, end: f64) {
        self.state.time = self.state.time.max(start);
        self.end = end;
    }

    /// Finds the rates where the rule begins anew.
    pub(crate) fn find_rates<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        course: &mut InputCourse,
    ) -> Result<(), SystemError> {
        if !self.rule.needs_acceleration() {
            return Ok(());
        }
        let time = self.state.time;
        let point = Point { time, states: &self.state.v, inputs: course.at(time) };
        system.rates(point, &mut self.state.a)?;
        check_finite("the rate of state", time, &self.state.a)
    }

    /// Solves a step of size `h` (s) without events, into `after`.
    pub(crate) fn try_smooth<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        (lineariser, found): (&mut Lineariser, &mut Linearisation),
        h: f64,
        course: &mut InputCourse,
    ) -> Result<StepFormula, SystemError> {
        self.plan.make(self.rule.as_mut(), h, self.state.point(), &self.coordinates);
        let StepPlan { formula, prediction, .. } = &self.plan;
        self.after.a.copy_from_slice(&self.state.a);
        let time = self.state.time + formula.stage.time * h;
        let at = StagePoint {
            time,
            weight: formula.stage_velocity(),
            explicit: &prediction.velocity,
            inputs: course.at(time),
        };
        self.solver.solve(system, lineariser, (found, at), &mut self.after.a)?;
        let end = self.state.time + h;
        let is_whole = (end - self.end).abs() <= RESOLUTION[1] * end.abs().max(time.abs());
        self.after.time = if is_whole { self.end } else { end };
        for ((x, hat), w) in self.after.v.iter_mut().zip(prediction.velocity.iter()).zip(self.after.a.iter())
        {
            *x = hat + formula.end.velocity * w;
        }
        Ok(*formula)
    }

    /// Whether an event lies in the step just tried.
    pub(crate) fn holds_event<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        course: &mut InputCourse,
    ) -> Result<bool, SystemError> {
        let reach = reach(self.state.time, self.after.time);
        if system.next_event().is_some_and(|time| time <= reach) {
            return Ok(true);
        }
        if self.before_signs.is_empty() {
            return Ok(false);
        }
        indicators(system, &self.state, course, &mut self.before_signs)?;
        indicators(system, &self.after, course, &mut self.after_signs)?;
        Ok(crossing(&self.before_signs, &self.after_signs).is_some())
    }

    /// Takes a step to time `end` (s) with all events in it, the first from rates that are [found](Self::find_rates); returns how many there
    /// were.
    pub(crate) fn take<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        (lineariser, found): (&mut Lineariser, &mut Linearisation),
        end: f64,
        course: &mut InputCourse,
    ) -> Result<u32, SystemError> {
        let mut events = 0;
        let reach = reach(self.state.time, end);
        loop {
            let start = self.state.time;
            let mut due = system.next_event().filter(|time| *time <= reach);
            let planned = due.map_or(end, |time| time.clamp(start, end.max(start)));
            let mut is_event = due.is_some();
            if planned > start {
                let size = planned - start;
                if events > 0 {
                    self.find_rates(system, course)?;
                }
                self.try_smooth(system, (lineariser, found), size, course)?;
                let is_shorter = !self.before_signs.is_empty()
                    && self.shorten_to_event(system, (lineariser, found), size, course)?;
                if is_shorter {
                    (is_event, due) = (true, None);
                } else {
                    self.after.time = planned;
                }
                is_event |= self.accept(system, course)?;
            }
            if is_event {
                events += 1;
                if events > EVENTS {
                    return Err(SystemError::TooManyEvents { count: EVENTS, time: self.state.time });
                }
                self.state.time = due.map_or(self.state.time, |time| time.max(self.state.time));
                self.take_event(system, course)?;
            }
            // A rest that is rounding is none.
            if end - self.state.time <= RESOLUTION[1] * end.abs().max(self.state.time.abs()) {
                self.state.time = self.state.time.max(end);
                return Ok(events);
            }
        }
    }

    /// Makes the step just tried end right after the first change of a sign in it; whether there is one.
    fn shorten_to_event<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        (lineariser, found): (&mut Lineariser, &mut Linearisation),
        size: f64,
        course: &mut InputCourse,
    ) -> Result<bool, SystemError> {
        indicators(system, &self.state, course, &mut self.before_signs)?;
        indicators(system, &self.after, course, &mut self.after_signs)?;
        if crossing(&self.before_signs, &self.after_signs).is_none() {
            return Ok(false);
        }
        let resolution = (RESOLUTION[0] * size).max(RESOLUTION[1] * self.after.time.abs());
        let before = std::mem::take(&mut self.before_signs);
        let mut after = std::mem::take(&mut self.after_signs);
        let located = locate(size, resolution, &before, &mut after, |s, out| {
            self.try_smooth(system, (lineariser, found), s, course)?;
            indicators(system, &self.after, course, out)
        });
        (self.before_signs, self.after_signs) = (before, after);
        self.try_smooth(system, (lineariser, found), located?, course)?;
        Ok(true)
    }

    /// The step just tried is taken; whether the system asks for an event at its end.
    pub(crate) fn accept<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        course: &mut InputCourse,
    ) -> Result<bool, SystemError> {
        let h = self.after.time - self.state.time;
        self.rule.accept(h, self.state.point(), &self.after.a, false);
        std::mem::swap(&mut self.state, &mut self.after);
        self.solver.keep();
        let time = self.state.time;
        system.complete_step(Point { time, states: &self.state.v, inputs: course.at(time) })
    }

    /// What happens at the present time; the rule begins anew.
    pub(crate) fn take_event<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        course: &mut InputCourse,
    ) -> Result<(), SystemError> {
        let time = self.state.time;
        self.after.v.copy_from_slice(&self.state.v);
        system
            .take_event(Point { time, states: &self.after.v, inputs: course.at(time) }, &mut self.state.v)?;
        self.rule.restart(&self.coordinates);
        Ok(())
    }

    /// Marks state, rule and matrix for [`go_back`](Self::go_back).
    pub(crate) fn mark(&mut self) {
        self.rule_saved.clear();
        self.rule.save(&mut self.rule_saved);
        self.kept_state.clone_from(&self.state);
        self.kept_matrix.0.copy_from(&self.solver.kept);
        self.kept_matrix.1 = self.solver.has_kept;
    }

    /// Goes back to the mark.
    pub(crate) fn go_back(&mut self) {
        std::mem::swap(&mut self.after, &mut self.state);
        self.state.clone_from(&self.kept_state);
        self.solver.kept.copy_from(&self.kept_matrix.0);
        self.solver.has_kept = self.kept_matrix.1;
        self.rule.restore(&self.rule_saved);
    }

    /// Starts anew from changed states.
    pub(crate) fn restart(&mut self) {
        self.rule.restart(&self.coordinates);
    }

    /// Appends everything that influences the future.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        out.extend([self.state.time, f64::from(u8::from(self.solver.has_kept))]);
        out.extend_from_slice(&self.state.v);
        if self.rule.needs_acceleration() {
            out.resize(out.len() + self.state.a.len(), 0.0);
        } else {
            out.extend_from_slice(&self.state.a);
        }
        out.extend_from_slice(self.solver.kept.as_slice());
        self.rule.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; nothing is changed where it does not fit.
    pub(crate) fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let n = self.state.v.len();
        let own = 2 + 2 * n + n * n;
        let (values, rest) = saved.split_at_checked(own)?;
        self.mark();
        let Some(taken) = self.rule.restore(rest) else {
            self.rule.restore(&self.rule_saved);
            return None;
        };
        self.state.time = values[0];
        self.state.v.copy_from_slice(&values[2..2 + n]);
        self.state.a.copy_from_slice(&values[2 + n..2 + 2 * n]);
        self.solver.kept.copy_from_slice(&values[2 + 2 * n..]);
        self.solver.has_kept = values[1] != 0.0;
        Some(own + taken)
    }
}

/// The instant up to which events that are due belong to a step (s).
fn reach(start: f64, end: f64) -> f64 {
    end + (MARGIN * (end - start)).max(RESOLUTION[1] * end.abs().max(start.abs()))
}

fn indicators<S: FirstOrderSystem>(
    system: &mut S,
    state: &MotionState,
    course: &mut InputCourse,
    out: &mut [f64],
) -> Result<(), SystemError> {
    let time = state.time;
    system.indicators(Point { time, states: &state.v, inputs: course.at(time) }, out)?;
    check_finite("event indicator", time, out)
}
