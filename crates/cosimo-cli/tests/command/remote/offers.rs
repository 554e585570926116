//! What is refused, by name.

use super::*;

/// What a master is told by a server of the oscillator's upper mass, with these settings of its own.
fn refused(sets: &[&str]) -> String {
    refusal(sets, None)
}

/// The same, and what the server is to say.
fn refusal(sets: &[&str], said: Option<&str>) -> String {
    let (scratch, model) = (Scratch::new(""), example("oscillator/model.toml"));
    fs::write(scratch.path("key"), "the key of the server, which is long").unwrap();
    fs::write(scratch.path("other"), "the key of somebody else, also long").unwrap();
    let station = Station::start(&scratch, &model, "upper", &[]);
    let fill = |set: &&str| {
        set.replace("ADDRESS", &station.address).replace("HERE", scratch.path("").to_str().unwrap())
    };
    let sets: Vec<String> = sets.iter().map(fill).collect();
    let mut arguments = vec!["run", model.to_str().unwrap(), "--set", "master.deadline=2"];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    let output = scratch.cosimo(&arguments);
    assert_code(&output, 2);
    assert!(!scratch.path("out").exists());
    if let Some(expected) = said {
        let said = station.said(expected);
        assert!(said.contains(expected), "{said}");
    }
    stderr(&output)
}

#[test]
fn another_key_is_refused() {
    let said = "instead of showing its key, which may be another one";
    let error = refusal(&["subsystem.upper.remote={ tcp = 'ADDRESS', key = 'HERE/other' }"], Some(said));
    assert!(error.contains("subsystem `upper`: it does not have the key of this end"), "{error}");
    let error = refused(&["subsystem.upper.remote={ tcp = 'ADDRESS' }"]);
    assert!(error.contains("subsystem `upper`: it has a key, and this end has none"), "{error}");
    let error = refused(&["subsystem.upper.remote={ tcp = 'ADDRESS', key = 'HERE/none' }"]);
    assert!(error.contains("subsystem `upper`: its key"), "{error}");
}

#[test]
fn another_model_is_refused_with_the_difference() {
    let key = "subsystem.upper.remote={ tcp = 'ADDRESS', key = 'HERE/key' }";
    let said = "warning: a master was refused: subsystem `upper`: it is served from";
    let error = refusal(&[key, "time.end=1.25"], Some(said));
    assert!(
        error.contains("served from another model: it has `end = ")
            && error.contains(" in [time], and that of the master `end = 1.25`"),
        "{error}"
    );
    let error = refused(&["subsystem.lower.remote={ tcp = 'ADDRESS', key = 'HERE/key' }"]);
    assert!(error.contains("subsystem `upper`: it is served from another model"), "{error}");
}

/// A nested model in a file of its own: what is in it counts, not where it is.
#[test]
fn other_files_are_another_model_and_equal_ones_elsewhere_are_not() {
    let scratch = Scratch::new("");
    let outer = "schema = 1\ntime = { end = 0.1, step = 1e-3 }\n[[subsystem]]\nname = \"own\"\nkind = \"model\"\nfile = \"inner.toml\"\n";
    let inner = |mass: u32| {
        format!(
            "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n[[subsystem]]\nname = \"mass\"\nkind = \"linear\"\nmass = [{mass}]\n\
             stiffness = [100]\nposition = 0.1\n"
        )
    };
    let write = |folder: &str, mass: u32| {
        fs::create_dir_all(scratch.path(folder)).unwrap();
        fs::write(scratch.path(folder).join("outer.toml"), outer).unwrap();
        fs::write(scratch.path(folder).join("inner.toml"), inner(mass)).unwrap();
        scratch.path(folder).join("outer.toml")
    };
    fs::write(scratch.path("key"), "the key of the server, which is long").unwrap();
    let (there, here) = (write("there", 2), write("here", 2));
    let station = Station::start(&scratch, &there, "own", &[]);
    let run = || {
        let remote = format!("subsystem.own.remote={{ tcp = '{}', key = 'KEY' }}", station.address);
        let remote = remote.replace("KEY", scratch.path("key").to_str().unwrap());
        let sets = ["--set", &remote, "--set", "master.deadline=5", "--force"];
        scratch.cosimo(&[&["run", here.to_str().unwrap(), "--quiet", "--out", "out"], &sets[..]].concat())
    };
    assert_code(&run(), 0);
    write("here", 3);
    let output = run();
    assert_code(&output, 2);
    let error = stderr(&output);
    assert!(
        error.contains("served from another model: it has `file = \"inner.toml with the contents"),
        "{error}"
    );
    // What the server has read stays what it offers.
    write("there", 3);
    assert_code(&run(), 2);
    write("here", 2);
    assert_code(&run(), 0);
}

#[test]
fn a_server_that_is_not_there_is_waited_for_until_the_deadline() {
    let error = refused(&["subsystem.upper.remote={ tcp = '127.0.0.1:1' }", "master.deadline=0.3"]);
    assert!(
        error.contains("subsystem `upper`") && error.contains("`127.0.0.1:1` cannot be reached"),
        "{error}"
    );
}

#[test]
fn places_that_are_none_are_mistakes_of_the_file() {
    for (remote, part) in [
        ("{}", "is remote, and nothing says where"),
        ("{ tcp = 'nowhere' }", "must be an address `host:port`"),
        ("{ tcp = 'a:1', zenoh = 'b' }", "is remote over tcp and over zenoh"),
        ("{ tcp = 'a:1', connect = ['b'] }", "connect belongs to subsystems that are remote over zenoh"),
        ("{ zenoh = 'a/*' }", "must be a key expression"),
        ("{ tcp = 'a:1', kei = 'b' }", "kei"),
    ] {
        let error = refused(&[&format!("subsystem.upper.remote={remote}")]);
        assert!(error.contains(part), "{remote}: {error}");
    }
}

#[test]
fn without_a_key_a_server_listens_on_this_machine_alone() {
    let (scratch, model) = (Scratch::new(""), example("oscillator/model.toml"));
    let model = model.to_str().unwrap();
    let open = scratch.cosimo(&["serve", model, "--subsystem", "upper", "--listen", "0.0.0.0:0"]);
    assert_code(&open, 2);
    assert!(
        stderr(&open).contains("without a key it listens on the loopback address only"),
        "{}",
        stderr(&open)
    );
    let unknown = scratch.cosimo(&["serve", model, "--subsystem", "uper"]);
    assert_code(&unknown, 2);
    assert!(stderr(&unknown).contains("no subsystem `uper`"), "{}", stderr(&unknown));
    fs::write(scratch.path("short"), "short").unwrap();
    let short = scratch.cosimo(&["serve", model, "--subsystem", "upper", "--key", "short"]);
    assert_code(&short, 2);
    assert!(stderr(&short).contains("could be guessed"), "{}", stderr(&short));
}

#[test]
fn checks_and_studies_ask_no_server() {
    let (scratch, model) = (Scratch::new(""), example("oscillator/model.toml"));
    let set = "subsystem.upper.remote={ tcp = '127.0.0.1:1' }";
    let checked = scratch.cosimo(&["check", model.to_str().unwrap(), "--set", set]);
    assert_code(&checked, 0);
    assert!(String::from_utf8_lossy(&checked.stdout).contains("tcp = \"127.0.0.1:1\""));
    let sweep = ["sweep", model.to_str().unwrap(), "--set", set, "--set", "time.end=0.01,0.02", "--quiet"];
    assert_code(&scratch.cosimo(&sweep), 0);
}
