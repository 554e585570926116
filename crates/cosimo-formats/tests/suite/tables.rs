//! Tables are read back bit for bit, with names and units.

use std::fs;

use cosimo_formats::{Format, FormatError, convert};

use crate::recorded;
use crate::tools::python;

/// Converts runs of none, one and many rows and has a script look at each.
fn is_read_back(format: Format, script: &str, modules: &[&str]) {
    for rows in [0, 1, 25] {
        let (folder, results) = recorded::run(rows);
        convert(&results, format, folder.path()).unwrap();
        python(script, modules, folder.path());
    }
}

#[test]
fn pandas_and_pyarrow_read_parquet() {
    is_read_back(Format::Parquet, "read_parquet.py", &["pyarrow.parquet", "pandas"]);
}

#[test]
fn scipy_reads_matlab() {
    is_read_back(Format::Matlab, "read_matlab.py", &["scipy.io", "DyMat"]);
}

#[test]
fn mcap_is_read() {
    is_read_back(Format::Mcap, "read_mcap.py", &["mcap.reader"]);
}

#[test]
fn a_run_that_never_stepped_has_no_trajectories() {
    let (folder, results) = recorded::nothing();
    convert(&results, Format::Parquet, folder.path()).unwrap();
    assert!(matches!(convert(&results, Format::Matlab, folder.path()), Err(FormatError::Encode { .. })));
    assert!(!folder.path().join("results.mat").exists() && !folder.path().join(".matlab.part").exists());
}

#[test]
fn a_conversion_that_fails_leaves_the_earlier_files() {
    let (folder, results) = recorded::nothing();
    let path = folder.path().join("results.mat");
    fs::write(&path, "old").unwrap();
    convert(&results, Format::Matlab, folder.path()).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    let (other, results) = recorded::run(2);
    convert(&results, Format::Matlab, folder.path()).unwrap();
    convert(&results, Format::Matlab, &other.path().join("new/folder")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), fs::read(other.path().join("new/folder/results.mat")).unwrap());
}
