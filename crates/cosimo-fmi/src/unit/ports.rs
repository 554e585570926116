//! Mechanical ports among the variables.

use cosimo_first_order::{LoadPort, MotionPort, PortMap, Rotation};

use super::names::{Element, Names};
use super::row_layouts::RowElements;
use super::{PortOptions, UnitError, UnitOptions};
use crate::convention::MECHANICAL;
use crate::description::{Causality, Terminal};

/// A port by its variables.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct PortElements {
    name: String,
    position: Vec<Element>,
    velocity: Vec<Element>,
    force: Vec<Element>,
    orientation: Vec<Element>,
    angular_velocity: Vec<Element>,
    moment: Vec<Element>,
    gives_motion: bool,
}

/// The ports asked for; where none are, those of the terminals.
pub(crate) fn read_ports(names: &Names<'_>, options: &UnitOptions) -> Result<Vec<PortElements>, UnitError> {
    if !options.ports.is_empty() || options.ignores_terminals {
        return options.ports.iter().map(|port| read_port(names, port)).collect();
    }
    let terminals = names.description.terminals.iter();
    let mechanical = terminals.filter(|terminal| terminal.kind.as_deref() == Some(MECHANICAL));
    mechanical.map(|terminal| read_port(names, &of_terminal(names, terminal))).collect()
}

/// The variables that are a member of a terminal: one, or those named `member[1]`, `member[2]`, ….
fn called<'a>(terminal: &'a Terminal, wanted: &'a str) -> impl Iterator<Item = usize> + 'a {
    let members = terminal.members.iter().filter(move |member| {
        let name = member.member_name.as_deref().unwrap_or_default();
        name.split('[').next() == Some(wanted)
    });
    members.map(|member| member.variable)
}

/// The variable that is a member of a terminal.
pub(crate) fn member(terminal: &Terminal, wanted: &str) -> Option<usize> {
    called(terminal, wanted).next()
}

/// The elements of a member of a terminal.
pub(crate) fn members(
    names: &Names<'_>,
    terminal: &Terminal,
    wanted: &str,
) -> Result<Vec<Element>, UnitError> {
    let elements = called(terminal, wanted).map(|index| names.elements(&names.variable(index).name));
    Ok(elements.collect::<Result<Vec<_>, _>>()?.concat())
}

/// The variables of a terminal by the names of its members.
fn of_terminal(names: &Names<'_>, terminal: &Terminal) -> PortOptions {
    let called =
        |wanted: &str| called(terminal, wanted).map(|index| names.variable(index).name.clone()).collect();
    PortOptions {
        name: terminal.name.clone(),
        position: called("position"),
        velocity: called("velocity"),
        force: called("force"),
        orientation: called("orientation"),
        angular_velocity: called("angular_velocity"),
        moment: called("moment"),
    }
}

/// What an empty list of a port stands for: the members of the terminal of its name, else variables named after it.
fn look_up(names: &Names<'_>, port: &PortOptions) -> PortOptions {
    let terminal = names.description.terminals.iter().find(|terminal| terminal.name == port.name);
    let members = terminal.map(|terminal| of_terminal(names, terminal)).unwrap_or_default();
    let or = |given: &[String], member: &[String], role: &str| {
        if !given.is_empty() || !member.is_empty() {
            return if given.is_empty() { member.to_vec() } else { given.to_vec() };
        }
        let whole = format!("{}.{role}", port.name);
        if names.get(&whole).is_some() {
            return vec![whole];
        }
        (1..).map(|k| format!("{whole}[{k}]")).take_while(|name| names.get(name).is_some()).collect()
    };
    PortOptions {
        name: port.name.clone(),
        position: or(&port.position, &members.position, "position"),
        velocity: or(&port.velocity, &members.velocity, "velocity"),
        force: or(&port.force, &members.force, "force"),
        orientation: or(&port.orientation, &members.orientation, "orientation"),
        angular_velocity: or(&port.angular_velocity, &members.angular_velocity, "angular_velocity"),
        moment: or(&port.moment, &members.moment, "moment"),
    }
}

fn read_port(names: &Names<'_>, port: &PortOptions) -> Result<PortElements, UnitError> {
    let bad = |reason: String| UnitError::BadPort {
        unit: names.unit().to_owned(),
        port: port.name.clone(),
        reason,
    };
    let found = look_up(names, port);
    if found.force.is_empty() {
        return Err(bad("has no variables that are its loads; name them by `force`".to_owned()));
    }
    let list = |all: &[String]| -> Result<Vec<Element>, UnitError> {
        let elements: Result<Vec<_>, _> = all.iter().map(|name| names.elements(name)).collect();
        Ok(elements?.concat())
    };
    let elements = PortElements {
        name: port.name.clone(),
        position: list(&found.position)?,
        velocity: list(&found.velocity)?,
        force: list(&found.force)?,
        orientation: list(&found.orientation)?,
        angular_velocity: list(&found.angular_velocity)?,
        moment: list(&found.moment)?,
        gives_motion: false,
    };
    let gives_motion = elements.check_directions(names).map_err(bad)?;
    elements.check_frame().map_err(bad)?;
    if let Some(element) = elements.elements().find(|(index, _)| !names.variable(*index).kind.is_float()) {
        return Err(names.bad(element.0, "is no real variable, and a port needs such"));
    }
    Ok(PortElements { gives_motion, ..elements })
}

impl PortElements {
    pub(crate) fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        let (motion, loads) = self.motion_and_loads();
        motion.chain(loads)
    }

    /// Name of the port.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The rows of a port that gives motion.
    pub(crate) fn rows(&self) -> Option<RowElements> {
        let positions = self.position.iter().map(|own| Some(*own)).chain(self.moment.iter().map(|_| None));
        self.gives_motion.then(|| RowElements {
            loads: [self.force.as_slice(), &self.moment].concat(),
            velocities: [self.velocity.as_slice(), &self.angular_velocity].concat(),
            positions: positions.collect(),
        })
    }

    /// Whether the port gives motion and takes loads; otherwise it takes motion and gives loads.
    fn check_directions(&self, names: &Names<'_>) -> Result<bool, String> {
        let is_input = |element: &Element| names.variable(element.0).causality == Causality::Input;
        let (mut motion, mut loads) = self.motion_and_loads();
        let gives_motion = self.force.first().is_some_and(is_input);
        let wrong = motion
            .find(|x| is_input(x) == gives_motion)
            .or_else(|| loads.find(|x| is_input(x) != gives_motion));
        let [given, taken] = if gives_motion { ["outputs", "inputs"] } else { ["inputs", "outputs"] };
        match wrong {
            None => Ok(gives_motion),
            Some(element) => Err(format!(
                "has motion among the {given} and loads among the {taken}, but not `{}`",
                names.element_name(element)
            )),
        }
    }

    fn check_frame(&self) -> Result<(), String> {
        match [self.orientation.len(), self.angular_velocity.len(), self.moment.len()] {
            [0, 0, 0] | [4, 3, 3] => Ok(()),
            [q, w, m] => Err(format!(
                "has an orientation of {q} numbers, an angular velocity of {w} and a moment of {m}; a frame has 4, 3 and 3"
            )),
        }
    }

    fn motion_and_loads(
        &self,
    ) -> (impl Iterator<Item = Element> + Clone + '_, impl Iterator<Item = Element> + Clone + '_) {
        let motion =
            self.position.iter().chain(&self.velocity).chain(&self.orientation).chain(&self.angular_velocity);
        (motion.copied(), self.force.iter().chain(&self.moment).copied())
    }

    /// Adds the port to a map of scalars read and written.
    pub(crate) fn add_to(
        self,
        map: &mut PortMap,
        read: impl Fn(Element) -> usize,
        write: impl Fn(Element) -> usize,
    ) {
        let (motion, load): (&dyn Fn(Element) -> usize, &dyn Fn(Element) -> usize) =
            if self.gives_motion { (&read, &write) } else { (&write, &read) };
        let all = |elements: &[Element], place: &dyn Fn(Element) -> usize| {
            elements.iter().map(|x| place(*x)).collect()
        };
        let (positions, velocities, loads) =
            (all(&self.position, motion), all(&self.velocity, motion), all(&self.force, load));
        let rotation = (!self.orientation.is_empty()).then(|| Rotation {
            quaternion: std::array::from_fn(|k| motion(self.orientation[k])),
            angular_velocity: std::array::from_fn(|k| motion(self.angular_velocity[k])),
            moment: std::array::from_fn(|k| load(self.moment[k])),
        });
        if self.gives_motion {
            map.motion_ports.push(MotionPort { name: self.name, positions, velocities, loads, rotation });
        } else {
            map.load_ports.push(LoadPort { name: self.name, positions, velocities, loads, rotation });
        }
    }
}
