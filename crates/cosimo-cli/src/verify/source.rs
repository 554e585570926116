//! Where models and tables come from.

use std::path::PathBuf;

use cosimo::model::read_text;

/// The files of the project, or those of a folder.
#[derive(Debug)]
pub(super) enum Source {
    /// Built into the command.
    Project,
    /// Paths are from this folder.
    Folder(PathBuf),
}

/// Name of the list of the project.
pub(super) const LIST: &str = "coupling-tests/reference/verify.toml";

/// Files of the project by their paths from its root.
macro_rules! embedded {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path)))),*]
    };
}

const FILES: &[(&str, &str)] = embedded![
    "coupling-tests/reference/verify.toml",
    "coupling-tests/models/ball.toml",
    "coupling-tests/models/block-on-incline.toml",
    "coupling-tests/models/dry-oscillator.toml",
    "coupling-tests/models/flexible-pendulum.toml",
    "coupling-tests/models/hinged-rod-on-wall.toml",
    "coupling-tests/models/impacting-oscillator.toml",
    "coupling-tests/models/rolling-sphere.toml",
    "examples/andrews/model.toml",
    "examples/bouncing-ball/model.toml",
    "examples/bouncing-pendulum/model.toml",
    "examples/chain/model.toml",
    "examples/double-pendulum/model.toml",
    "examples/elastic-bar/model.toml",
    "examples/flexible-pendulum/model.toml",
    "examples/flexible-pendulum/pvv.toml",
    "examples/heavy-top/model.toml",
    "examples/oscillator/model.toml",
    "examples/rigid-pair/model.toml",
    "examples/rods/impact.toml",
    "examples/rods/model.toml",
    "examples/tilted-plane/model.toml",
    "examples/tilted-plane-friction/model.toml",
    "examples/tilted-plane-friction/sphere.toml",
    "examples/wedge/model.toml",
    "coupling-tests/reference/A1_table5_1/events.csv",
    "coupling-tests/reference/A1_table5_1/reference.csv",
    "coupling-tests/reference/A2_table3_1/events.csv",
    "coupling-tests/reference/A2_table3_1/reference.csv",
    "coupling-tests/reference/A3_table2_1_e02/events.csv",
    "coupling-tests/reference/A3_table2_1_e02/reference.csv",
    "coupling-tests/reference/A4_acary_e09/events.csv",
    "coupling-tests/reference/A4_acary_e09/reference.csv",
    "coupling-tests/reference/B1_tilted_frictionless/events.csv",
    "coupling-tests/reference/B1_tilted_frictionless/reference.csv",
    "coupling-tests/reference/B2_tilted_mu002_pointmass/events.csv",
    "coupling-tests/reference/B2_tilted_mu002_pointmass/reference.csv",
    "coupling-tests/reference/B3_tilted_mu002_sphere/events.csv",
    "coupling-tests/reference/B3_tilted_mu002_sphere/reference.csv",
    "coupling-tests/reference/C_double_impact_wedge/events.csv",
    "coupling-tests/reference/C_double_impact_wedge/reference.csv",
    "coupling-tests/reference/D1_dae_pair_rest_in_contact/events.csv",
    "coupling-tests/reference/E1_oscillator_k1e3/reference.csv",
    "coupling-tests/reference/E2_oscillator_k1e4/reference.csv",
    "coupling-tests/reference/E5_oscillator_k1e3_e05/reference.csv",
    "coupling-tests/reference/F1_chain100_on_wall/reference.csv",
    "coupling-tests/reference/H1_bouncing_pendulum/events.csv",
    "coupling-tests/reference/H5_flexible_pendulum/reference.csv",
    "coupling-tests/reference/H5_hinged_rod/events.csv",
    "coupling-tests/reference/I2_bar_fe200_lumped/events.csv",
    "coupling-tests/reference/I2_bar_fe200_lumped/reference.csv",
    "coupling-tests/reference/J1_ball/events.csv",
    "coupling-tests/reference/J2_oscillator/events.csv",
    "coupling-tests/reference/K2_rocking_rod_a04/events.csv",
    "coupling-tests/reference/K2_rocking_rod_a04/reference.csv",
    "coupling-tests/reference/L1_incline_up_sticks/reference.csv",
    "coupling-tests/reference/L2_incline_up_slides_back/reference.csv",
    "coupling-tests/reference/L3_incline_down_stops/reference.csv",
    "coupling-tests/reference/L4_incline_from_rest_slides/reference.csv",
    "coupling-tests/reference/L5_sphere_sliding_to_rolling/reference.csv",
    "coupling-tests/reference/L8_coulomb_oscillator/reference.csv",
    "coupling-tests/reference/O1_andrews_squeezer/reference.csv",
    "coupling-tests/reference/O2_double_pendulum_points/reference.csv",
    "coupling-tests/reference/O4_heavy_top/reference.csv",
];

impl Source {
    /// The content of a file.
    pub(super) fn read(&self, path: &str) -> Result<String, String> {
        match self {
            Self::Project => match FILES.iter().find(|(own, _)| *own == path) {
                Some((_, content)) => Ok((*content).to_owned()),
                None => Err(format!("`{path}` is not built into the command")),
            },
            Self::Folder(folder) => {
                let path = folder.join(path);
                read_text(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LIST, Source};
    use crate::verify::list::List;

    /// Every file of the list is there, and every file that is there is of the list.
    #[test]
    fn the_list_and_the_files_belong_together() {
        let list = List::read(LIST, &Source::Project.read(LIST).unwrap()).unwrap();
        let tables = |case: &crate::verify::list::Case| {
            case.checks.iter().filter_map(|check| check.table.clone()).collect::<Vec<_>>()
        };
        let mut used: Vec<String> =
            list.cases.iter().flat_map(|case| [vec![case.model.clone()], tables(case)].concat()).collect();
        used.push(LIST.to_owned());
        for path in &used {
            Source::Project.read(path).unwrap();
        }
        let unused = super::FILES.iter().find(|(path, _)| !used.contains(&(*path).to_owned()));
        assert!(unused.is_none(), "{:?}", unused.map(|(path, _)| path));
    }
}
