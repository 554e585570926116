//! What joins the parts of a model.

use cosimo_master::{Connection, Interface, InterfaceLaw};
use cosimo_model::hint;
use cosimo_subsystem::Subsystem;

use super::model::Model;
use super::part::OwnPart;
use super::{ModelError, Part};

impl Model {
    /// Puts a subsystem in the place of the one of the same name, which the file describes or was added: what is joined or connected to it
    /// stays so, by the names of ports and signals. A file still describes the one replaced, with the same ports.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: there is no subsystem of this name; or the description contradicts itself.
    pub fn replace(&mut self, part: impl Subsystem + 'static) -> Result<Part, ModelError> {
        part.description().validate()?;
        let name = part.description().name.clone();
        let file = self.spec()?.map(|spec| spec.subsystems).unwrap_or_default();
        let own = self.parts.iter().map(|part| part.description().name.as_str());
        known("part", &name, &name, own.chain(file.iter().map(|own| own.name.as_str())))?;
        self.parts.retain(|own| own.description().name != name);
        self.parts.push(OwnPart::new(Box::new(part)));
        Ok(Part::new(name))
    }

    /// Joins two ports by a law; `Interface` says at what offset.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such port, with those there are. [`ModelError::NameTaken`].
    pub fn join(&mut self, interface: Interface) -> Result<Part, ModelError> {
        self.check_name(&interface.name)?;
        for (subsystem, port) in [&interface.a, &interface.b] {
            self.port_size(&format!("{subsystem}.{port}"))?;
        }
        let part = Part::new(interface.name.clone());
        self.interfaces.push(interface);
        Ok(part)
    }

    /// Joins two ports by a spring of this stiffness (N/m) in every coordinate, unstretched where the ports meet.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn spring(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
        stiffness: f64,
    ) -> Result<Part, ModelError> {
        self.spring_damper(name, a, b, (stiffness, 0.0))
    }

    /// Joins two ports by a spring (N/m) and a dashpot (N s/m) in every coordinate.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn spring_damper(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
        (stiffness, damping): (f64, f64),
    ) -> Result<Part, ModelError> {
        let size = self.port_size(a.as_ref())?;
        self.join(Interface::new(name, a, b, InterfaceLaw::spring(stiffness, damping, size)))
    }

    /// Joins two ports rigidly: impulses pass.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn rigid(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
    ) -> Result<Part, ModelError> {
        self.join(Interface::new(name, a, b, InterfaceLaw::Rigid))
    }

    /// Lets a load port act on a port: it takes its motion and answers with loads on it.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn load(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
    ) -> Result<Part, ModelError> {
        self.join(Interface::new(name, a, b, InterfaceLaw::Load))
    }

    /// Feeds an output to an input.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such signal of a part, with those there are. Signals of the file are looked up when a run starts.
    pub fn connect(
        &mut self,
        output: impl AsRef<str>,
        input: impl AsRef<str>,
    ) -> Result<&mut Self, ModelError> {
        let connection = Connection::new(output.as_ref(), input.as_ref());
        if let Some(part) = self.own_part(&connection.from.0) {
            let outputs = part.description().outputs.iter().map(|own| own.name.as_str());
            known("output", output.as_ref(), &connection.from.1, outputs)?;
        }
        if let Some(part) = self.own_part(&connection.to.0) {
            let inputs = part.description().inputs.iter().map(|own| own.name.as_str());
            known("input", input.as_ref(), &connection.to.1, inputs)?;
        }
        self.connections.push(connection);
        Ok(self)
    }

    fn own_part(&self, name: &str) -> Option<&OwnPart> {
        self.parts.iter().find(|part| part.description().name == name)
    }

    pub(super) fn check_name(&self, name: &str) -> Result<(), ModelError> {
        let is_interface = self.interfaces.iter().any(|own| own.name == name);
        let file = if is_interface { None } else { self.spec().ok().flatten() };
        let is_of_file = file.is_some_and(|spec| {
            let subsystems = spec.subsystems.iter().map(|own| &own.name);
            subsystems.chain(spec.interfaces.iter().map(|own| &own.name)).any(|own| own == name)
        });
        if is_interface || is_of_file || self.own_part(name).is_some() {
            return Err(ModelError::NameTaken { name: name.to_owned() });
        }
        Ok(())
    }

    /// Number of coordinates of a port, `subsystem.port`; zero of a file that cannot be read yet.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such port, with those there are.
    pub fn port_size(&self, full: &str) -> Result<usize, ModelError> {
        let (subsystem, port) = full.split_once('.').unwrap_or((full, ""));
        let ports = match self.own_part(subsystem) {
            Some(part) => {
                let description = part.description();
                let all = description.ports.iter().chain(&description.load_ports);
                all.map(|own| (own.name.clone(), own.size)).collect::<Vec<_>>()
            }
            None => {
                let Ok(file) = self.spec() else { return Ok(0) };
                let subsystems = file.map(|spec| spec.subsystems).unwrap_or_default();
                let own = self.parts.iter().map(|part| part.description().name.as_str());
                let names = own.chain(subsystems.iter().map(|own| own.name.as_str()));
                known("part", subsystem, subsystem, names)?;
                let found = subsystems.iter().find(|own| own.name == subsystem);
                let ports = found.map(|own| own.kind.ports()).unwrap_or_default();
                ports.into_iter().map(|own| (own.name, own.size)).collect()
            }
        };
        known("port", full, port, ports.iter().map(|(name, _)| name.as_str()))?;
        Ok(ports.iter().find(|(name, _)| name == port).map_or(0, |(_, size)| *size))
    }
}

/// Refuses a name that is not among those there are; `full` is how it was given.
fn known<'n>(
    what: &'static str,
    full: &str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> Result<(), ModelError> {
    let names: Vec<&str> = names.collect();
    if names.contains(&name) {
        return Ok(());
    }
    let help = hint(name, names.iter().copied());
    Err(ModelError::Unknown { what, name: full.to_owned(), help })
}
