//! Step responses from directional derivatives.
//!
//! What a unit says of the derivative of its motion with respect to loads, right after a step, is believed to be the change at the end of the
//! step for loads that are constant over it only where a repeated step has confirmed it: the standard means another derivative, that at once.

use cosimo_first_order::SystemError;
use cosimo_subsystem::{LoadWeights, MacroStep, StepResponse};

use super::row_layouts::AnswerLayout;
use super::running::{Running, refused};

/// Difference between derivatives told and found, relative, up to which they are believed.
const BELIEF: f64 = 1e-3;
/// Change of velocities, relative to them, that the trial makes.
const CHANGE: f64 = 1e-4;
/// Speed (m/s) of what stands still.
const SLOW: f64 = 1e-2;
/// Difference between what positions and velocities of all rows have for a ratio, relative.
const SAME: f64 = 1e-6;

/// Asks a unit for its response to loads.
#[derive(Debug)]
pub(crate) struct Answers {
    layout: AnswerLayout,
    /// `χ/h`, position change per velocity change and step, of the last answer.
    position_weight: f64,
    /// Loads on the rows, and what they are in the call.
    kick: Vec<f64>,
    seed: Vec<f64>,
    change: Vec<f64>,
    is_known: bool,
}

impl Answers {
    /// Believes the unit if a step of this size (s), repeated from its present state, confirms what it says.
    pub(crate) fn confirmed(
        layout: &AnswerLayout,
        running: &mut Running,
        step: MacroStep,
        start_values: &[f64],
    ) -> Result<Option<Self>, SystemError> {
        let start = running.instance.save_state().map_err(refused)?;
        let mut own = Self {
            kick: vec![0.0; layout.loads.places.len()],
            seed: vec![0.0; layout.loads.count],
            change: vec![0.0; layout.motion.count],
            layout: layout.clone(),
            position_weight: 0.0,
            is_known: false,
        };
        let agrees = own.compare(running, &start, step, start_values);
        running.instance.restore_state(&start).map_err(refused)?;
        running.write(start_values).map_err(refused)?;
        Ok(agrees?.then_some(own))
    }

    /// Whether differences of a step agree with what is told of it, under loads on all rows.
    fn compare(
        &mut self,
        running: &mut Running,
        start: &crate::binary::State,
        step: MacroStep,
        start_values: &[f64],
    ) -> Result<bool, SystemError> {
        let mut motion = vec![0.0; running.layout.read_names.len()];
        let all: Vec<f64> =
            (0..self.layout.loads.places.len()).map(|row| 1.0 + (0.618 * row as f64).fract()).collect();
        let base = self.moved(running, start, step, (start_values, &[]), &mut motion)?;
        self.kick.copy_from_slice(&all);
        let told = self.direction(running)?.to_vec();
        let largest = |own: &[f64]| own.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let rows = self.layout.loads.places.len();
        let told: Vec<f64> = self.layout.motion.places.iter().map(|place| told[*place]).collect();
        if !(largest(&told[..rows]) > 0.0 && largest(&told).is_finite()) {
            return Ok(false);
        }
        let kick = CHANGE * largest(&base[..rows]).max(SLOW) / largest(&told[..rows]);
        let kicked = |factor: f64| all.iter().map(|load| factor * kick * load).collect::<Vec<_>>();
        let above = self.moved(running, start, step, (start_values, &kicked(1.0)), &mut motion)?;
        let below = self.moved(running, start, step, (start_values, &kicked(-1.0)), &mut motion)?;
        let found: Vec<f64> = above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * kick)).collect();
        let agree = |told: &[f64], found: &[f64]| {
            let bound = BELIEF * largest(found);
            told.iter().zip(found).all(|(told, found)| (told - found).abs() <= bound)
        };
        Ok(agree(&told[..rows], &found[..rows])
            && agree(&told[rows..], &found[rows..])
            && self.weigh(step.size))
    }

    /// Takes what positions change by beside velocities, `χ`, from the last answer; whether it is one number for all rows.
    fn weigh(&mut self, size: f64) -> bool {
        let AnswerLayout { loads, motion, position_rows } = &self.layout;
        let told = |k: usize| self.change[motion.places[k]];
        let first = loads.places.len();
        let pairs = position_rows.iter().enumerate().map(|(k, row)| (told(first + k), told(*row)));
        let (along, squares) = pairs.clone().fold((0.0, 0.0), |(a, s), (z, v)| (a + z * v, s + v * v));
        let weight = along / squares;
        if !(squares > 0.0 && weight > 0.0) {
            return false;
        }
        let largest = pairs.clone().fold(0.0_f64, |most, (z, _)| most.max(z.abs()));
        let is_one = pairs.clone().all(|(z, v)| (z - weight * v).abs() <= SAME * largest);
        self.position_weight = weight / size;
        is_one
    }

    /// Velocities, then positions, at the end of a step from a state under further loads.
    fn moved(
        &self,
        running: &mut Running,
        start: &crate::binary::State,
        step: MacroStep,
        (start_values, loads): (&[f64], &[f64]),
        all: &mut [f64],
    ) -> Result<Vec<f64>, SystemError> {
        running.instance.restore_state(start).map_err(refused)?;
        let mut values = start_values.to_vec();
        for (index, load) in running.layout.map.load_inputs().into_iter().zip(loads) {
            values[index] += load;
        }
        running.write(&values).map_err(refused)?;
        let MacroStep { time, size } = step;
        let done = running.instance.do_step(time, size, false).map_err(refused)?;
        if done.reached < time + size * (1.0 - 1e-9) {
            return Err(SystemError::Refused { reason: "it does not take the step as a whole".to_owned() });
        }
        running.read(all).map_err(refused)?;
        let (rates, positions) = (running.layout.map.rate_outputs(), running.layout.map.position_outputs());
        let positions = self.layout.position_rows.iter().filter_map(|row| positions[*row]);
        Ok(rates.into_iter().chain(positions).map(|index| all[index]).collect())
    }

    /// Changes of motion for the loads of the kick.
    fn direction(&mut self, running: &mut Running) -> Result<&[f64], SystemError> {
        self.seed.fill(0.0);
        for (place, load) in self.layout.loads.places.iter().zip(&self.kick) {
            self.seed[*place] = *load;
        }
        let (unknowns, knowns) = (&self.layout.motion.references, &self.layout.loads.references);
        let asked = running.instance.directional_derivative(unknowns, knowns, &self.seed, &mut self.change);
        asked.map_err(refused)?;
        Ok(&self.change)
    }

    /// Weights of loads in a step of this size (s): they act by their means.
    pub(crate) fn weights(&self, size: f64) -> LoadWeights {
        let half = 0.5 * size;
        LoadWeights { end: half, start: half, position: self.position_weight * size, damping: half }
    }

    /// Writes the inverse mass of the step just taken as a whole, of this size (s). One that the unit cannot tell stays that of the step before.
    pub(crate) fn write(
        &mut self,
        running: &mut Running,
        size: f64,
        response: &mut StepResponse,
    ) -> Result<(), SystemError> {
        let (rows, mut is_new) = (self.layout.loads.places.len(), false);
        let mut largest = 0.0;
        for column in 0..rows {
            self.kick.fill(0.0);
            self.kick[column] = 1.0 / size;
            match self.direction(running).map(|_| ()) {
                Ok(()) => {}
                Err(error) if self.is_known && !running.instance.is_dead() => {
                    tracing::debug!("no derivatives of a step: {error}");
                    break;
                }
                Err(error) => return Err(error),
            }
            let matrix = response.inverse_mass.dense_mut();
            for (row, place) in self.layout.motion.places[..rows].iter().enumerate() {
                let entry = self.change[*place];
                is_new |= entry.to_bits() != matrix[(row, column)].to_bits();
                matrix[(row, column)] = entry;
            }
            // Inner steps may be others than in the step before, and begin anew: the weight is that of the row that moves most.
            if matrix[(column, column)] > largest {
                largest = matrix[(column, column)];
                self.weigh(size);
            }
        }
        let weights = self.weights(size);
        is_new |= weights != response.weights;
        response.weights = weights;
        self.is_known = true;
        response.revision += u64::from(is_new);
        Ok(())
    }
}
