//! The layout of the workspace and the dependency graph of `docs/architecture.md`, kept true.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use coupling_tests::root;

#[path = "../../../scripts/structure.rs"]
mod structure;

/// Circles of modules that import each other, by crate; none in the others. The list may only become shorter.
const CIRCLES: &[(&str, usize)] = &[];

/// Circles of folders, by crate, with all that is below a folder taken as one; none in the others. The list may only become shorter.
const FOLDER_CIRCLES: &[(&str, usize)] = &[];

/// Functions of the master that take the whole of a model, at most.
const MOST_WITH_THE_WHOLE: usize = 30;

/// Crates by layer, the ground first; a crate may depend on crates of lower layers only.
const LAYERS: &[&[&str]] = &[
    &["cosimo-formula", "cosimo-linear", "cosimo-scene"],
    &["cosimo-mechanics"],
    &["cosimo-complementarity"],
    &["cosimo-dynamics"],
    &["cosimo-smooth", "cosimo-nonsmooth", "cosimo-multibody"],
    &["cosimo-impact"],
    &["cosimo-subsystem"],
    &[
        "cosimo-native",
        "cosimo-control",
        "cosimo-aerodynamics",
        "cosimo-transport",
        "cosimo-black-box",
        "cosimo-first-order",
        "cosimo-fmi-shim",
    ],
    &["cosimo-fmi", "cosimo-fmi-export", "cosimo-mpi", "cosimo-zenoh"],
    &["cosimo-master"],
    &["cosimo-composite", "cosimo-results"],
    &["cosimo-model"],
    &["cosimo-export", "cosimo-formats", "cosimo-report", "cosimo-sweep"],
    &["cosimo"],
    &["cosimo-cli"],
];

/// Crates that call the C interface of FMI, or are called by it: their code may be unsafe where it says why.
const UNSAFE: &[&str] = &["crates/cosimo-fmi", "crates/cosimo-fmi-shim", "crates/cosimo-fmi-export"];

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
    assert!(
        graph["cosimo-subsystem"].iter().eq(["cosimo-mechanics", "cosimo-scene"]),
        "{:?}",
        graph["cosimo-subsystem"]
    );
    let master: Vec<_> = graph["cosimo-master"].iter().map(String::as_str).collect();
    assert_eq!(
        master,
        ["cosimo-black-box", "cosimo-linear", "cosimo-mechanics", "cosimo-nonsmooth", "cosimo-subsystem"]
    );
}

#[test]
fn only_the_codec_knows_bincode_and_only_the_command_prints() {
    for (name, _) in dependencies() {
        let text = std::fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        assert_eq!(text.contains("bincode"), name == "cosimo-subsystem", "{name}");
        // Tests may watch.
        let (own, _) = text.split_once("[dev-dependencies]").unwrap_or((&text, ""));
        assert_eq!(own.contains("tracing-subscriber"), name == "cosimo-cli", "{name}");
    }
}

/// The manifest of the workspace, and those of its members.
fn manifests() -> (String, Vec<(String, String)>) {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let mut members: Vec<String> = dependencies().into_keys().map(|name| format!("crates/{name}")).collect();
    members.push("coupling-tests".to_owned());
    let texts = members.iter().map(|member| read(&format!("{member}/Cargo.toml")));
    (read("Cargo.toml"), members.iter().cloned().zip(texts).collect())
}

#[test]
fn the_top_level_is_what_the_front_page_says() {
    let entries = std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.map(|name| name.into_string().unwrap());
    // Besides, what runs and builds leave behind.
    let mut found: Vec<String> =
        names.filter(|name| !name.starts_with('.') && !["target", "out"].contains(&name.as_str())).collect();
    found.sort();
    let expected = [
        "CITATION.cff",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "coupling-tests",
        "crates",
        "docs",
        "examples",
        "python",
        "scripts",
    ];
    assert_eq!(found, expected);
}

#[test]
fn versions_and_lints_stand_in_one_place() {
    let (workspace, members) = manifests();
    assert!(workspace.contains("default-members = [\"crates/cosimo-cli\"]"));
    assert!(workspace.contains("edition = \"2024\"") && workspace.contains("rust-version = "));
    // Packages name the versions of their dependencies.
    let own = workspace.lines().filter(|line| line.contains("{ path = \"crates/"));
    assert!(own.clone().count() > 20 && own.clone().all(|line| line.contains("version = \"")));
    for (member, text) in members {
        for key in [
            "version",
            "edition",
            "rust-version",
            "license",
            "repository",
            "readme",
            "keywords",
            "categories",
        ] {
            assert!(text.contains(&format!("\n{key}.workspace = true\n")), "{member}: {key}");
        }
        let publish = if member == "coupling-tests" { "publish = false" } else { "publish.workspace = true" };
        assert!(text.contains("\ndescription = ") && text.contains(&format!("\n{publish}\n")), "{member}");
        let has_own_lints = UNSAFE.contains(&member.as_str()) && text.contains("unsafe_code");
        assert!(text.contains("[lints]\nworkspace = true") || has_own_lints, "{member}");
        let tables = text.split("\n[").filter(|table| table.contains("dependencies]\n"));
        for line in tables
            .flat_map(|table| table.lines().skip(1))
            .filter(|line| !line.is_empty() && !line.starts_with("# "))
        {
            // A crate that its own tests need with another feature is packaged without that line.
            assert!(line.contains("workspace = true") || line.contains("path = \".\""), "{member}: {line}");
        }
    }
}

/// No crate below the examples knows an example: models come from their files only.
#[test]
fn no_crate_reads_an_example() {
    for (name, _) in dependencies() {
        let mut folders = vec![root().join("crates").join(&name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    // The command that verifies runs models that are shipped with it, examples among them.
                    if !path.ends_with("cosimo-cli/src/verify") {
                        folders.push(path);
                    }
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                for line in code {
                    assert!(!line.contains("examples/"), "{}: {line}", path.display());
                }
            }
        }
    }
}

#[test]
fn modules_import_in_one_direction() {
    for (name, _) in dependencies() {
        let imports = structure::imports(&root().join("crates").join(&name).join("src"));
        assert!(!imports.is_empty(), "{name}");
        let circles = structure::circles(&imports);
        let known = CIRCLES.iter().find(|(own, _)| *own == name).map_or(0, |(_, count)| *count);
        assert_eq!(circles.len(), known, "{name}: {circles:?}");
    }
}

#[test]
fn folders_import_in_one_direction() {
    for (name, _) in dependencies() {
        let imports = structure::imports(&root().join("crates").join(&name).join("src"));
        let circles = structure::folder_circles(&imports);
        let known = FOLDER_CIRCLES.iter().find(|(own, _)| *own == name).map_or(0, |(_, count)| *count);
        assert_eq!(circles.len(), known, "{name}: {circles:?}");
    }
}

#[test]
fn circles_of_folders_are_found() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    let graph = [("a::x", "b::y"), ("b::z", "a::x"), ("b::y", "b::z"), ("c", "a::x")];
    let graph = graph.map(|(from, to)| (module(from), [module(to)].into_iter().collect()));
    assert_eq!(structure::folder_circles(&graph.into_iter().collect()), [vec![module("a"), module("b")]]);
}

/// Phases borrow what they use; what decides about the order of phases alone takes all.
#[test]
fn few_functions_of_the_master_take_the_whole() {
    let found = structure::taking_whole(&root().join("crates/cosimo-master/src"), "StepContext");
    assert!((1..=MOST_WITH_THE_WHOLE).contains(&found.len()), "{}: {found:?}", found.len());
}

#[test]
fn circles_of_imports_are_found() {
    let module = |name: &str| vec![name.to_owned()];
    let graph = [("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b"]), ("d", vec!["a"])];
    let graph = graph.into_iter().map(|(from, to)| (module(from), to.into_iter().map(module).collect()));
    assert_eq!(structure::circles(&graph.collect()), [vec![module("b"), module("c")]]);
}

/// Algorithms borrow the parts of the master; it has its public methods alone.
#[test]
fn the_master_is_implemented_in_few_files() {
    let files = structure::implementing(&root().join("crates/cosimo-master/src"), "impl Master {");
    assert!((1..=4).contains(&files.len()), "{files:?}");
}
