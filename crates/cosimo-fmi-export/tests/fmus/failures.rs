//! What goes wrong: the host lives, and is told why.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cosimo_fmi_export::FmiVersion;

use crate::exported::reference::*;
use crate::exported::{Unpacked, assert_near, closed_form, unpacked};
use crate::host2::{ERROR, Instance, OK, call, library, uri};

/// Processes that run the server of this FMU.
fn servers(fmu: &Unpacked) -> Vec<String> {
    processes_of(&fmu.server())
}

fn processes_of(executable: &Path) -> Vec<String> {
    let executable = executable.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let own = processes
        .filter(|process| std::fs::read_link(process.join("exe")).is_ok_and(|exe| exe == executable));
    own.map(|process| process.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_killed_server_is_an_error_and_a_reset_starts_another() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    let state = instance.save();
    let [server] = &servers(&fmu)[..] else { panic!("there is not one server") };
    assert!(Command::new("kill").args(["-9", server]).status().unwrap().success());
    assert_eq!(instance.step(0.0, 0.1), ERROR);
    let message = instance.last_message();
    assert!(message.contains("signal: 9") && message.contains("the server prints"), "{message}");
    assert_eq!(instance.step(0.0, 0.1), ERROR);
    assert!(instance.last_message().contains("out of order"), "{}", instance.last_message());
    assert_eq!(call!(instance, b"fmi2Reset", (),), OK);
    assert_eq!(instance.restore(state), ERROR);
    assert!(instance.last_message().contains("lost"));
    instance.free(state);
    instance.initialise();
    instance.run(0.0, 1.0);
    assert_near(instance.real(POSITION), closed_form(1.0, 0.0, 8.0, 1.0).0);
}

#[test]
fn servers_end_with_their_instances() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instances = [Instance::new(&library, &fmu), Instance::new(&library, &fmu)];
    assert_eq!(servers(&fmu).len(), 2);
    let begin = Instant::now();
    drop(instances);
    assert!(servers(&fmu).is_empty());
    // By themselves, before they would be killed.
    assert!(begin.elapsed() < Duration::from_secs(1));
}

/// The host of the next test: tells where its FMU is, and dies.
#[test]
#[ignore = "ends the process"]
fn host_that_dies() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    println!("FMU {}", fmu.folder.path().display());
    std::process::abort();
}

#[test]
fn servers_end_with_their_host() {
    let host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failures::host_that_dies", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    assert!(!host.status.success());
    let output = String::from_utf8(host.stdout).unwrap();
    let folder = output.lines().find_map(|line| Some(line.split_once("FMU ")?.1)).unwrap();
    let begin = Instant::now();
    let server = Path::new(folder).join("resources/cosimo-fmi-test-server");
    while !processes_of(&server).is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(10), "the server goes on");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Runs into a trouble and gives the message.
fn message_of(trouble: &str) -> String {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    let bystander = Instance::new(&library, &fmu);
    instance.initialise();
    bystander.initialise();
    assert_eq!(instance.set_text(TROUBLE, trouble), OK);
    assert_eq!(instance.step(0.0, 0.1), ERROR);
    let message = instance.last_message();
    bystander.run(0.0, 0.1);
    assert_eq!(call!(instance, b"fmi2Reset", (),), OK, "{:?}", instance.messages);
    instance.initialise();
    instance.run(0.0, 0.1);
    message
}

#[test]
fn panics_and_errors_of_the_unit_are_told() {
    assert_eq!(message_of("panic"), "the model has panicked: the spring broke");
    assert_eq!(message_of("error"), "the spring is stuck");
    let message = message_of("abort");
    assert!(message.contains("signal: 6") && message.contains("the last words"), "{message}");
}

#[test]
fn a_server_may_print_as_much_as_it_likes() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    assert_eq!(instance.set_text(TROUBLE, "noise"), OK);
    instance.run(0.0, 0.1);
}

#[test]
fn a_value_that_is_not_possible_is_told() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    assert_eq!(instance.set_real(MASS, -1.0), OK);
    assert_eq!(call!(instance, b"fmi2EnterInitializationMode", (),), ERROR);
    assert_eq!(instance.last_message(), "a mass of -1 kg is not possible");
}

#[test]
fn servers_start_without_the_executable_bit() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    std::fs::set_permissions(fmu.server(), std::fs::Permissions::from_mode(0o644)).unwrap();
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    instance.run(0.0, 0.1);
}

#[test]
fn instances_that_cannot_be_made_say_why() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let refused = |token: &str, resources: &str| {
        let instance = Instance::try_new(&library, token, resources, false);
        assert!(instance.handle.is_null());
        instance.last_message()
    };
    assert!(refused("{another}", &uri(&fmu)).contains("token"));
    assert!(refused(fmu.token(), "https://example.org").contains("no file URI"));
    assert!(refused(fmu.token(), "file:///nowhere").contains("/nowhere"));
    std::fs::write(fmu.resources().join("models/model.txt"), "a pendulum").unwrap();
    let message = refused(fmu.token(), &uri(&fmu));
    assert!(message.contains("exit status: 101") && message.contains("a pendulum"), "{message}");
    std::fs::remove_file(fmu.server()).unwrap();
    assert!(refused(fmu.token(), &uri(&fmu)).contains("does not start"));
}
