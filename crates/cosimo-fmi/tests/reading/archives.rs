//! Zip archives and folders.

use std::fs;
use std::io::{Cursor, Write};

use cosimo_fmi::archive::{Archive, ArchiveProblem};
use cosimo_fmi::description::FmiVersion;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const DESCRIPTION: &str = "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='t'>
    <CoSimulation modelIdentifier='m'/><ModelVariables><Float64 name='x' valueReference='1'/></ModelVariables><ModelStructure/>
    </fmiModelDescription>";
const TERMINALS: &str = "<fmiTerminalsAndIcons fmiVersion='3.0'><Terminals><Terminal name='p' matchingRule='bus'>
    <TerminalMemberVariable variableName='x' variableKind='signal'/></Terminal></Terminals></fmiTerminalsAndIcons>";

/// The bytes of an archive with these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An FMU for many machines.
pub(crate) fn fmu() -> Vec<u8> {
    zip(&[
        ("modelDescription.xml", DESCRIPTION.as_bytes()),
        ("terminalsAndIcons/terminalsAndIcons.xml", TERMINALS.as_bytes()),
        ("binaries/x86_64-linux/m.so", b"ELF"),
        ("binaries\\aarch64-linux\\m.so", b"ELF"),
        ("binaries/linux64/m.so", b"ELF"),
        ("resources/a/b.txt", b"text"),
    ])
}

fn open(bytes: Vec<u8>) -> Result<Archive, ArchiveProblem> {
    Archive::read(Cursor::new(bytes), "the.fmu").map_err(|error| error.problem)
}

/// Asserts that opening gives a problem that matches, and that says this.
macro_rules! refuses {
    ($bytes:expr, $problem:pat, $words:expr) => {{
        let problem = open($bytes).unwrap_err();
        assert!(matches!(problem, $problem), "{problem:?}");
        assert!(problem.to_string().contains($words), "{problem}");
    }};
}

#[test]
fn an_archive_is_read_and_unpacked() {
    let mut archive = open(fmu()).unwrap();
    let description = archive.read_description().unwrap();
    assert_eq!((description.terminals[0].members[0].variable, description.findings.len()), (0, 0));
    assert_eq!(archive.platforms(), ["aarch64-linux", "linux64", "x86_64-linux"]);
    let unpacked = archive.unpack().unwrap();
    let root = unpacked.root().to_owned();
    assert_eq!(fs::read(root.join("resources/a/b.txt")).unwrap(), b"text");
    let path = unpacked.resources_path().unwrap();
    assert!(path.ends_with(std::path::MAIN_SEPARATOR) && fs::read(path + "a/b.txt").is_ok());
    assert!(
        unpacked.resources_uri().starts_with("file:///") && unpacked.resources_uri().ends_with("/resources")
    );
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        assert_eq!(unpacked.binary_path("m", FmiVersion::V2).unwrap(), root.join("binaries/linux64/m.so"));
        assert_eq!(
            unpacked.binary_path("m", FmiVersion::V3).unwrap(),
            root.join("binaries/x86_64-linux/m.so")
        );
    }
    drop(unpacked);
    assert!(!root.exists());
}

#[test]
fn a_folder_is_used_as_it_is() {
    let folder = tempfile::Builder::new().prefix("ä 100% ").tempdir().unwrap();
    let error = Archive::open(folder.path()).unwrap_err();
    assert!(matches!(error.problem, ArchiveProblem::Missing { .. }), "{error}");
    fs::write(folder.path().join("modelDescription.xml"), DESCRIPTION).unwrap();
    fs::create_dir_all(folder.path().join("binaries/win32")).unwrap();
    let mut archive = Archive::open(folder.path()).unwrap();
    assert_eq!(archive.read_description().unwrap().model_name, "m");
    assert_eq!(archive.platforms(), ["win32"]);
    let unpacked = archive.unpack().unwrap();
    assert_eq!((unpacked.root(), unpacked.resources_path()), (folder.path(), None));
    assert!(unpacked.resources_uri().contains("/%C3%A4%20100%25%20"), "{}", unpacked.resources_uri());
    drop((archive, unpacked));
    assert!(folder.path().exists());
}

#[test]
fn errors_on_binaries_tell_what_there_is() {
    let unpack = |files: &[(&str, &[u8])]| {
        let files = [&[("modelDescription.xml", DESCRIPTION.as_bytes())], files].concat();
        open(zip(&files)).unwrap().unpack().unwrap()
    };
    let error = |files: &[(&str, &[u8])], name| {
        unpack(files).binary_path(name, FmiVersion::V3).unwrap_err().to_string()
    };
    assert!(error(&[("binaries/win32/m.dll", b"")], "m").contains("runs on: win32"));
    assert!(error(&[("sources/m.c", b"")], "m").contains("compile its sources"));
    assert!(error(&[], "m").contains("no binaries: export it again"));
    for name in ["../m", "/m", "", ".", "a/b", "a\\b", "C:m"] {
        assert!(error(&[], name).contains("not a plain name"), "{name}");
    }
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let other = error(&[("binaries/x86_64-linux/n.so", b"")], "m");
        assert!(other.contains("binaries/x86_64-linux has: n.so; check `modelIdentifier`"), "{other}");
    }
}

#[test]
fn what_is_no_archive_is_named() {
    refuses!(Vec::new(), ArchiveProblem::Empty, "empty");
    refuses!(b"MZ this is a program".to_vec(), ArchiveProblem::Zip(_), "not a zip archive");
    refuses!(zip(&[("readme", b"")]), ArchiveProblem::Missing { .. }, "this is no FMU");
    refuses!(
        zip(&[("m/modelDescription.xml", b"")]),
        ArchiveProblem::Missing { .. },
        "zip what is in that folder"
    );
    let error = Archive::open("/no/such.fmu").unwrap_err();
    assert!(error.to_string().starts_with("/no/such.fmu: cannot be read"), "{error}");
}

#[test]
fn unsafe_entries_are_refused() {
    for name in ["../evil", "/evil", "a\\..\\..\\evil", "C:\\evil"] {
        refuses!(zip(&[(name, b"")]), ArchiveProblem::Outside(_), "outside");
    }
    refuses!(zip(&[("a/b", b""), ("a\\b", b"")]), ArchiveProblem::Duplicate(_), "`a/b`");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    refuses!(writer.finish().unwrap().into_inner(), ArchiveProblem::Link(_), "`link`");
    // Bytes of the central header: flags at 8, the method at 10, the name at 46.
    let patched = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = zip(&[("name1", b""), ("name2", b"")]);
        let at = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        change(&mut bytes[at..]);
        bytes
    };
    refuses!(patched(&|header| header[50] = b'2'), ArchiveProblem::Duplicate(_), "`name2`");
    refuses!(patched(&|header| header[8] |= 1), ArchiveProblem::Encrypted(_), "`name1`");
    refuses!(patched(&|header| header[10] = 12), ArchiveProblem::Compression { .. }, "`Bzip2`");
}

#[test]
fn archives_made_to_fill_the_disk_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9));
    writer.start_file("zeros", options).unwrap();
    for _ in 0..65 {
        writer.write_all(&vec![0; 1 << 20]).unwrap();
    }
    refuses!(writer.finish().unwrap().into_inner(), ArchiveProblem::TooMuch { .. }, "unpacked bytes");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..100_001 {
        writer.start_file(index.to_string(), SimpleFileOptions::default()).unwrap();
    }
    refuses!(writer.finish().unwrap().into_inner(), ArchiveProblem::TooMuch { .. }, "limit of 100000");
}

#[test]
fn faulty_terminals_and_latin_1_are_findings() {
    let german = "<?xml version='1.0' encoding='ISO-8859-1'?>".to_owned()
        + &DESCRIPTION.replace("='m'", "='gr\u{fc}n'");
    let latin: Vec<u8> =
        german.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    let bad = TERMINALS.replace("'x'", "'y'");
    let files =
        [("modelDescription.xml", &latin[..]), ("terminalsAndIcons/terminalsAndIcons.xml", bad.as_bytes())];
    let description = open(zip(&files)).unwrap().read_description().unwrap();
    assert_eq!((description.model_name.as_str(), description.findings.len()), ("grün", 2));
    let files = [("modelDescription.xml", &latin[44..])];
    let error = open(zip(&files)).unwrap().read_description().unwrap_err();
    assert!(error.to_string().starts_with("the.fmu: modelDescription.xml:1:"), "{error}");
}

#[cfg(unix)]
#[test]
fn programs_stay_programs_and_empty_folders_stay() {
    use std::os::unix::fs::PermissionsExt;
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("resources/run", SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
    writer.start_file("modelDescription.xml", SimpleFileOptions::default()).unwrap();
    writer.add_directory("resources/empty", SimpleFileOptions::default()).unwrap();
    let unpacked = open(writer.finish().unwrap().into_inner()).unwrap().unpack().unwrap();
    let mode = |name: &str| fs::metadata(unpacked.root().join(name)).unwrap().permissions().mode();
    assert!(unpacked.root().join("resources/empty").is_dir());
    assert!(mode("resources/run") & 0o100 != 0 && mode("modelDescription.xml") & 0o100 == 0);
}
