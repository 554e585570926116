//! How far affine models were from true answers.

/// Error that the solvers of subsystems leave in velocities, relative to 1 m/s more than the current speed (–).
pub(crate) const OF_SOLVERS: f64 = 4e-12;
/// Share of the coupling residual before above which it does not fall any more.
const STALLED: f64 = 0.5;

/// How far the affine models were from the true answers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CouplingResidual {
    /// Largest difference in the rows' end velocities (m/s).
    pub(crate) difference: f64,
    /// Its row.
    row: usize,
    /// Largest speed of the rows (m/s).
    pub(crate) speed: f64,
    /// What the rounding of the rows' positions is worth as a difference (m/s).
    pub(crate) rounding: f64,
}

impl CouplingResidual {
    /// Whether this is all that subsystems can resolve: it does not fall any more, and is what rounding and their
    /// own solvers leave. Of models nearly at rest that is more than a tolerance relative to their speed allows.
    pub(crate) fn is_floor(self, before: Self) -> bool {
        self.difference > STALLED * before.difference
            && self.difference <= self.rounding + OF_SOLVERS * (1.0 + self.speed)
    }

    /// The difference relative to the rows' speeds (–), and its row.
    pub(crate) fn relative(self) -> (f64, usize) {
        (self.difference / self.speed.max(f64::MIN_POSITIVE), self.row)
    }

    /// Takes a difference in a row's end velocity (m/s) if it is the largest.
    pub(crate) fn note(&mut self, difference: f64, row: usize) {
        if difference > self.difference {
            (self.difference, self.row) = (difference, row);
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let worse = if other.difference > self.difference { other } else { self };
        Self { speed: self.speed.max(other.speed), rounding: self.rounding.max(other.rounding), ..worse }
    }
}
