//! A mass on a spring and a damper, `m a + d v + k x = F`, with all that FMUs may have.

use cosimo_fmi_export::{
    Change, EventOutcome, Experiment, ExportedUnit, Message, Severity, Step, StepOutcome, Value,
};

/// Size of the steps inside.
const INNER: f64 = 1e-3;

/// An oscillator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oscillator {
    data: Data,
    messages: Vec<Message>,
    answers: i32,
}

/// All that influences its future.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    force: f64,
    impulse: f64,
    held: bool,
    mass: f64,
    stiffness: f64,
    damping: f64,
    start_position: f64,
    alarm: f64,
    limit: i32,
    trouble: String,
    start: [f64; 2],
    position: f64,
    velocity: f64,
    steps: i32,
    time: f64,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            force: 0.0,
            impulse: 0.0,
            held: false,
            mass: 2.0,
            stiffness: 8.0,
            damping: 0.0,
            start_position: 1.0,
            alarm: -1.0,
            limit: 1_000_000,
            trouble: String::new(),
            start: [0.0; 2],
            position: 1.0,
            velocity: 0.0,
            steps: 0,
            time: 0.0,
        }
    }
}

impl Data {
    fn acceleration(&self, position: f64, velocity: f64) -> f64 {
        if self.held {
            return 0.0;
        }
        (self.force - self.damping * velocity - self.stiffness * position) / self.mass
    }

    /// Runge and Kutta's step of fourth order.
    fn advance(&mut self, h: f64) {
        let (x, v) = (self.position, if self.held { 0.0 } else { self.velocity });
        let k1 = (v, self.acceleration(x, v));
        let k2 = (v + h / 2.0 * k1.1, self.acceleration(x + h / 2.0 * k1.0, v + h / 2.0 * k1.1));
        let k3 = (v + h / 2.0 * k2.1, self.acceleration(x + h / 2.0 * k2.0, v + h / 2.0 * k2.1));
        let k4 = (v + h * k3.1, self.acceleration(x + h * k3.0, v + h * k3.1));
        self.position = x + h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
        self.velocity = v + h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
    }

    fn numbers(&self) -> [f64; 13] {
        [
            self.force,
            self.impulse,
            f64::from(u8::from(self.held)),
            self.mass,
            self.stiffness,
            self.damping,
            self.alarm,
            f64::from(self.limit),
            self.start_position,
            self.position,
            self.velocity,
            f64::from(self.steps),
            self.time,
        ]
    }

    fn of_numbers(n: &[f64]) -> Option<Self> {
        let &[
            force,
            impulse,
            held,
            mass,
            stiffness,
            damping,
            alarm,
            limit,
            start_position,
            position,
            velocity,
            steps,
            time,
        ] = n
        else {
            return None;
        };
        let (held, limit, steps) = (held != 0.0, limit as i32, steps as i32);
        let (trouble, start) = (String::new(), [0.0; 2]);
        Some(Self {
            force,
            impulse,
            held,
            mass,
            stiffness,
            damping,
            start_position,
            alarm,
            limit,
            trouble,
            start,
            position,
            velocity,
            steps,
            time,
        })
    }
}

impl Oscillator {
    fn tell(&mut self, severity: Severity, text: &str) {
        self.messages.push(Message { severity, text: text.to_owned() });
    }
}

impl ExportedUnit for Oscillator {
    type State = Data;

    fn set(&mut self, changes: &[Change]) -> Result<(), String> {
        let data = &mut self.data;
        for change in changes {
            match (change.scalar, change.value.clone()) {
                (0, Value::Real(value)) => data.force = value,
                (1, Value::Real(value)) => data.impulse = value,
                (2, Value::Boolean(value)) => data.held = value,
                (3, Value::Real(value)) if value > 0.0 => data.mass = value,
                (3, Value::Real(value)) => return Err(format!("a mass of {value} kg is not possible")),
                (4, Value::Real(value)) => data.stiffness = value,
                (5, Value::Real(value)) => data.damping = value,
                (6, Value::Real(value)) => data.start_position = value,
                (7, Value::Real(value)) => data.alarm = value,
                (8, Value::Integer(value)) => data.limit = value,
                (9, Value::Text(value)) => data.trouble = value,
                (10, Value::Real(value)) => data.start[0] = value,
                (11, Value::Real(value)) => data.start[1] = value,
                (scalar, value) => return Err(format!("{scalar} cannot be {value:?}")),
            }
        }
        Ok(())
    }

    fn values(&mut self) -> Result<Vec<Value>, String> {
        self.answers += 1;
        let data = &self.data;
        let (x, v) = (data.position, data.velocity);
        Ok(vec![
            Value::Real(data.force),
            Value::Real(data.impulse),
            Value::Boolean(data.held),
            Value::Real(data.mass),
            Value::Real(data.stiffness),
            Value::Real(data.damping),
            Value::Real(data.start_position),
            Value::Real(data.alarm),
            Value::Integer(data.limit),
            Value::Text(data.trouble.clone()),
            Value::Real(data.start[0]),
            Value::Real(data.start[1]),
            Value::Real(x),
            Value::Real(v),
            Value::Real(data.acceleration(x, v)),
            Value::Real(x),
            Value::Real(v),
            Value::Integer(data.steps),
            Value::Boolean(v != 0.0),
            Value::Text(if v < 0.0 { "fällt" } else { "steigt" }.to_owned()),
            Value::Real(0.5 * data.mass * v * v + 0.5 * data.stiffness * x * x),
            Value::Integer(self.answers),
        ])
    }

    fn enter_initialisation(&mut self, experiment: &Experiment) -> Result<(), String> {
        self.data.time = experiment.start;
        Ok(())
    }

    fn exit_initialisation(&mut self) -> Result<(), String> {
        let data = &mut self.data;
        data.position = data.start_position + data.start[0];
        data.velocity = data.start[1];
        self.tell(Severity::Information, "the oscillator is ready");
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<StepOutcome, String> {
        match self.data.trouble.as_str() {
            "panic" => panic!("the spring broke"),
            "abort" => {
                println!("the last words");
                std::process::abort()
            }
            "error" => return Err("the spring is stuck".to_owned()),
            "warning" => self.tell(Severity::Warning, "the spring creaks: 100 %s %n"),
            "noise" => (0..10_000).for_each(|line| println!("line {line} of a server that prints much")),
            _ => {}
        }
        let data = &mut self.data;
        let end = step.time + step.size;
        let event = step.time < data.alarm && data.alarm <= end;
        let short = event && step.may_end_early || data.trouble == "short";
        let reached = match data.trouble.as_str() {
            "short" => step.time + 0.5 * step.size,
            _ if short => data.alarm,
            _ => end,
        };
        let size = reached - step.time;
        let count = (size / INNER).ceil().max(1.0);
        (0..count as usize).for_each(|_| data.advance(size / count));
        data.time = reached;
        data.steps += 1;
        Ok(StepOutcome { reached, event, terminate: data.steps >= data.limit })
    }

    fn reset(&mut self) -> Result<(), String> {
        self.data = Data::default();
        Ok(())
    }

    fn enter_events(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn update_discrete_states(&mut self) -> Result<EventOutcome, String> {
        let data = &mut self.data;
        data.velocity += std::mem::take(&mut data.impulse) / data.mass;
        let next_event = (data.alarm > data.time).then_some(data.alarm);
        Ok(EventOutcome { again: false, terminate: false, next_event })
    }

    fn leave_events(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn save(&mut self) -> Result<Data, String> {
        Ok(self.data.clone())
    }

    fn restore(&mut self, state: &Data) -> Result<(), String> {
        self.data = state.clone();
        Ok(())
    }

    fn serialise(&mut self, state: &Data) -> Result<Vec<u8>, String> {
        Ok(state.numbers().into_iter().flat_map(f64::to_le_bytes).collect())
    }

    fn deserialise(&mut self, bytes: &[u8]) -> Result<Data, String> {
        let (numbers, rest) = bytes.as_chunks();
        let numbers: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        Data::of_numbers(&numbers)
            .filter(|_| rest.is_empty())
            .ok_or_else(|| "no oscillator has this state".to_owned())
    }

    fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, String> {
        if knowns.iter().any(|known| *known != 0) {
            return Err("derivatives are told for the force only".to_owned());
        }
        let force: f64 = seed.iter().sum();
        Ok(unknowns.iter().map(|unknown| if *unknown == 14 { force / self.data.mass } else { 0.0 }).collect())
    }

    fn messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }
}
