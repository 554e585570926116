//! The file in the resources of an FMU that tells the shim what to start and which variables there are.
//!
//! Lines of words, the first of which says what the line is:
//!
//! ```text
//! cosimo-fmu 1
//! token {4f1c…}
//! server cosimo
//! argument serve-fmu
//! argument {resources}/model.toml
//! variable real input 1
//! variable real feedthrough 3
//! ```
//!
//! `server` is a file in the folder of resources; `{resources}` in arguments stands for that folder. Variables come in the order
//! of the description, with the number of their elements. Value reference 0 is the time, that of a scalar is its number plus
//! one, that of an array that of its first element.

/// Name of the file in the folder of resources.
pub const SHEET_FILE: &str = "cosimo-fmu.txt";

const TITLE: &str = "cosimo-fmu 1";
const RESOURCES: &str = "{resources}";

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Real numbers.
    Real,
    /// Integers of 32 bits.
    Integer,
    /// True or false.
    Boolean,
    /// Text.
    Text,
}

/// What a variable is to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter that is fixed when the initialisation ends.
    Parameter,
    /// A parameter that may be changed between steps.
    Tunable,
    /// An input.
    Input,
    /// An output that depends on inputs of the past alone.
    Output,
    /// An output that depends on the present values of inputs.
    Feedthrough,
    /// Anything that can be read only.
    Local,
    /// A clock that the host ticks in event mode.
    Clock,
}

/// A scalar as the shim sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its type.
    pub kind: Kind,
    /// What it is to the host.
    pub role: Role,
    /// How many scalars the variable has that begins here; 0 within an array.
    pub count: usize,
}

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Token that the host must know.
    pub token: String,
    /// Name of the executable in the folder of resources.
    pub server: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its scalars, in the order of their numbers.
    pub scalars: Vec<Scalar>,
}

impl Sheet {
    /// Adds a variable of `count` scalars.
    pub fn push(&mut self, kind: Kind, role: Role, count: usize) {
        self.scalars.extend((0..count).map(|element| {
            let count = if element == 0 { count } else { 0 };
            Scalar { kind, role, count }
        }));
    }

    /// The arguments of the server in a folder of resources.
    pub fn arguments_in(&self, resources: &str) -> impl Iterator<Item = String> {
        self.arguments.iter().map(move |argument| argument.replace(RESOURCES, resources))
    }

    /// The sheet as text.
    pub fn write(&self) -> String {
        let mut text = format!("{TITLE}\ntoken {}\nserver {}\n", self.token, self.server);
        for argument in &self.arguments {
            text += &format!("argument {argument}\n");
        }
        for scalar in self.scalars.iter().filter(|scalar| scalar.count > 0) {
            let (kind, role) = (name(KINDS, scalar.kind), name(ROLES, scalar.role));
            text += &format!("variable {kind} {role} {}\n", scalar.count);
        }
        text
    }

    /// Reads a sheet.
    ///
    /// # Errors
    ///
    /// If the text is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(format!("{SHEET_FILE} does not begin with `{TITLE}`"));
        }
        let mut sheet = Self::default();
        for line in lines {
            let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
            match what {
                "token" => sheet.token = rest.to_owned(),
                "server" => sheet.server = rest.to_owned(),
                "argument" => sheet.arguments.push(rest.to_owned()),
                "variable" => sheet.push_line(rest).ok_or_else(|| wrong(line))?,
                _ => return Err(wrong(line)),
            }
        }
        Ok(sheet)
    }

    fn push_line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let kind = named(KINDS, words.next()?)?;
        let role = named(ROLES, words.next()?)?;
        let count: u32 = words.next()?.parse().ok().filter(|count| *count > 0)?;
        self.push(kind, role, usize::try_from(count).ok()?);
        words.next().is_none().then_some(())
    }
}

const KINDS: &[(Kind, &str)] =
    &[(Kind::Real, "real"), (Kind::Integer, "integer"), (Kind::Boolean, "boolean"), (Kind::Text, "text")];

const ROLES: &[(Role, &str)] = &[
    (Role::Parameter, "parameter"),
    (Role::Tunable, "tunable"),
    (Role::Input, "input"),
    (Role::Output, "output"),
    (Role::Feedthrough, "feedthrough"),
    (Role::Local, "local"),
    (Role::Clock, "clock"),
];

fn name<T: PartialEq>(names: &[(T, &'static str)], wanted: T) -> &'static str {
    names.iter().find(|(own, _)| *own == wanted).map_or("", |(_, name)| name)
}

fn named<T: Copy>(names: &[(T, &str)], wanted: &str) -> Option<T> {
    names.iter().find(|(_, name)| *name == wanted).map(|(own, _)| *own)
}

fn wrong(line: &str) -> String {
    format!("{SHEET_FILE} has the line `{line}`, which is none of its lines")
}
