//! Files that are no units for this machine.

use std::fs;
use std::io::Write;

use cosimo_fmi::test_units::build;

use super::super::{Scratch, assert_code, stderr, stdout};
use super::{VERSIONS, model};

/// Asserts that neither command takes the file, and that both say so.
#[track_caller]
fn assert_refused(scratch: &Scratch, file: &str, text: &str) {
    fs::write(scratch.path("masses.toml"), model(file)).unwrap();
    for arguments in [["fmu", file], ["run", "masses.toml"]] {
        let output = scratch.cosimo(&arguments);
        assert_code(&output, 2);
        assert!(stderr(&output).contains(text), "`{text}` is not in {}", stderr(&output));
        assert!(stderr(&output).contains(file), "{}", stderr(&output));
    }
    assert!(!scratch.path("out").exists() && scratch.left().is_empty());
}

#[test]
fn files_that_are_no_units_are_refused() {
    let scratch = Scratch::with_temporary("");
    assert_refused(&scratch, "missing.fmu", "cannot be read");
    fs::write(scratch.path("text.fmu"), "no archive").unwrap();
    assert_refused(&scratch, "text.fmu", "not a zip archive");
    fs::write(scratch.path("empty.fmu"), "").unwrap();
    assert_refused(&scratch, "empty.fmu", "the file is empty");
    fs::write(scratch.path("slip.fmu"), zip("../slip", b"")).unwrap();
    assert_refused(&scratch, "slip.fmu", "the entry `../slip` would be unpacked outside of its folder");
    assert!(!scratch.path("slip").exists());
    fs::write(scratch.path("other.fmu"), zip("other.txt", b"")).unwrap();
    assert_refused(&scratch, "other.fmu", "there is no `modelDescription.xml`; this is no FMU");
    fs::write(scratch.path("xml.fmu"), zip("modelDescription.xml", b"<a>")).unwrap();
    assert_refused(&scratch, "xml.fmu", "modelDescription.xml:1:");
}

/// A description of gigabytes of blanks in a small file, and one that says that it is small.
#[test]
fn archives_that_grow_without_bound_are_refused() {
    let scratch = Scratch::with_temporary("");
    let blanks = vec![b' '; 1 << 20];
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let mut crc = flate2::Crc::new();
    for _ in 0..2500 {
        deflated.write_all(&blanks).unwrap();
        crc.update(&blanks);
    }
    let content = deflated.finish().unwrap();
    for size in [2500 << 20, 1000] {
        let bomb = archive("modelDescription.xml", &content, (8, crc.sum(), size));
        assert!(bomb.len() < 4 << 20);
        fs::write(scratch.path("bomb.fmu"), bomb).unwrap();
        let output = scratch.cosimo(&["fmu", "bomb.fmu"]);
        assert_code(&output, 2);
        let told = stderr(&output);
        assert!(
            told.contains("bomb.fmu")
                && (told.contains("exceed the limit") || told.contains("modelDescription.xml")),
            "{told}"
        );
        assert!(scratch.left().is_empty());
    }
}

/// A zip archive with one file that is stored.
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    archive(name, content, (0, crc.sum(), content.len() as u32))
}

/// A zip archive with one file: its method, sum and size.
fn archive(name: &str, content: &[u8], (method, sum, size): (u16, u32, u32)) -> Vec<u8> {
    let length = name.len() as u16;
    let mut file = Vec::new();
    for part in [
        &20_u16.to_le_bytes()[..],
        &[0; 2],
        &method.to_le_bytes(),
        &[0; 4],
        &sum.to_le_bytes(),
        &(content.len() as u32).to_le_bytes(),
        &size.to_le_bytes(),
    ] {
        file.write_all(part).unwrap();
    }
    file.extend([length.to_le_bytes(), [0; 2]].concat());
    let mut archive = [b"PK\x03\x04".as_slice(), &file, name.as_bytes(), content].concat();
    let at = archive.len() as u32;
    archive.extend([b"PK\x01\x02\x14\x00".as_slice(), &file, &[0; 14], name.as_bytes()].concat());
    let directory = archive.len() as u32 - at;
    archive.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    archive.extend([directory.to_le_bytes(), at.to_le_bytes()].concat());
    archive.extend([0; 2]);
    archive
}

/// The folder of an FMU is as good as the file, so that its binary can be put where other machines look for it.
#[test]
fn without_a_binary_for_this_machine_those_there_are_are_named() {
    for version in VERSIONS {
        let Some(built) = build("bad", version, &[]) else { return };
        let scratch = Scratch::with_temporary("");
        let mut copy = std::process::Command::new("cp");
        copy.arg("-r").arg(&built.folder).arg(scratch.path("unit"));
        assert!(copy.status().unwrap().success());
        let binaries = scratch.path("unit/binaries");
        let own = fs::read_dir(&binaries).unwrap().next().unwrap().unwrap().path();
        fs::rename(own, binaries.join("riscv64-plan9")).unwrap();
        fs::write(scratch.path("masses.toml"), model("unit")).unwrap();
        for arguments in [&["fmu", "unit"][..], &["run", "masses.toml"]] {
            let output = scratch.cosimo(arguments);
            assert_code(&output, 2);
            let errors = stderr(&output);
            assert!(errors.contains("there is no binary `binaries/"), "{errors}");
            assert!(errors.contains("the FMU runs on: riscv64-plan9"), "{errors}");
        }
        let told = stdout(&scratch.cosimo(&["fmu", "unit", "--no-run"]));
        assert!(told.contains("riscv64-plan9; this machine is not among them\n"), "{told}");
        fs::remove_dir_all(&binaries).unwrap();
        let output = scratch.cosimo(&["fmu", "unit"]);
        assert!(stdout(&output).contains("none: it has no binaries"), "{}", stdout(&output));
        assert_code(&output, 2);
        assert!(scratch.left().is_empty());
    }
}
