//! The element as part of the equations of motion.

use std::sync::Arc;

use cosimo_multibody::spatial::{Element, ElementQuantity, Loads, Marker, Memory, Nodes, TangentBlocks};
use nalgebra::Vector3;

use super::attachment::Attachment;
use super::segments::Carried;
use crate::frame::FrameMotion;
use crate::rotor::{Rotor, RotorCourse};

/// A rotor whose bodies are found.
#[derive(Debug)]
pub(super) struct PlacedRotor {
    /// Names it in messages.
    owner: String,
    rotor: Arc<Rotor>,
    attachments: Vec<Attachment>,
    course: RotorCourse,
    /// Motion of the frames at the state accepted last.
    frames: Vec<FrameMotion>,
    /// Quantities there.
    observed: Vec<f64>,
    records_sections: bool,
    /// Whether it was reported that sections are faster than the data of their airfoils.
    has_warned: bool,
}

impl PlacedRotor {
    pub(super) fn new(owner: &str, rotor: Arc<Rotor>, markers: &[Marker], records_sections: bool) -> Self {
        Self {
            owner: owner.to_owned(),
            attachments: markers.iter().map(Attachment::new).collect(),
            course: RotorCourse::new(&rotor),
            frames: vec![FrameMotion::default(); rotor.frames()],
            observed: vec![0.0; rotor.quantities(records_sections).len()],
            records_sections,
            has_warned: false,
            rotor,
        }
    }

    fn carried<'a>(&'a self, time: f64, nodes: &'a Nodes<'a>) -> Carried<'a> {
        let Self { rotor, course, attachments, .. } = self;
        Carried { rotor, course, attachments, nodes, time }
    }

    fn read(&mut self, nodes: &Nodes<'_>) {
        let frames = self.frames.iter_mut().zip(&self.attachments).enumerate();
        frames.for_each(|(node, (frame, own))| *frame = own.at(nodes, node).motion);
    }

    /// Takes the quantities of the state accepted.
    fn observe_start(&mut self, time: f64) {
        let (loads, rotor) = (self.course.loads(), self.rotor.as_ref());
        loads.write_quantities(rotor, &self.frames, &mut self.observed);
        if !self.has_warned && loads.is_beyond_data(rotor) {
            self.has_warned = true;
            tracing::warn!(
                element = self.owner,
                time,
                largest = rotor.blade.largest_mach(),
                "sections are faster than the largest Mach number of an airfoil; its values there are used"
            );
        }
    }
}

impl Element for PlacedRotor {
    fn add_forces(&self, t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        if self.carried(t, nodes).add_loads(out).is_err() {
            // Told by `rejection`.
            let none = Vector3::repeat(f64::NAN);
            (0..nodes.len()).for_each(|node| out.add(node, &none, &none));
        }
    }

    fn add_tangents(&self, t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        // Without loads there are no tangents either.
        let _ = self.carried(t, nodes).add_tangents(out);
    }

    fn couples(&self, first: usize, second: usize) -> bool {
        let (first, second) = (first.min(second), first.max(second));
        let stations = self.rotor.blade.stations();
        let station = first.saturating_sub(1) % stations;
        let are_neighbours = first > 0 && second == first + 1 && station + 1 < stations;
        are_neighbours && self.rotor.blade.has_loads_from(station)
    }

    fn external_power(&self, t: f64, nodes: &Nodes<'_>) -> f64 {
        self.carried(t, nodes).power().unwrap_or(f64::NAN)
    }

    fn rejection(&self, t: f64, nodes: &Nodes<'_>) -> Option<String> {
        self.carried(t, nodes).power().err().map(|error| error.to_string())
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        let all = self.rotor.quantities(self.records_sections).into_iter();
        all.map(|own| ElementQuantity { name: own.name, unit: own.unit }).collect()
    }

    fn observe(&self, _t: f64, _nodes: &Nodes<'_>, out: &mut [f64]) {
        out.copy_from_slice(&self.observed);
    }

    fn start(&mut self, t: f64, nodes: &Nodes<'_>) {
        self.read(nodes);
        self.course.begin(&self.rotor, &self.frames, t);
        self.observe_start(t);
    }

    fn accept(&mut self, t: f64, nodes: &Nodes<'_>) {
        self.read(nodes);
        self.course.advance(&self.rotor, &self.frames, t);
        self.observe_start(t);
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.course.save(out);
        out.extend_from_slice(&self.observed);
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        self.course.restore(saved)?;
        for own in &mut self.observed {
            *own = *saved.next()?;
        }
        Some(())
    }
}
