//! Units of the entries of a model file, where an entry has one whatever else the file says.

use cosimo_control::ControlLaw;

use super::ModelSpec;
use crate::kinds::SubsystemKind;
use crate::spec::InterfaceSpec;

/// Keys of one list of tables of one kind of subsystem (empty: of the subsystem itself), and their unit.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

/// As in the reference of model files.
const UNITS: &[Row] = &[
    ("node", "", &["mass"], "kg"),
    ("node", "", &["inertia"], "kg m2"),
    ("node", "", &["radius", "position"], "m"),
    ("node", "", &["velocity"], "m/s"),
    ("node", "", &["angular_velocity"], "rad/s"),
    ("node", "", &["gravity"], "m/s2"),
    ("node", "", &["force"], "N"),
    ("node", "plane", &["point", "amplitude"], "m"),
    ("node", "plane", &["velocity"], "m/s"),
    ("node", "plane", &["frequency", "angular_velocity"], "rad/s"),
    ("node", "plane", &["phase"], "rad"),
    ("node", "load", &["time"], "s"),
    ("node", "load", &["value"], "N"),
    ("linear", "", &["mass"], "kg"),
    ("linear", "", &["stiffness"], "N/m"),
    ("linear", "", &["damping"], "N s/m"),
    ("linear", "", &["position"], "m"),
    ("linear", "", &["velocity"], "m/s"),
    ("linear", "", &["gravity"], "m/s2"),
    ("linear", "", &["force"], "N"),
    ("linear", "spring", &["stiffness"], "N/m"),
    ("linear", "spring", &["damping"], "N s/m"),
    ("linear", "spring", &["rest"], "m"),
    ("linear", "load", &["time"], "s"),
    ("linear", "load", &["value"], "N"),
    ("linear", "constraint", &["value"], "m"),
    ("linear", "contact", &["offset"], "m"),
    ("planar", "", &["gravity"], "m/s2"),
    ("planar", "body", &["mass"], "kg"),
    ("planar", "body", &["inertia"], "kg m2"),
    ("planar", "body", &["position"], "m"),
    ("planar", "body", &["angle"], "rad"),
    ("planar", "body", &["velocity"], "m/s"),
    ("planar", "body", &["angular_velocity"], "rad/s"),
    ("planar", "spring", &["stiffness"], "N/m"),
    ("planar", "spring", &["damping"], "N s/m"),
    ("planar", "spring", &["length"], "m"),
    ("rigid-body", "", &["mass"], "kg"),
    ("rigid-body", "", &["inertia"], "kg m2"),
    ("rigid-body", "", &["position"], "m"),
    ("rigid-body", "", &["velocity"], "m/s"),
    ("rigid-body", "", &["angular_velocity"], "rad/s"),
    ("rigid-body", "", &["gravity"], "m/s2"),
    ("rigid-body", "port", &["point"], "m"),
    ("multibody", "", &["gravity"], "m/s2"),
    ("multibody", "body", &["mass"], "kg"),
    ("multibody", "body", &["inertia"], "kg m2"),
    ("multibody", "body", &["position", "centre_of_mass"], "m"),
    ("multibody", "body", &["velocity"], "m/s"),
    ("multibody", "body", &["angular_velocity"], "rad/s"),
];

/// The same of forces of a multibody system, by their type.
const OF_FORCES: &[Row] = &[
    ("spring", "", &["stiffness"], "N/m"),
    ("spring", "", &["damping"], "N s/m"),
    ("spring", "", &["length"], "m"),
    ("spring", "", &["preload"], "N"),
    ("torsion-spring", "", &["stiffness"], "N m/rad"),
    ("torsion-spring", "", &["damping"], "N m s/rad"),
    ("torsion-spring", "", &["angle"], "rad"),
    ("sphere-plane", "", &["radius"], "m"),
    ("sphere-sphere", "", &["radii"], "m"),
    ("stop", "", &["limit"], "rad"),
];

fn look_up(rows: &[Row], kind: &str, list: &str, key: &str) -> Option<String> {
    let found =
        rows.iter().find(|(of, within, keys, _)| *of == kind && *within == list && keys.contains(&key));
    found.map(|(.., unit)| (*unit).to_owned())
}

impl ModelSpec {
    /// The unit of an [entry](Self::entry); none where it has none, or where that depends on what it is part of, as in matrices for lengths
    /// beside angles.
    #[must_use]
    pub fn entry_unit(&self, path: &str) -> Option<String> {
        match path.split('.').collect::<Vec<_>>()[..] {
            ["subsystem", name, ref rest @ ..] => self.unit_within(name, rest, path),
            ["interface", name, key] => {
                self.unit_of_interface(self.interfaces.iter().find(|own| own.name == name)?, key)
            }
            _ => None,
        }
    }

    fn unit_within(&self, name: &str, rest: &[&str], path: &str) -> Option<String> {
        let kind = &self.subsystems.iter().find(|own| own.name == name)?.kind;
        let (list, key) = match rest {
            [key] => ("", *key),
            [list, _, key] => (*list, *key),
            _ => return None,
        };
        match kind {
            SubsystemKind::Controller(own) if list.is_empty() => match &own.law {
                ControlLaw::Pid(_) => of_pid(&own.input_units, &own.output_units, key),
                _ => None,
            },
            SubsystemKind::Linear(own) if !own.angles.is_empty() => None,
            SubsystemKind::Multibody(_) if list == "force" => {
                let sort = self.entry(&format!("{}.type", path.rsplit_once('.')?.0))?;
                look_up(OF_FORCES, sort.as_str()?, "", key)
            }
            other => look_up(UNITS, other.name(), list, key),
        }
    }

    fn unit_of_interface(&self, interface: &InterfaceSpec, key: &str) -> Option<String> {
        let (_, shape) = self.port(interface.between[0])?;
        let unit = match (key, shape.is_angle) {
            _ if shape.is_frame => return None,
            ("stiffness", false) => "N/m",
            ("damping", false) => "N s/m",
            ("constant", false) => "m/N",
            ("offset", false) => "m",
            ("stiffness", true) => "N m/rad",
            ("damping", true) => "N m s/rad",
            ("offset", true) => "rad",
            _ => return None,
        };
        Some(unit.to_owned())
    }
}

/// Units of a control from those of its measurement `u` and its output `y`: gains `y/u`, `y/(u s)` and `y s/u`.
fn of_pid(inputs: &[String], outputs: &[String], key: &str) -> Option<String> {
    let [input, output] =
        [inputs, outputs].map(|units| Factors::of(units.first().map_or("", String::as_str)));
    let second = || Factors::of("s");
    let found = match key {
        "setpoint" => input,
        "lower" | "upper" | "start" => output,
        "filter" | "period" => second(),
        "proportional" => output.over(input),
        "integral" => output.over(input).over(second()),
        "derivative" => output.over(Factors::of("1/s")).over(input),
        _ => return None,
    };
    Some(found.text()).filter(|unit| !unit.is_empty())
}

/// A unit as symbols above and below the line.
struct Factors([Vec<String>; 2]);

impl Factors {
    fn of(unit: &str) -> Self {
        let mut all = [Vec::new(), Vec::new()];
        for (place, part) in unit.split('/').enumerate() {
            let symbols = part.split([' ', '(', ')']).filter(|symbol| !symbol.is_empty() && *symbol != "1");
            all[usize::from(place > 0)].extend(symbols.map(str::to_owned));
        }
        Self(all)
    }

    /// The quotient; what is above and below the line leaves it.
    fn over(self, other: Self) -> Self {
        let ([mut above, mut below], [divided, multiplied]) = (self.0, other.0);
        above.extend(multiplied);
        below.extend(divided);
        above.retain(|symbol| match below.iter().position(|own| own == symbol) {
            Some(place) => {
                below.remove(place);
                false
            }
            None => true,
        });
        Self([above, below])
    }

    fn text(&self) -> String {
        let [above, below] = self.0.each_ref().map(|symbols| symbols.join(" "));
        let above = if above.is_empty() && !below.is_empty() { "1".to_owned() } else { above };
        match self.0[1].len() {
            0 => above,
            1 => format!("{above}/{below}"),
            _ => format!("{above}/({below})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of_pid;

    #[test]
    fn gains_of_a_control_are_ratios_of_its_units() {
        let of =
            |input: &str, output: &str, key: &str| of_pid(&[input.to_owned()], &[output.to_owned()], key);
        for (key, expected) in [
            ("setpoint", "rad/s"),
            ("upper", "N m"),
            ("filter", "s"),
            ("proportional", "N m s/rad"),
            ("integral", "N m/rad"),
            ("derivative", "N m s s/rad"),
        ] {
            assert_eq!(of("rad/s", "N m", key).as_deref(), Some(expected), "{key}");
        }
        assert_eq!(of("", "", "integral").as_deref(), Some("1/s"));
        assert_eq!(of("", "", "derivative").as_deref(), Some("s"));
        assert_eq!(of("", "", "proportional"), None);
        assert_eq!(of("m", "", "proportional").as_deref(), Some("1/m"));
        assert_eq!(of("m", "N", "proportional").as_deref(), Some("N/m"));
        assert_eq!(of("m", "N", "integral").as_deref(), Some("N/(m s)"));
    }
}
