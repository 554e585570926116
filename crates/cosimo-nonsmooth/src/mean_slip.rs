//! Friction of slips that turn in the plane: against the mean of both ends of a span, not against that of its end.
//!
//! ```text
//!   P_T = −μ P_N (U₀ + U₁)/‖U₀ + U₁‖
//! ```
//!
//! A load over time acts all along its span. Against the slip of the end friction errs by half of what the slip turns by in a step, and
//! sliding along a curve was of order one; against the mean it is of order two, and works `P_T (U₀ + U₁)/2 ≤ 0` by itself. Along a line
//! both are one.
//!
//! The law is Coulomb's with `U_T + U₀` in place of `U_T`. It serves while the slip goes on: its end is within 60° of its start and at
//! least half as fast, and all impulses together change it by at most half of `‖U₀ + U₁‖`, so that what disturbs the direction dies away
//! and does not alternate. Other contacts, those that begin to slide or stop, keep the law of the end.

use crate::coefficients::SlipsBefore;
use crate::laws::ActiveContacts;

/// Cosine of the angle up to which a slip goes on, the share of its speed that is left, and that of twice its mean by which impulses
/// change it.
const GOES_ON: f64 = 0.5;

/// Contacts of a problem that slide against their mean slip.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeanSlips {
    /// `U₀` of their slip rows, zero of others.
    shift: Vec<f64>,
    is_any: bool,
    /// Whether some have been left to the law of the end.
    has_left: bool,
}

impl MeanSlips {
    /// For this many contacts.
    pub(crate) fn with_capacity(contacts: usize) -> Self {
        Self { shift: Vec::with_capacity(3 * contacts), ..Self::default() }
    }

    /// Takes the contacts that slide in a plane at the start of a span of loads.
    pub(crate) fn start(
        &mut self,
        ActiveContacts { set, laws }: ActiveContacts<'_>,
        before: &impl SlipsBefore,
        rows: usize,
    ) {
        (self.is_any, self.has_left) = (false, false);
        let slides = |c: usize| {
            laws.slips(c).len() > 1
                && laws.is_frictional(c)
                && !laws.is_faceted(c)
                && before.slides_under_load(c)
                && !before.sticks(c)
        };
        for &contact in set.iter().filter(|&&c| slides(c)) {
            if !std::mem::replace(&mut self.is_any, true) {
                self.shift.clear();
                self.shift.resize(rows, 0.0);
            }
            laws.slips(contact).for_each(|row| self.shift[row] = before.rate(row));
        }
    }

    /// Whether any contact slides against its mean slip.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }

    /// What is added to the slip of a row.
    pub(crate) fn of(&self, row: usize) -> f64 {
        if self.is_any { self.shift[row] } else { 0.0 }
    }

    /// Leaves the contacts whose slip does not go on to the law of the end, all where that has happened before; says whether there are
    /// any. `after` gives the slip at
    /// the end, and by how much the impulses have changed it.
    pub(crate) fn give_up(
        &mut self,
        ActiveContacts { set, laws }: ActiveContacts<'_>,
        impulses: &[f64],
        after: impl Fn(usize) -> [f64; 2],
    ) -> bool {
        let mut is_another = false;
        for &contact in set {
            let (mut start, mut end, mut twice_mean, mut change, mut along) =
                (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64, 0.0);
            for row in laws.slips(contact) {
                let (u0, [u1, by_impulses]) = (self.shift[row], after(row));
                (start, end, along) = (start.hypot(u0), end.hypot(u1), along + u0 * u1);
                (twice_mean, change) = (twice_mean.hypot(u0 + u1), change.hypot(by_impulses));
            }
            let goes_on =
                end >= GOES_ON * start && along >= GOES_ON * start * end && change <= GOES_ON * twice_mean;
            if start > 0.0 && impulses[contact] > 0.0 && !goes_on {
                laws.slips(contact).for_each(|row| self.shift[row] = 0.0);
                is_another = true;
            }
        }
        // One contact may bring another to this, but not all of them one by one.
        self.is_any &= !(is_another && std::mem::replace(&mut self.has_left, true));
        is_another
    }
}
