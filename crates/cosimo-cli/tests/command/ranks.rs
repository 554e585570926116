//! Several processes that were started together, seen by a build without MPI; with MPI see `tests/mpi.rs`.

#![cfg(not(feature = "mpi"))]

use super::{MODEL, Scratch, assert_code, stderr};

/// Variables of Open MPI and of MPICH.
const LAUNCHERS: [[&str; 2]; 2] =
    [["OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"], ["PMI_SIZE", "PMI_RANK"]];

#[test]
fn without_mpi_several_processes_are_refused_once() {
    let scratch = Scratch::new(MODEL);
    for [size, rank] in LAUNCHERS {
        let start = |number: &str, arguments: &[&str]| {
            scratch.command(arguments).env(size, "3").env(rank, number).output().unwrap()
        };
        let first = start("0", &["run", "masses.toml"]);
        assert_code(&first, 2);
        assert!(stderr(&first).contains("this build has no MPI"), "{}", stderr(&first));
        assert!(stderr(&first).contains("--features mpi"), "{}", stderr(&first));
        for arguments in [&["run", "masses.toml"][..], &["check", "masses.toml"], &["run", "--nonsense"]] {
            let other = start("1", arguments);
            assert_code(&other, 0);
            assert!(other.stderr.is_empty() && other.stdout.is_empty(), "{}", stderr(&other));
        }
        let check = start("0", &["check", "masses.toml"]);
        assert_code(&check, 2);
        assert!(stderr(&check).contains("only `cosimo run` runs on several ranks"), "{}", stderr(&check));
    }
    assert!(!scratch.path("out").exists());
    let alone = scratch.command(&["run", "masses.toml"]).env("PMI_SIZE", "1").env("PMI_RANK", "0").output();
    assert_code(&alone.unwrap(), 0);
}
