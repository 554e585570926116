//! What an axis is called on which several quantities are shown.

/// Words that say what is measured; the last word of a quantity's name counts, axes and numbers left out.
const WORDS: [&str; 30] = [
    "acceleration",
    "angle",
    "deflection",
    "displacement",
    "distance",
    "drag",
    "elongation",
    "energy",
    "error",
    "force",
    "frequency",
    "gap",
    "height",
    "impulse",
    "length",
    "lift",
    "load",
    "moment",
    "momentum",
    "position",
    "power",
    "pressure",
    "residual",
    "speed",
    "stress",
    "temperature",
    "thrust",
    "torque",
    "twist",
    "velocity",
];

/// The name for quantities of one unit: the word in which all their names end, or what is measured in the unit where that is
/// plain; else it is empty.
pub(crate) fn axis_name<'n>(unit: &str, names: impl Iterator<Item = &'n str> + Clone) -> &'static str {
    let mut words = names.clone().map(word);
    if let Some(Some(first)) = words.next()
        && words.all(|word| word == Some(first))
    {
        return first;
    }
    match unit {
        "m" if names.clone().all(is_coordinate) => "position",
        "rad" => "angle",
        "m/s" => "velocity",
        "rad/s" => "angular velocity",
        "m/s²" => "acceleration",
        "N" => "force",
        // A torque turns a shaft; all others are moments.
        "N m" => "moment",
        "N s" => "impulse",
        "J" => "energy",
        "W" => "power",
        _ => "",
    }
}

/// The last word of a name that says what is measured.
fn word(name: &str) -> Option<&'static str> {
    let last = name.rsplit('.').next().unwrap_or_default();
    let words = last.split('_').map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let last = words.rev().find(|word| word.len() > 1)?;
    WORDS.into_iter().find(|word| *word == last)
}

/// Whether a name is that of a coordinate of a point: `x`, `y` or `z`, with a number perhaps.
fn is_coordinate(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    matches!(last.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'), "x" | "y" | "z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_called_as_their_quantities() {
        for (unit, names, expected) in [
            ("m", &["z", "upper.x1", "beam.3.y"][..], "position"),
            ("m", &["floor.gap", "left.gap"], "gap"),
            ("m", &["z", "floor.gap"], ""),
            ("m", &["lower", "hysteretic_elongation"], ""),
            ("m", &["a_elongation", "elongation_2"], "elongation"),
            ("N m", &["blade.1.my", "blade.1.mz"], "moment"),
            ("N m", &["drive.torque", "brake.torque_x"], "torque"),
            ("N m", &["drive.torque", "root.moment_y"], "moment"),
            ("N", &["air.thrust"], "thrust"),
            ("N", &["air.thrust", "hinge.fx"], "force"),
            ("rad", &["flap_angle_1.angle", "theta"], "angle"),
            ("", &["status"], ""),
            ("kg/m³", &["density"], ""),
        ] {
            assert_eq!(axis_name(unit, names.iter().copied()), expected, "{names:?} [{unit}]");
        }
    }
}
