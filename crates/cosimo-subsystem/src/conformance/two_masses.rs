//! The reference subsystem: small, honest, and able to do everything.

use cosimo_mechanics::{Energy, StepEnergy};
use nalgebra::{Matrix2, Matrix2x3, Matrix3x2, Vector2, Vector3};

use crate::{
    Capabilities, ContactSpec, Description, InverseMass, LoadWeights, MacroStep, PortAttachment, PortSpec,
    Quantity, RowMatrix, RowState, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

/// Two masses on springs and dampers, one behind the other, stepped by the implicit midpoint rule: a subsystem to
/// test masters and transports with.
///
/// ```text
///   wall ─ k₁, d₁ ─ m₁ ─ k₂, d₂ ─ m₂   | gap | stop
/// ```
///
/// Ports `left` and `right` are the displacements (m) of the masses; the contact `stop` is at `right`. `m` = 1 and
/// 2 kg, `k` = 1000 and 500 N/m, `d` = 2 and 1 N s/m; the gap is 0.05 m where the springs are relaxed.
#[derive(Debug, Clone)]
pub struct TwoMasses {
    description: Description,
    q: Vector2<f64>,
    v: Vector2<f64>,
    rows: RowState,
    step: Tangent,
    jump: Tangent,
    begun: Option<Begun>,
    response: StepResponse,
    prepared: RowMatrix,
    reports_moves: bool,
    statistics: Statistics,
}

/// A step begun: its size and the velocity change without loads.
#[derive(Debug, Clone, Copy)]
struct Begun {
    size: f64,
    free: Vector2<f64>,
}

/// `J⁻¹`, `J⁻¹ Zᵀ` and `J⁻¹ C J⁻¹ Zᵀ` for steps of one size; size zero before the first.
#[derive(Debug, Clone, Default)]
struct Tangent {
    size: f64,
    inverse: Matrix2<f64>,
    motion: Matrix2x3<f64>,
    damped: Matrix2x3<f64>,
    /// `J⁻¹ K J⁻¹ Zᵀ`: what the stiffness takes back of moves.
    strain: Matrix2x3<f64>,
}

/// The gap (m) where the springs are relaxed.
const GAP: f64 = 0.05;

fn mass() -> Matrix2<f64> {
    Matrix2::new(1.0, 0.0, 0.0, 2.0)
}

fn stiffness() -> Matrix2<f64> {
    Matrix2::new(1500.0, -500.0, -500.0, 500.0)
}

fn damping() -> Matrix2<f64> {
    Matrix2::new(3.0, -1.0, -1.0, 1.0)
}

/// `Z`: both displacements, and the gap, which opens as the right mass moves on.
fn row_matrix() -> Matrix3x2<f64> {
    Matrix3x2::new(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
}

impl Tangent {
    /// `J = M + (h/2) C + (h/2)² K`; says whether it is new.
    fn prepare(&mut self, size: f64) -> bool {
        if self.size == size {
            return false;
        }
        let half = 0.5 * size;
        let j = mass() + half * damping() + half * half * stiffness();
        // Positive definite: M is, C and K are not indefinite.
        let determinant = j.m11 * j.m22 - j.m12 * j.m21;
        self.inverse = Matrix2::new(j.m22, -j.m12, -j.m21, j.m11) / determinant;
        self.motion = self.inverse * row_matrix().transpose();
        self.damped = self.inverse * damping() * self.motion;
        self.strain = self.inverse * stiffness() * self.motion;
        self.size = size;
        true
    }
}

impl Default for TwoMasses {
    /// The left mass displaced by 0.01 m, the right one moving at −0.2 m/s.
    fn default() -> Self {
        let mut new = Self {
            description: description(),
            q: Vector2::new(0.01, 0.0),
            v: Vector2::new(0.0, -0.2),
            rows: RowState { positions: vec![0.0; 3], velocities: vec![0.0; 3], ..RowState::default() },
            step: Tangent::default(),
            jump: Tangent::default(),
            begun: None,
            response: StepResponse { damped_inverse_mass: RowMatrix::zeros(3), ..StepResponse::zeros(3) },
            prepared: RowMatrix::zeros(3),
            reports_moves: false,
            statistics: Statistics::default(),
        };
        new.show();
        new
    }
}

fn description() -> Description {
    let port = |name: &str| PortSpec::new(name, 1);
    let quantity = |name: &str, unit: &str| Quantity { name: name.into(), unit: unit.into() };
    Description {
        name: "two-masses".into(),
        ports: vec![port("left"), port("right")],
        contacts: vec![ContactSpec {
            attachment: Some(PortAttachment { port: 1, direction: vec![1.0] }),
            ..ContactSpec::frictionless("stop", 0.5)
        }],
        quantities: vec![quantity("stretch", "m"), quantity("momentum", "N s")],
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            takes_impulses: true,
            takes_jumps: false,
            has_variable_step: true,
            takes_moves: true,
            lacks_momenta: false,
            captures_impacts: false,
            keeps_impacts: false,
            is_strain_free: false,
        },
        ..Description::default()
    }
}

fn energy(q: &Vector2<f64>, v: &Vector2<f64>) -> Energy {
    Energy { kinetic: 0.5 * v.dot(&(mass() * v)), potential: 0.5 * q.dot(&(stiffness() * q)) }
}

/// `Z q`, and the gap from its offset.
fn positions(q: &Vector2<f64>) -> Vector3<f64> {
    row_matrix() * q + Vector3::new(0.0, 0.0, GAP)
}

fn vector(loads: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(loads)
}

impl TwoMasses {
    /// Writes the rows of the present state.
    fn show(&mut self) {
        self.rows.positions.copy_from_slice(positions(&self.q).as_slice());
        self.rows.velocities.copy_from_slice((row_matrix() * self.v).as_slice());
    }

    /// End of the step begun with these impulses on the rows.
    fn end(&self, begun: Begun, impulses: &[f64]) -> (Vector2<f64>, Vector2<f64>) {
        let change = begun.free + self.step.motion * vector(impulses);
        let v = self.v + change;
        (self.q + begun.size * (self.v + 0.5 * change), v)
    }

    fn respond(&mut self, begun: Begun, impulses: &[f64]) -> &StepResponse {
        let (q, v) = self.end(begun, impulses);
        self.response.positions.copy_from_slice(positions(&q).as_slice());
        self.response.velocities.copy_from_slice((row_matrix() * v).as_slice());
        self.statistics.evaluations += 1;
        &self.response
    }

    fn check_size(&self, time: f64, size: f64) -> Result<(), SubsystemError> {
        if time.is_finite() && size.is_finite() && size > 0.0 {
            return Ok(());
        }
        let reason = "time must be finite, size positive and finite";
        Err(SubsystemError::BadStep {
            subsystem: self.description.name.clone(),
            time,
            size,
            reason: reason.into(),
        })
    }

    fn begun(&self, call: &'static str) -> Result<Begun, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    /// `J⁻¹ Zᵀ x` for the jump prepared.
    fn prepared_motion(&self, x: &[f64], call: &'static str) -> Result<Vector2<f64>, SubsystemError> {
        self.description.check_loads(x)?;
        if self.jump.size == 0.0 {
            return Err(SubsystemError::NotBegun {
                subsystem: self.description.name.clone(),
                call: call.into(),
            });
        }
        Ok(self.jump.motion * vector(x))
    }
}

impl Subsystem for TwoMasses {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        energy(&self.q, &self.v)
    }

    fn report_moves(&mut self, wanted: bool) {
        self.discard();
        self.reports_moves = wanted;
        self.response.move_mass = RowMatrix::zeros(if wanted { 3 } else { 0 });
        // The matrices are to be shown anew.
        self.step = Tangent::default();
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_size(step.time, step.size)?;
        self.description.check_loads(start_loads)?;
        let half = 0.5 * step.size;
        if self.step.prepare(step.size) {
            self.response.inverse_mass.dense_mut().copy_from(&(row_matrix() * self.step.motion));
            self.response.damped_inverse_mass.dense_mut().copy_from(&(row_matrix() * self.step.damped));
            if self.reports_moves {
                let moved = self.step.motion - half * half * self.step.strain;
                self.response.move_mass.dense_mut().copy_from(&(row_matrix() * moved));
            }
            self.response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
            self.response.revision += 1;
            self.statistics.factorizations += 1;
        }
        let force = -stiffness() * (self.q + half * self.v) - damping() * self.v;
        let begun = Begun { size: step.size, free: self.step.inverse * (step.size * force) };
        self.begun = Some(begun);
        Ok(self.respond(begun, &[0.0; 3]))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let begun = self.begun("evaluate")?;
        self.description.check_loads(impulses)?;
        Ok(self.respond(begun, impulses))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let begun = self.begun("commit")?;
        self.description.check_step_loads(loads)?;
        let m = &loads.moments;
        let before = self.energy().total();
        let (mut q, mut v) = self.end(begun, &loads.impulses);
        if loads.has_moves {
            let (moves, half) = (vector(&loads.moves), 0.5 * begun.size);
            q += (self.step.motion - half * half * self.step.strain) * moves;
            v -= half * self.step.strain * moves;
        }
        let moved = q - self.q;
        let (rows, mean) = (row_matrix() * moved, moved / begun.size);
        let work = |row: usize| loads.impulses[row] / begun.size * rows[row];
        let smooth = energy(&q, &v).total();
        if loads.has_moments {
            v += self.step.motion * vector(&m.velocity) + self.step.damped * vector(&m.velocity_damped);
            q += self.step.motion * vector(&m.position) + self.step.damped * vector(&m.position_damped);
        }
        let energy = energy(&q, &v);
        let (port_work, contact_work) = (work(0) + work(1), work(2));
        let dissipated = begun.size * mean.dot(&(damping() * mean));
        (self.q, self.v, self.begun) = (q, v, None);
        self.show();
        self.statistics.steps += 1;
        Ok(StepEnergy {
            energy,
            port_work,
            contact_work,
            external_work: 0.0,
            dissipated,
            inner_contacts: 0.0,
            jumps: energy.total() - smooth,
            numerical: smooth - before - port_work - contact_work + dissipated,
        })
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_size(0.0, size)?;
        if self.jump.prepare(size) {
            self.prepared.dense_mut().copy_from(&(row_matrix() * self.jump.motion));
            self.statistics.factorizations += 1;
        }
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.v += self.prepared_motion(impulses, "jump")?;
        self.show();
        Ok(())
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.q += self.prepared_motion(weights, "project_positions")?;
        self.show();
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        let momentum = (mass() * self.v).sum();
        out.copy_from_slice(&[self.q.y - self.q.x, momentum]);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[self.q.x, self.q.y, self.v.x, self.v.y])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let &[x, y, vx, vy] = values.as_slice() else {
            let reason = format!("{} numbers instead of 4", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        };
        (self.q, self.v, self.begun) = (Vector2::new(x, y), Vector2::new(vx, vy), None);
        self.statistics.rollbacks += 1;
        self.show();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
