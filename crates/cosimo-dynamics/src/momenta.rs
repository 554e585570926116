//! Momenta: what rows pass on in a step, whatever the rule.
//!
//! A rule integrates a load `ℓ` beside the motion, `ṗ = ℓ`, as it integrates accelerations. Counted from the communication point,
//! `p₀ = 0`, a step ends at
//!
//! ```text
//!   p₁ = p̂ + end ℓ₁        p̂ of loads of the past
//! ```
//!
//! A row that is to pass on the momentum `X` in the step therefore has the load `ℓ₁ = (X − p̂)/end` at its end: the rule then integrates
//! `v − M⁻¹Zᵀp`, with a `p` that is known at communication points. Rules that act by mean loads have `p̂ = 0`.

/// The load of a row as a rule remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RememberedLoad {
    /// `ℓ` at the communication point (N).
    pub load: f64,
    /// What else the rule remembers of it: its own.
    pub past: [f64; 2],
}

/// The quadrature `ṗ = ℓ` of a rule in one step, as a linear form of what it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadQuadrature {
    /// Weight (s) of the load at the end, `end`.
    pub end: f64,
    /// Weight (s) of the load at the start in `p̂`.
    pub start: f64,
    /// Weights of the past in `p̂`.
    pub past: [f64; 2],
    /// What the rule remembers of the step.
    pub memory: LoadMemory,
}

/// What a rule remembers of the load of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum LoadMemory {
    /// Nothing: loads are means.
    #[default]
    None,
    /// Load and momentum at the communication point before, `[ℓ₋₁, p₋₁]`, counted from the present one.
    TwoPoints,
    /// The algorithmic load and its rise, `[a, r]`, with
    ///
    /// ```text
    ///   a₀ = u ℓ₀ + a a + r r        a₁ = share_start ℓ₀ + share_memory a₀ + share_end ℓ₁
    ///   r₁ = w (ℓ₁ − ℓ₀) + (1 − w)(a₁ − a₀)
    /// ```
    Algorithmic {
        /// Weights of `ℓ₀`, `a` and `r` in `a₀`.
        at_start: [f64; 3],
        /// Shares of `ℓ₀`, `a₀` and `ℓ₁` in `a₁`.
        shares: [f64; 3],
        /// `w`.
        true_share: f64,
    },
}

impl LoadQuadrature {
    /// `p̂` (N s).
    #[inline]
    #[must_use]
    pub fn carried(&self, row: &RememberedLoad) -> f64 {
        self.start * row.load + self.past[0] * row.past[0] + self.past[1] * row.past[1]
    }

    /// Takes the step in which a row passes on the momentum `momentum` (N s).
    pub fn advance(&self, row: &mut RememberedLoad, momentum: f64) {
        let end = if self.end == 0.0 { 0.0 } else { (momentum - self.carried(row)) / self.end };
        let start = row.load;
        row.past = match self.memory {
            LoadMemory::None => [0.0; 2],
            LoadMemory::TwoPoints => [start, -momentum],
            LoadMemory::Algorithmic { at_start, shares, true_share } => {
                let first = at_start[0] * start + at_start[1] * row.past[0] + at_start[2] * row.past[1];
                let last = shares[0] * start + shares[1] * first + shares[2] * end;
                [last, true_share * (end - start) + (1.0 - true_share) * (last - first)]
            }
        };
        row.load = end;
    }
}

/// The momenta of all rows of a system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Momenta {
    rows: Vec<RememberedLoad>,
    /// `p̂` of the step begun (N s).
    carried: Vec<f64>,
    quadrature: LoadQuadrature,
    /// Whether any row has passed on a momentum since the rule began: others remember nothing.
    is_used: bool,
    /// Whether the loads are those of a beginning from which no step has been taken: they are not part of the state.
    is_fresh: bool,
}

impl Momenta {
    /// Of so many rows, none of which has passed on anything.
    #[must_use]
    pub fn zeros(rows: usize) -> Self {
        Self { rows: vec![RememberedLoad::default(); rows], carried: vec![0.0; rows], ..Self::default() }
    }

    /// Begins a step with this quadrature.
    pub fn begin(&mut self, quadrature: LoadQuadrature) {
        self.quadrature = quadrature;
        if self.is_used {
            let rows = self.carried.iter_mut().zip(&self.rows);
            rows.for_each(|(carried, row)| *carried = quadrature.carried(row));
        }
    }

    /// Whether the rule of the step begun remembers loads.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.quadrature.memory != LoadMemory::None
    }

    /// `p̂` of the step begun, one per row (N s); none where no row has ever passed on a momentum.
    #[must_use]
    pub fn carried(&self) -> Option<&[f64]> {
        (self.is_used && self.remembers()).then_some(&self.carried)
    }

    /// Takes `p̂` over `weight` off loads of all rows; whether there is any.
    pub fn take_off(&self, weight: f64, loads: &mut [f64]) -> bool {
        let Some(carried) = self.carried() else { return false };
        loads.iter_mut().zip(carried).for_each(|(load, carried)| *load -= carried / weight);
        true
    }

    /// Weight (s) of the load at the end of the step begun.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.quadrature.end
    }

    /// Takes the step begun with these momenta (N s); rows without an entry have none.
    pub fn commit(&mut self, momenta: &[f64]) {
        if !self.remembers() {
            return;
        }
        self.is_used |= momenta.iter().any(|x| *x != 0.0);
        self.is_fresh = false;
        if self.is_used {
            let quadrature = self.quadrature;
            let all = momenta.iter().copied().chain(std::iter::repeat(0.0));
            self.rows.iter_mut().zip(all).for_each(|(row, momentum)| quadrature.advance(row, momentum));
        }
    }

    /// Begins anew with these loads (N).
    pub fn restart(&mut self, loads: &[f64]) {
        let all = loads.iter().chain(std::iter::repeat(&0.0));
        for (row, load) in self.rows.iter_mut().zip(all) {
            *row = RememberedLoad { load: *load, past: [0.0; 2] };
        }
        self.is_used = loads.iter().any(|load| *load != 0.0);
        self.is_fresh = true;
    }

    /// Begins anew without loads.
    pub fn clear(&mut self) {
        if self.is_used {
            self.rows.fill(RememberedLoad::default());
        }
        (self.is_used, self.is_fresh) = (false, false);
    }

    /// How many numbers [`save`](Self::save) appends.
    #[must_use]
    pub fn saved_length(&self) -> usize {
        1 + 3 * self.rows.len()
    }

    /// Appends what the rule remembers.
    pub fn save(&self, out: &mut Vec<f64>) {
        if self.is_fresh {
            out.resize(out.len() + self.saved_length(), 0.0);
            return;
        }
        out.push(f64::from(u8::from(self.is_used)));
        out.extend(self.rows.iter().flat_map(|row| [row.load, row.past[0], row.past[1]]));
    }

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took; `None` when there are too few.
    pub fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let (is_used, saved) = saved.split_first()?;
        let own = saved.get(..3 * self.rows.len())?;
        for (row, values) in self.rows.iter_mut().zip(own.chunks_exact(3)) {
            *row = RememberedLoad { load: values[0], past: [values[1], values[2]] };
        }
        (self.is_used, self.is_fresh) = (*is_used != 0.0, false);
        Some(1 + own.len())
    }
}
