//! The dependency graph of `docs/architecture.md`, kept true.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use coupling_tests::root;

/// Crates by layer, the ground first; a crate may depend on crates of lower layers only.
const LAYERS: &[&[&str]] = &[
    &["cosimo-linear", "cosimo-complementarity"],
    &["cosimo-dynamics"],
    &["cosimo-smooth", "cosimo-nonsmooth", "cosimo-multibody"],
    &["cosimo-subsystem"],
    &["cosimo-native", "cosimo-transport", "cosimo-black-box"],
    &["cosimo-master"],
    &["cosimo-results", "cosimo-model"],
    &["cosimo"],
    &["cosimo-cli"],
];

/// Our own crates among the `[dependencies]` of each manifest.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut graph = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap();
        let text = std::fs::read_to_string(folder.path().join("Cargo.toml")).unwrap();
        let section = text.split("\n[").find(|part| part.starts_with("dependencies]")).unwrap_or_default();
        let own = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        let own = own.filter(|name| name.starts_with("cosimo")).map(str::to_owned).collect();
        graph.insert(folder.file_name().into_string().unwrap(), own);
    }
    graph
}

fn layer(name: &str) -> usize {
    LAYERS.iter().position(|layer| layer.contains(&name)).unwrap_or_else(|| panic!("`{name}` is in no layer"))
}

#[test]
fn dependencies_point_down() {
    for (name, needs) in dependencies() {
        for need in needs {
            assert!(layer(&need) < layer(&name), "`{name}` depends on `{need}`, which is not below it");
        }
    }
}

#[test]
fn the_contract_knows_no_solver_and_the_master_no_subsystem() {
    let graph = dependencies();
    assert!(graph["cosimo-subsystem"].is_empty(), "{:?}", graph["cosimo-subsystem"]);
    let master: Vec<_> = graph["cosimo-master"].iter().map(String::as_str).collect();
    assert_eq!(master, ["cosimo-black-box", "cosimo-linear", "cosimo-nonsmooth", "cosimo-subsystem"]);
}

#[test]
fn only_the_codec_knows_bincode_and_only_the_command_prints() {
    for (name, _) in dependencies() {
        let text = std::fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        assert_eq!(text.contains("bincode"), name == "cosimo-subsystem", "{name}");
        assert_eq!(text.contains("tracing-subscriber"), name == "cosimo-cli", "{name}");
    }
}
