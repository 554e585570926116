//! A contact with those around it, as a problem of its own.

use nalgebra::{SMatrix, SVector};

use crate::friction::by_contact::{of_contact, set_contact};
use crate::friction::{
    AlartCurnier, BlockMatrix, FrictionConfig, FrictionError, FrictionOutcome, FrictionProblem, GaussSeidel,
    GaussSeidelConfig, InteriorPoint,
};

/// Sweeps from the impulses at hand, Newton steps, sweeps from zero, and interior points, until one of them succeeds.
pub(super) const SWEEPS: usize = 96;
const NEWTON_STEPS: usize = 15;
const SWEEPS_FROM_ZERO: usize = 3000;
const INTERIOR_POINTS: usize = 40;
/// What round-off leaves, as a residual.
const SMALLEST: f64 = 1e-13;
/// No contact of the patch.
const NONE: usize = usize::MAX;

/// The patch at hand, and storage for the next.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    /// The contacts, nearest first, and the place of every contact among them.
    members: Vec<usize>,
    places: Vec<usize>,
    found: Vec<usize>,
    offset: Vec<f64>,
    friction: Vec<f64>,
    impulses: Vec<f64>,
    solvers: Solvers,
}

/// The methods for few contacts.
#[derive(Debug, Clone)]
struct Solvers {
    sweeps: GaussSeidel,
    newton: AlartCurnier,
    long_sweeps: GaussSeidel,
    interior: InteriorPoint,
    from_zero: Vec<f64>,
}

impl Patch {
    pub(super) fn new() -> Result<Self, FrictionError> {
        Ok(Self {
            members: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
            offset: Vec::new(),
            friction: Vec::new(),
            impulses: Vec::new(),
            solvers: Solvers::new()?,
        })
    }

    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// The contacts around `centre`: its neighbours, theirs, and so on, up to this number.
    pub(super) fn grow<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        centre: usize,
        size: usize,
    ) {
        let Self { members, places, found, .. } = self;
        if places.len() == problem.contacts() {
            members.iter().for_each(|member| places[*member] = NONE);
        } else {
            places.clear();
            places.resize(problem.contacts(), NONE);
        }
        members.clear();
        members.push(centre);
        places[centre] = 0;
        let mut next = 0;
        while next < members.len() && members.len() < size {
            found.clear();
            problem.delassus.neighbours(members[next], found);
            found.sort_unstable();
            for &contact in &*found {
                if places[contact] == NONE && members.len() < size {
                    places[contact] = members.len();
                    members.push(contact);
                }
            }
            next += 1;
        }
    }

    /// Solves the problem of the members, with all other impulses held, until the velocities miss the law by `wanted`
    /// (m/s), or by a `share` of what they did before; writes the impulses to `r`, and brings its trail up to date.
    pub(super) fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        (wanted, share): (f64, f64),
        r: &mut [f64],
        trail: &mut [f64],
    ) -> Result<(), FrictionError> {
        let matrix = self.assemble(problem, r, trail);
        let part = FrictionProblem::new(&matrix, &self.offset, &self.friction)?;
        let part = part.within(problem.budget);
        let relative = wanted / part.offset_norm().max(f64::MIN_POSITIVE);
        let tolerance = relative.max(share * part.residual(&self.impulses)).max(SMALLEST);
        self.solvers.solve(&part, tolerance, &mut self.impulses)?;
        for (k, &member) in self.members.iter().enumerate() {
            let found = of_contact::<D>(&self.impulses, k);
            let change = found - of_contact::<D>(r, member);
            set_contact(r, member, &found);
            problem.delassus.follow(member, &change, trail);
        }
        Ok(())
    }

    /// The blocks of `W` among the members; writes their velocities without their own impulses, and the impulses.
    fn assemble<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &[f64],
        trail: &[f64],
    ) -> BlockMatrix<D> {
        let Self { members, places, found, offset, friction, impulses, .. } = self;
        offset.clear();
        friction.clear();
        impulses.clear();
        BlockMatrix::from_rows(members.iter().map(|&member| {
            found.clear();
            problem.delassus.neighbours(member, found);
            // From contacts to their places among the members.
            found.iter_mut().for_each(|contact| *contact = places[*contact]);
            found.retain(|place| *place != NONE);
            found.sort_unstable();
            found.dedup();
            let block = |column: &usize| (*column, problem.delassus.between(member, members[*column]));
            let row: Vec<_> = found.iter().map(block).collect();
            let own = |sum: SVector<f64, D>, (column, block): &(usize, SMatrix<f64, D, D>)| {
                sum - block * of_contact::<D>(r, members[*column])
            };
            let velocity = row.iter().fold(problem.velocity(member, r, trail), own);
            offset.extend_from_slice(velocity.as_slice());
            impulses.extend_from_slice(of_contact::<D>(r, member).as_slice());
            friction.push(problem.friction[member]);
            row
        }))
    }
}

impl Solvers {
    fn new() -> Result<Self, FrictionError> {
        let tolerance = SMALLEST;
        let sweeps = |max_sweeps| {
            GaussSeidel::new(GaussSeidelConfig { tolerance, max_sweeps, ..GaussSeidelConfig::default() })
        };
        let config = |iterations| FrictionConfig { tolerance, max_iterations: Some(iterations) };
        Ok(Self {
            sweeps: sweeps(SWEEPS)?,
            newton: AlartCurnier::new(config(NEWTON_STEPS))?,
            long_sweeps: sweeps(SWEEPS_FROM_ZERO)?,
            interior: InteriorPoint::new(config(INTERIOR_POINTS))?,
            from_zero: Vec::new(),
        })
    }

    /// One method after the other, from the impulses at hand and from zero, until one of them succeeds; leaves the best.
    fn solve<const D: usize>(
        &mut self,
        part: &FrictionProblem<'_, D>,
        tolerance: f64,
        r: &mut [f64],
    ) -> Result<(), FrictionError> {
        let Self { sweeps, newton, long_sweeps, interior, from_zero } = self;
        let is_solved = |outcome: &FrictionOutcome| outcome.is_solved();
        sweeps.set_tolerance(tolerance);
        if is_solved(&sweeps.solve(part, r)?) {
            return Ok(());
        }
        newton.set_tolerance(tolerance);
        let outcome = newton.solve(part, r)?;
        if is_solved(&outcome) {
            return Ok(());
        }
        // The impulses at hand may lead nowhere, those of others to a solution far from them.
        from_zero.clear();
        from_zero.resize(r.len(), 0.0);
        long_sweeps.set_tolerance(tolerance);
        let again = long_sweeps.solve(part, from_zero)?;
        if again.residual < outcome.residual {
            r.copy_from_slice(from_zero);
        }
        if !is_solved(&again) {
            interior.set_tolerance(tolerance);
            let _ = interior.solve(part, r)?;
        }
        Ok(())
    }
}
