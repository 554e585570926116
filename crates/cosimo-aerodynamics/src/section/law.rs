//! The law of the loads, see the equations of the module.

use super::lag::{AT_REST, Lags, Memory, Unsteady};
use super::{Air, SectionFlow, TipLoss, stall, wagner};
use crate::airfoil::Airfoil;
use crate::number::Number;

/// Speed (m/s) below which a section has no loads.
const STILL: f64 = 1e-9;

/// A section: its chord, airfoil and what surrounds it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section<'a> {
    /// Chord (m).
    pub(crate) chord: f64,
    pub(crate) airfoil: &'a dyn Airfoil,
    pub(crate) air: Air,
    /// Loss of lift at the tip, if there is any.
    pub(crate) tip_loss: Option<TipLoss>,
    /// What lags behind, and what is known of it.
    pub(crate) unsteady: Unsteady,
    pub(crate) memory: Memory,
}

/// Loads on a section per unit span, and the flow that makes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SectionLoads<T> {
    /// Force towards the leading edge (N/m).
    pub(crate) chordwise: T,
    /// Force towards the suction side (N/m).
    pub(crate) normal: T,
    /// Moment about the quarter chord, nose up (N).
    pub(crate) moment: T,
    /// Angle of attack (rad).
    pub(crate) alpha: f64,
    /// Mach number (–).
    pub(crate) mach: f64,
    /// What lags behind.
    pub(crate) lags: Lags,
}

impl<T: Number> SectionLoads<T> {
    /// Those of air at rest.
    fn none() -> Self {
        let zero = T::constant(0.0);
        Self { chordwise: zero, normal: zero, moment: zero, alpha: 0.0, mach: 0.0, lags: AT_REST }
    }

    /// Force along the rotor axis (N/m).
    pub(crate) fn along_axis(&self, flow: &SectionFlow<T>) -> T {
        self.chordwise * flow.axis_chordwise + self.normal * flow.axis_normal
    }
}

/// Components and size of the velocity at the three-quarter chord relative to the air.
pub(crate) struct Velocity<T> {
    chordwise: T,
    normal: T,
    /// `V` (m/s).
    pub(crate) speed: T,
    /// Sine of the angle between the flow and the disk.
    pub(crate) sine: T,
    lags: Lags,
}

impl Section<'_> {
    /// The loads in this flow.
    pub(crate) fn loads<T: Number>(&self, flow: &SectionFlow<T>) -> SectionLoads<T> {
        let velocity = self.velocity(flow);
        if velocity.speed.value() < STILL {
            return SectionLoads::none();
        }
        let Velocity { chordwise: w_c, normal: w_n, speed, sine, mut lags } = velocity;
        let (alpha, mach) = ((-w_n).atan2(w_c), speed * (1.0 / self.air.sound_speed));
        let of = self.airfoil.coefficients(alpha.value(), mach.value());
        let [lift, drag, moment] = [of.lift, of.drag, of.moment]
            .map(|c| T::chain_two((alpha, c.by_alpha), (mach, c.by_mach), c.value));
        let lift = match self.unsteady.stall_time_constant {
            Some(constant) => {
                let frequency = speed * (1.0 / (constant * self.chord));
                let flow = (alpha, mach, lift);
                let (lift, point) = stall::lagged_lift(self.memory, self.airfoil, flow, frequency);
                lags[0] = point.plain();
                lift
            }
            None => lift,
        };
        let lift = match &self.tip_loss {
            Some(tip) => lift * tip.factor(flow.radius, sine),
            None => lift,
        };
        let pressure = speed * (0.5 * self.air.density * self.chord);
        SectionLoads {
            chordwise: pressure * (-drag * w_c - lift * w_n),
            normal: pressure * (lift * w_c - drag * w_n),
            moment: pressure * speed * moment * self.chord,
            alpha: alpha.value(),
            mach: mach.value(),
            lags,
        }
    }

    /// The velocity relative to the air that the loads are made by.
    pub(crate) fn velocity<T: Number>(&self, flow: &SectionFlow<T>) -> Velocity<T> {
        let chordwise = flow.chordwise + flow.induced * flow.axis_chordwise;
        let normal = flow.normal + flow.induced * flow.axis_normal - flow.pitch_rate * (0.5 * self.chord);
        let size = |normal: T| (chordwise * chordwise + normal * normal).sqrt();
        let (mut normal, mut lags) = (normal, AT_REST);
        if self.unsteady.has_wagner {
            let memory = self.memory;
            let (effective, parts) = wagner::effective_normal(memory, normal, size(normal), 0.5 * self.chord);
            normal = effective;
            (lags[1], lags[2]) = (parts[0].plain(), parts[1].plain());
        }
        let speed = size(normal);
        let sine = if speed.value() < STILL {
            T::constant(0.0)
        } else {
            (chordwise * flow.axis_chordwise + normal * flow.axis_normal) / speed
        };
        Velocity { chordwise, normal, speed, sine, lags }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::airfoil::{AirfoilTable, ThinAirfoil};

    const STEADY: Memory = Memory::Held([-1.0, 0.0, 0.0]);

    fn flow() -> SectionFlow<f64> {
        SectionFlow {
            chordwise: 80.0,
            normal: -3.0,
            pitch_rate: 1.5,
            axis_chordwise: 0.1,
            axis_normal: 0.99,
            radius: 5.7,
            induced: 6.0,
            climb: 1.0,
            edgewise: 20.0,
            speed: 28.0,
        }
    }

    #[test]
    fn lift_and_drag_are_across_and_along_the_flow() {
        let airfoil = ThinAirfoil { drag: 0.02, ..ThinAirfoil::lifting(5.0) };
        let section = Section {
            chord: 0.5,
            airfoil: &airfoil,
            air: Air::default(),
            tip_loss: None,
            unsteady: Unsteady::default(),
            memory: STEADY,
        };
        let flow = SectionFlow { pitch_rate: 0.0, induced: 0.0, ..flow() };
        let loads = section.loads(&flow);
        let speed = 80.0_f64.hypot(3.0);
        let alpha = (3.0_f64 / 80.0).atan();
        let pressure = 0.5 * 1.225 * 0.5 * speed * speed;
        assert!((loads.alpha - alpha).abs() < 1e-15);
        let along = -(loads.chordwise * 80.0 - loads.normal * 3.0) / speed;
        let across = (loads.chordwise * 3.0 + loads.normal * 80.0) / speed;
        assert!((along - 0.02 * pressure).abs() < 1e-9 && (across - 5.0 * alpha * pressure).abs() < 1e-9);
    }

    #[test]
    fn nose_up_pitching_and_sinking_raise_the_angle_of_attack() {
        let airfoil = ThinAirfoil::lifting(5.0);
        let section = Section {
            chord: 0.5,
            airfoil: &airfoil,
            air: Air::default(),
            tip_loss: None,
            unsteady: Unsteady::default(),
            memory: STEADY,
        };
        let alpha = |pitch_rate: f64, normal: f64| {
            section.loads(&SectionFlow { pitch_rate, normal, induced: 0.0, ..flow() }).alpha
        };
        // At the three-quarter chord: (c/2) ω = 0.25 · 2 m/s.
        assert!((alpha(2.0, 0.0) - (0.5_f64 / 80.0).atan()).abs() < 1e-15);
        assert!((alpha(0.0, -0.5) - alpha(2.0, 0.0)).abs() < 1e-15);
    }

    #[test]
    fn derivatives_are_those_of_central_differences() {
        let airfoil = AirfoilTable::naca0012().unwrap();
        let tip_loss = Some(TipLoss { blades: 4.0, radius: 6.0 });
        let section = Section {
            chord: 0.5,
            airfoil: &airfoil,
            air: Air::default(),
            tip_loss,
            unsteady: Unsteady::default(),
            memory: STEADY,
        };
        for (chordwise, normal) in [(80.0, -3.0), (-20.0, 9.0), (1.0, -31.0), (150.0, 2.0)] {
            let at = SectionFlow { chordwise, normal, ..flow() };
            let dual = section.loads(&at.variables());
            let d = 1e-6;
            let difference = |change: fn(&mut SectionFlow<f64>, f64)| {
                let [up, down] = [d, -d].map(|step| {
                    let mut moved = at;
                    change(&mut moved, step);
                    section.loads(&moved)
                });
                [up.chordwise - down.chordwise, up.normal - down.normal, up.moment - down.moment]
                    .map(|x| x / (2.0 * d))
            };
            let changes: [fn(&mut SectionFlow<f64>, f64); 7] = [
                |f, x| f.chordwise += x,
                |f, x| f.normal += x,
                |f, x| f.pitch_rate += x,
                |f, x| f.axis_chordwise += x,
                |f, x| f.axis_normal += x,
                |f, x| f.radius += x,
                |f, x| f.induced += x,
            ];
            for (k, change) in changes.into_iter().enumerate() {
                let found = [dual.chordwise.by[k], dual.normal.by[k], dual.moment.by[k]];
                for (a, b) in found.iter().zip(difference(change)) {
                    assert!((a - b).abs() < 2e-5 * (1.0 + b.abs()), "{chordwise} {normal} {k}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn derivatives_with_a_separation_point_that_lags() {
        let airfoil = AirfoilTable::naca0012().unwrap();
        let unsteady = Unsteady { stall_time_constant: Some(4.0), has_wagner: true };
        let memory = Memory::Stepped([[0.4, -3.0], [-1.0, 5.0], [-4.0, 2.0]], 0.01);
        let (air, tip_loss) = (Air::default(), None);
        let section = Section { chord: 0.5, airfoil: &airfoil, air, tip_loss, unsteady, memory };
        for normal in [-14.3, -18.7, -30.1, -60.3] {
            let at = SectionFlow { chordwise: 80.0, normal, ..flow() };
            let found = section.loads(&at.variables()).normal.by[1];
            let [up, down] =
                [1e-6, -1e-6].map(|d| section.loads(&SectionFlow { normal: normal + d, ..at }).normal);
            let difference = (up - down) / 2e-6;
            assert!((found / difference - 1.0).abs() < 1e-6, "{normal}: {found} {difference}");
        }
    }

    #[test]
    fn air_at_rest_makes_no_loads() {
        let airfoil = AirfoilTable::naca0012().unwrap();
        let section = Section {
            chord: 0.5,
            airfoil: &airfoil,
            air: Air::default(),
            tip_loss: None,
            unsteady: Unsteady::default(),
            memory: STEADY,
        };
        let still = SectionFlow { chordwise: 0.0, normal: 0.0, pitch_rate: 0.0, induced: 0.0, ..flow() };
        let loads = section.loads(&still.variables());
        assert_eq!((loads.chordwise.value, loads.normal.value, loads.moment.value), (0.0, 0.0, 0.0));
        assert!(loads.normal.by.iter().all(|x| *x == 0.0));
    }
}
