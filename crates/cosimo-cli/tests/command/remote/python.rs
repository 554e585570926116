//! A mechanical subsystem of another make: a cart in Python does what one in Rust does, by the least requests that the description of the
//! messages gives.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::super::examples::{column, python_has};
use super::{Scratch, assert_code, read, stderr};

/// Two carts, of which the other one swings on a spring.
const PAIR: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-2 }
[[subsystem]]
name = "other"
kind = "linear"
coordinates = ["x"]
mass = [1.0]
position = 1.0
velocity = 0.5
[[subsystem.spring]]
ground = 0
stiffness = 100.0
[[subsystem.port]]
name = "end"
coordinates = ["x"]
[[interface]]
name = "joint"
between = ["cart.hook", "other.end"]
law = "rigid"
[[subsystem]]
name = "cart"
"#;

const REMOTE: &str =
    "kind = \"remote\"\nport = [{ name = \"hook\", coordinates = 1 }]\nremote = { tcp = \"ADDRESS\" }\n";

const NATIVE: &str = "kind = \"linear\"\ncoordinates = [\"x\"]\nmass = [2.0]\nposition = 1.0\nvelocity = 0.5\n\
                      port = [{ name = \"hook\", coordinates = [\"x\"] }]\n";

/// `remote/cart.py`, which serves until this is dropped.
struct Cart(Child);

impl Cart {
    /// Starts it; where it is.
    fn start(arguments: &[&str]) -> (Self, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/remote/cart.py");
        let mut command = Command::new("python3");
        command.arg(script).args(arguments).stdout(Stdio::piped());
        let (mut process, mut line) = (command.spawn().unwrap(), String::new());
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Self(process), line.trim().rsplit(' ').next().unwrap().to_owned())
    }
}

impl Drop for Cart {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_cart_in_python_moves_as_the_native_one() {
    if !python_has("hashlib") {
        return;
    }
    let laws: [&[&str]; 2] = [&[], &["interface.joint.law=compliant", "interface.joint.stiffness=1e3"]];
    for arguments in [&[][..], &["can-roll-back"]] {
        let (_cart, address) = Cart::start(arguments);
        let scratch = Scratch::new(&format!("{PAIR}{NATIVE}"));
        fs::write(scratch.path("remote.toml"), format!("{PAIR}{}", REMOTE.replace("ADDRESS", &address)))
            .unwrap();
        for law in laws {
            let [native, found] = ["masses.toml", "remote.toml"].map(|file| {
                let sets = law.iter().flat_map(|set| ["--set", set]);
                let run: Vec<&str> =
                    ["run", file, "--quiet", "--force", "--out", "found"].into_iter().chain(sets).collect();
                assert_code(&scratch.cosimo(&run), 0);
                let results = read(&scratch.path("found/results.csv"));
                ["other.x", "other.v_x", "joint.force"].map(|name| column(&results, name))
            });
            for (found, native) in found.iter().flatten().zip(native.iter().flatten()) {
                assert!((found - native).abs() < 1e-11 * (1.0 + native.abs()), "{found} is not {native}");
            }
        }
    }
}

#[test]
fn a_cart_that_is_another_one_is_refused_by_what_differs() {
    if !python_has("hashlib") {
        return;
    }
    let (_cart, address) = Cart::start(&[]);
    let remote = REMOTE.replace("ADDRESS", &address);
    let refused = |model: String, reason: &str| {
        let scratch = Scratch::new(&model);
        let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
        assert_code(&output, 2);
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    };
    let pair = format!("{PAIR}{remote}");
    refused(pair.replace("hook", "handle"), "subsystem `cart`: its port `hook` is `handle` in the model");
    refused(pair.replace("cart", "wagon"), "subsystem `wagon`: what is served there calls itself `cart`");
    refused(
        format!("{pair}quantity = [{{ name = \"heat\", unit = \"J\" }}]\n"),
        "subsystem `cart`: it has no quantity `heat`, which the model has",
    );
    let resumed = pair.replacen("[[subsystem]]", "master = { on_loss = \"resume\" }\n[[subsystem]]", 1);
    refused(resumed, "subsystem `cart` cannot be resumed after a loss: its state cannot be saved");
}
