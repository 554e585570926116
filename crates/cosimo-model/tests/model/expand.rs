//! Parameters, formulas, included files, templates and their instances, columns of CSV files.

use std::fs;

use cosimo_model::{Diagnostics, ModelSpec, Override, SubsystemKind, bundle, read_model};

use super::{mistakes, model, warnings};

/// Two masses of a spring, written without and with formulas.
fn pair(head: &str, mass: &str, stiffness: &str, position: &str) -> String {
    format!(
        r#"schema = 1
time = {{ end = 1.0, step = 1e-3 }}
{head}
[[subsystem]]
name = "a"
kind = "linear"
coordinates = ["x"]
mass = [{mass}]
stiffness = [{stiffness}]
position = {position}
"#
    )
}

fn changed(text: &str, overrides: &[&str]) -> Result<ModelSpec, Diagnostics> {
    let overrides: Vec<_> = overrides.iter().map(|change| Override::parse(change).unwrap()).collect();
    read_model("model.toml", text, &overrides).map(|(model, _)| model)
}

#[test]
fn formulas_are_their_values() {
    let plain = pair("", "2.0", "800.0", "0.25");
    let head = "[parameters]\nw = 20\nm = \"= x.y\"\nx = [1, \"= 4 / 2\", 3]\nspring.k = \"= m * w^2\"";
    let with = pair(head, "\"= m\"", "\"= spring.k\"", "\"= norm([3, 4]) / w\"");
    assert_eq!(model(&with), model(&plain));
    let other = changed(&with, &["parameters.w=10", "subsystem.a.position== 1/w"]).unwrap();
    assert_eq!(other, model(&pair("", "2.0", "200.0", "0.1")));
    // A count is a whole number, a list a vector.
    let body = |count: &str, spacing: &str| {
        format!(
            "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\nparameters = {{ n = 3, s = [1, 0, 0] }}\n[[subsystem]]\nname = \"s\"\n\
             kind = \"multibody\"\n[[subsystem.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\ncount = {count}\nspacing = {spacing}\n"
        )
    };
    assert_eq!(model(&body("\"= n + 1\"", "\"= 2 * s\"")), model(&body("4", "[2, 0, 0]")));
}

#[test]
fn mistakes_of_formulas_have_their_place() {
    let found = |head: &str, mass: &str| mistakes(&pair(head, mass, "1.0", "0.0")).to_string();
    for (head, mass, expected) in [
        ("[parameters]\nk = 1", "\"= kk\"", "model.toml:9:12: no parameter `kk`\n"),
        ("[parameters]\nk = 1", "\"= sine(k)\"", "no function `sine`"),
        ("[parameters]\nk = 1", "\"= k / 0\"", "division by zero: `k / 0`"),
        ("[parameters]\nk = 1", "\"= k +\"", "a number, a name or a bracket is missing here: `k +`"),
        ("[parameters]\nk = 1", "\"= k - 3\"", "mass[0] is -2.0, must be positive"),
        ("[parameters]\nk = 1", "\"= sin(t)\"", "mass[0] is a formula over the time, expected a number"),
        (
            "[parameters]\na = \"= b\"\nb = \"= c\"\nc = \"= a\"",
            "1",
            "parameters need each other: `a`, then `b`, then `c`, then `a`",
        ),
        ("[parameters]\na = \"= 2*q\"", "\"= a\"", "model.toml:4:10: no parameter `q`"),
        ("[parameters]\npi = 3", "1", "is no function or constant of formulas"),
        ("[parameters]\nt = 3", "1", "is not `t`, which is the time"),
        ("[parameters]\na = 1979-05-27", "1", "parameter `a` is a date, expected a number"),
        ("[parameters]\na = \"text\"", "\"= a\"", "parameter `a` is a text, which formulas cannot use"),
        ("parameters = 3", "1", "parameters is not a table"),
    ] {
        let text = found(head, mass);
        assert!(text.contains(expected), "{head} {mass}: {text}");
        assert_eq!(text.matches("model.toml:").count(), 1, "{text}");
    }
    assert!(found("[parameters]\nmass = 1", "\"= mas\"").contains("did you mean `mass`?"));
}

/// One arm: a body on a hinge, with a sensor and a port, an interface to a node of its own, and a stop.
pub(super) const ARMS: &str = r#"schema = 1
time = { end = 1.0, step = 1e-3 }
parameters = { length = 0.5 }

[[template]]
name = "arm"
requires = ["mass"]
parameters = { inertia = "= mass * length^2 / 12", kg = "= mass" }
[[template.body]]
name = "rod"
mass = "= kg"
inertia = ["= inertia / 100", "= inertia", "= inertia"]
position = ["= length / 2", 0, 0]
[[template.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[template.sensor]]
name = "tip_{number}"
type = "point"
body = "rod"
point = ["= length / 2", 0, 0]
[[template.port]]
name = "end"
body = "rod"
coordinates = 3
[[template.subsystem]]
name = "weight"
kind = "node"
mass = 0.1
position = ["= length / 2", 0, 0]
[[template.interface]]
name = "joint"
between = ["{subsystem}.end", "weight.centre"]
law = "rigid"

[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.instance]]
template = "arm"
name = "arm"
parameters = { mass = "= 1 + index" }
position = [0, 0, 2]
count = 3
around = [0, 0, 1]
"#;

#[test]
fn instances_are_parts_where_they_stand() {
    let model = model(ARMS);
    let SubsystemKind::Multibody(system) = &model.subsystems[0].kind else { panic!("multibody") };
    let names: Vec<_> = system.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["arm1_rod", "arm2_rod", "arm3_rod"]);
    assert_eq!(system.sensors[2].name, "tip_3");
    let names: Vec<_> = model.subsystems.iter().map(|subsystem| subsystem.name.as_str()).collect();
    assert_eq!(names, ["s", "arm1_weight", "arm2_weight", "arm3_weight"]);
    assert_eq!(model.interfaces[1].name, "arm2_joint");
    for (k, body) in system.bodies.iter().enumerate() {
        let angle = std::f64::consts::TAU / 3.0 * k as f64;
        let expected = [0.25 * angle.cos(), 0.25 * angle.sin(), 2.0];
        let gap = (0..3).map(|i| (body.position[i] - expected[i]).abs()).fold(0.0, f64::max);
        assert!(gap < 1e-15, "{:?}", body.position);
        assert_eq!(body.mass, 1.0 + k as f64);
        let sign = (angle / 2.0).cos().signum();
        let turn = [sign * (angle / 2.0).cos(), 0.0, 0.0, sign * (angle / 2.0).sin()];
        let gap = (0..4).map(|i| (body.orientation[i] - turn[i]).abs()).fold(0.0, f64::max);
        assert!(gap < 1e-15, "{:?}", body.orientation);
    }
    // What is printed is a model by itself.
    let again = super::model(&model.to_toml());
    assert_eq!(again, model);
    // An override of a part is what it says, of an instance or a template what it makes.
    let moved =
        changed(ARMS, &["subsystem.s.body.arm2_rod.position=[1, 2, 3]", "parameters.length=1"]).unwrap();
    let SubsystemKind::Multibody(moved) = &moved.subsystems[0].kind else { panic!("multibody") };
    assert_eq!(moved.bodies[1].position, [1.0, 2.0, 3.0]);
    assert_eq!(moved.bodies[0].position, [0.5, 0.0, 2.0]);
    let fewer = changed(ARMS, &["subsystem.s.instance.arm.count=2", "template.arm.body.rod.mass=7"]).unwrap();
    let SubsystemKind::Multibody(fewer) = &fewer.subsystems[0].kind else { panic!("multibody") };
    assert_eq!(fewer.bodies.iter().map(|body| body.mass).collect::<Vec<_>>(), [7.0, 7.0]);
}

/// An override of a parameter that is not there would change nothing.
#[test]
fn overrides_of_unknown_parameters_are_refused() {
    for (change, expected) in [
        ("parameters.lenght=1", "no parameter `lenght`"),
        ("parameters.length.x=1", "`length` is the number 0.5, it has no entry `x`"),
        ("template.arm.parameters.ki=1", "no parameter `ki`"),
        ("subsystem.s.instance.arm.parameters.lenght=1", "template `arm` has no parameter `lenght`"),
    ] {
        let text = changed(ARMS, &[change]).unwrap_err().to_string();
        assert!(text.contains(expected), "{change}: {text}");
    }
    assert!(
        changed(ARMS, &["parameters.lenght=1"]).unwrap_err().to_string().contains("did you mean `length`?")
    );
    let none = pair("", "1.0", "1.0", "0.0");
    assert!(changed(&none, &["parameters.k=1"]).unwrap_err().to_string().contains("no parameter `k`"));
    assert!(bundle("model.toml", &none, &[Override::parse("parameters.k=1").unwrap()]).is_err());
}

/// What is far too large ends with a message.
#[test]
fn sizes_are_bounded() {
    let chain: String = (0..100_000).map(|k| format!("p{k:06} = \"= p{:06}\"\n", k + 1)).collect();
    let text = mistakes(&pair(&format!("[parameters]\n{chain}p100000 = 1"), "1", "1", "0")).to_string();
    assert!(text.contains("is needed by more than 100 others"), "{text}");
    let bodies: String = (0..30)
        .map(|k| format!("[[template.body]]\nname = \"b{k}\"\nmass = 1\ninertia = [1, 1, 1]\n"))
        .collect();
    let many = format!(
        "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n[[template]]\nname = \"many\"\n{bodies}[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         [[subsystem.instance]]\ntemplate = \"many\"\nname = \"m\"\ncount = 10000\n"
    );
    assert!(mistakes(&many).to_string().contains("more than 200000 parts of instances"));
}

#[test]
fn mistakes_of_templates_name_their_instances() {
    for (before, after, expected) in [
        (
            "mass = \"= kg\"",
            "mass = \"= -kg\"",
            "model.toml:11:8: mass is -1 (\"= -kg\"), must be positive (in instances `arm1`, `arm2`, `arm3`)",
        ),
        ("mass = \"= kg\"", "mass = \"= kgg\"", "no parameter `kgg` (in instances"),
        ("type = \"revolute\"", "type = \"revolut\"", "model.toml:16:8:"),
        ("bodies = [\"ground\", \"rod\"]", "bodies = [\"ground\", \"rodd\"]", "no body `rodd`"),
        ("template = \"arm\"", "template = \"arn\"", "no template `arn`\n"),
        ("parameters = { mass = \"= 1 + index\" }", "", "the instance of template `arm` lacks `mass`"),
        (
            "parameters = { mass = \"= 1 + index\" }",
            "parameters = { mass = 1, lenght = 2 }",
            "template `arm` has no parameter `lenght`",
        ),
        (
            "parameters = { mass = \"= 1 + index\" }",
            "parameters = { mass = \"= 1 + indx\" }",
            "no parameter `indx`\n",
        ),
        ("count = 3", "count = 1000000", "more than 10000 instances"),
        ("count = 3", "count = 0", "count is 0, must be at least 1"),
        ("count = 3\n", "", "around has no effect on a single instance"),
        ("tip_{number}", "tip_{numbre}", "no parameter `numbre`"),
        (
            "[[template.port]]",
            "[[template.instance]]\ntemplate = \"arm\"\nname = \"inner\"\nparameters = { mass = 1 }\n[[template.port]]",
            "a template within itself: `arm` in `arm`",
        ),
        (
            "requires = [\"mass\"]",
            "requires = [\"mass\"]\nstiffness = 3",
            "`stiffness` is no list of parts of template `arm`",
        ),
        ("kind = \"node\"", "kind = \"linear\"", "of kind \"linear\" has no place in space"),
    ] {
        assert!(ARMS.contains(before), "{before}");
        let text = mistakes(&ARMS.replace(before, after)).to_string();
        assert!(text.contains(expected), "{after}: {text}");
        // The instance of a template that lacks something says nothing of what lacks it.
        let most = if after.contains("rodd") || after.contains("linear") { 4 } else { 1 };
        assert!(text.matches("model.toml:").count() <= most, "{text}");
    }
    let unused = ARMS.split("[[subsystem.instance]]").next().unwrap().to_owned()
        + "[[subsystem.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
    assert!(warnings(&unused).contains("template `arm` is not used"));
}

#[test]
fn files_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "parts.toml",
        "include = \"more.toml\"\n[parameters]\nk = 3\nm = 2\n[[subsystem]]\nname = \"a\"\nkind = \"node\"\nmass = \"= m\"\n",
    );
    write("more.toml", "schema = 1\n[[subsystem]]\nname = \"b\"\nkind = \"node\"\nmass = \"= k\"\n");
    write("drive.csv", "# of a drive\ntime,angle,speed\n0,0,1\n0.5, 2,3\n");
    let main = folder.path().join("main.toml");
    let read = |text: &str| read_model(&main.display().to_string(), text, &[]);
    let text = "schema = 1\ninclude = [\"parts.toml\", \"more.toml\"]\ntime = { end = 1.0, step = 1e-3 }\n[parameters]\nk = 5\n[[subsystem]]\nname = \"c\"\nkind = \"node\"\nmass = 1\nload = [{ direction = [1, 0, 0], time = { csv = \"drive.csv\", column = \"time\" }, value = { csv = \"drive.csv\", column = \"speed\" } }]\n";
    let (model, _) = read(text).unwrap();
    let plain = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"b\"\nkind = \"node\"\nmass = 5\n[[subsystem]]\nname = \"a\"\nkind = \"node\"\nmass = 2\n[[subsystem]]\nname = \"c\"\nkind = \"node\"\nmass = 1\nload = [{ direction = [1, 0, 0], time = [0, 0.5], value = [1, 3] }]\n";
    assert_eq!(model, super::model(plain));

    // In one text, which says the same elsewhere, with the parameters.
    let bundled =
        bundle(&main.display().to_string(), text, &[Override::parse("parameters.m=7").unwrap()]).unwrap();
    assert_eq!(super::model(&bundled.text), super::model(&plain.replace("mass = 2", "mass = 7")));
    assert_eq!(bundled.parameters["m"], toml::Value::Float(7.0));

    let mistake = |text: &str| read(text).unwrap_err().to_string();
    assert!(
        mistake(&text.replace("speed\" } }", "sped\" } }"))
            .contains("no column `sped`; it has `time`, `angle`, `speed`")
    );
    write("twice.csv", "time,speed,speed\n0,1,2\n0.5,3,4\n");
    assert!(mistake(&text.replace("drive.csv", "twice.csv")).contains("several columns are called `speed`"));
    assert!(
        mistake(&text.replace("drive.csv\", column = \"speed", "dive.csv\", column = \"speed"))
            .contains("cannot read")
    );
    write("more.toml", "include = [\"parts.toml\"]\n");
    assert!(mistake(text).contains("files include each other"), "{}", mistake(text));
    write("more.toml", "[[subsystem]]\nname = \"b\"\nkind = \"node\"\nmass = -1\n");
    assert!(mistake(text).contains("more.toml:4:8: mass is -1, must be positive"), "{}", mistake(text));
    write("more.toml", "[[subsystem]\n");
    assert!(mistake(text).contains("more.toml:1:"), "{}", mistake(text));
    assert!(mistake(&text.replace("parts.toml", "none.toml")).contains("cannot read"));
}

/// A drive by a formula: the motion is the exact integral of the speed, printed and read back.
#[test]
fn speeds_over_time_are_formulas() {
    let text = r#"schema = 1
time = { end = 60, step = 1e-3 }
parameters = { w = 28, rise = 20 }
[[subsystem]]
name = "rotor"
kind = "multibody"
[[subsystem.body]]
name = "hub"
mass = 1
inertia = [1, 1, 1]
[[subsystem.joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "drive"
type = "angle"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
speed = "= w/2*(1 - cos(pi*clamp((t - 5)/rise, 0, 1)))"
"#;
    let found = model(text);
    assert!(
        found.to_toml().contains("speed = \"= 28.0/2*(1 - cos(pi*clamp((t - 5)/20.0, 0, 1)))\""),
        "{}",
        found.to_toml()
    );
    assert_eq!(model(&found.to_toml()), found);
    let bad = mistakes(&text.replace("(t - 5)", "(t - q)")).to_string();
    assert!(bad.contains("no parameter `q`"), "{bad}");
    let bad =
        mistakes(&text.replace("= w/2*(1 - cos(pi*clamp((t - 5)/rise, 0, 1)))", "= 1/(t - 30)")).to_string();
    assert!(bad.contains("its integral is not found"), "{bad}");
}

/// Loads by formulas, of every kind that takes loads: m a = F sin(w t).
#[test]
fn loads_over_time_are_formulas() {
    let text = r#"schema = 1
time = { end = 1.0, step = 1e-3 }
parameters = { f = 3.0, w = 5.0 }
[[subsystem]]
name = "node"
kind = "node"
mass = 2.0
load = [{ direction = [1, 0, 0], value = "= f*sin(w*t)" }]
[[subsystem]]
name = "line"
kind = "linear"
mass = [2.0]
load = [{ direction = [1], value = "= f*sin(w*t)" }]
[[subsystem]]
name = "bodies"
kind = "multibody"
[[subsystem.body]]
name = "b"
mass = 2.0
inertia = [1, 1, 1]
[[subsystem.load]]
body = "b"
direction = [1, 0, 0]
value = "= f*sin(w*t)"
"#;
    let found = model(text);
    assert_eq!(model(&found.to_toml()), found);
    let (_, value) = super::building::run(&found);
    let exact = 3.0 / (2.0 * 5.0) * (1.0 - 5.0_f64.sin() / 5.0);
    for name in ["node.x", "line.q0", "bodies.b.x"] {
        assert!((value(name) - exact).abs() < 1e-6, "{name}: {} {exact}", value(name));
    }
}

/// The example of the description: a file, and the template that it includes.
#[test]
fn the_example_of_the_description_is_a_model() {
    let description = include_str!("../../../../docs/reference/model-file.md");
    let block = |start: &str| {
        let from = description.find(&format!("```text\n{start}")).unwrap() + "```text\n".len();
        &description[from..from + description[from..].find("```").unwrap()]
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.toml"), block("[[template]]\nname = \"arm\"")).unwrap();
    let main = folder.path().join("main.toml").display().to_string();
    let read = read_model(&main, block("schema = 1\ntime = { end = 1.0, step = 1e-3 }\ninclude"), &[]);
    let (found, warnings) = read.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let SubsystemKind::Multibody(system) = &found.subsystems[0].kind else { panic!("multibody") };
    let names: Vec<_> = system.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["arm1_rod", "arm2_rod", "arm3_rod"]);
    assert_eq!((system.bodies[2].mass, system.sensors[1].name.as_str()), (1.2, "angle_2"));
    assert!(warnings.is_empty());
}

/// An instance without a name has the names of its template, truths are parameters, and what is within a part keeps its names.
#[test]
fn names_and_truths_of_instances() {
    let text = r#"schema = 1
time = { end = 1.0, step = 1e-3 }
[[template]]
name = "inner"
parameters = { k = 0 }
[[template.subsystem]]
name = "mass"
kind = "node"
mass = "= 1 + k"
plane = [{ name = "floor", normal = [0, 0, 1], restitution = 0 }]
[[template]]
name = "outer"
parameters = { moves = true }
[[template.instance]]
template = "inner"
parameters = { k = "= number" }
[[template]]
name = "bodies"
parameters = { ports = true }
[[template.beam]]
name = "rod"
length = 1
elements = 1
ports = "= ports"
section = { mass = 1, second_moment = [1, 1, 0], axial = 1, torsion = 1, bending = [1, 1] }
[[template.port]]
name = "end"
body = "rod.1"
coordinates = 3
[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.instance]]
template = "bodies"
[[instance]]
template = "outer"
name = "o"
count = 2
"#;
    let found = model(text);
    let names: Vec<_> = found.subsystems.iter().map(|subsystem| subsystem.name.as_str()).collect();
    assert_eq!(names, ["s", "o1_mass", "o2_mass"]);
    let SubsystemKind::Node(node) = &found.subsystems[2].kind else { panic!("node") };
    assert_eq!((node.mass, node.planes[0].name.as_str()), (3.0, "floor"));
    let SubsystemKind::Multibody(system) = &found.subsystems[0].kind else { panic!("multibody") };
    assert_eq!(
        system.ports.iter().map(|port| port.name.as_str()).collect::<Vec<_>>(),
        ["end", "rod_0", "rod_1"]
    );
}
