//! The protocol between the binary of an exported FMU (the shim, who asks) and the process that holds the model (the server,
//! who answers).
//!
//! # Frames
//!
//! Either side sends frames: the length of the body (`u32`) and the body, at most [`MAX_FRAME`] bytes. All numbers are little
//! endian. A text or a list is its length (`u32`) and its elements; an `Option` is a byte, 0 or 1, and the value; a boolean is
//! a byte; an alternative is a byte, its number in the order of declaration, and its fields. A body that is too short, too
//! long or malformed ends the connection; what it claims to hold is never allocated before it is there.
//!
//! # Dialogue
//!
//! The shim sends a [`Request`], the server one [`Answer`], in turn. The first request is [`Call::Hello`]. The server ends when
//! the stream ends.
//!
//! Values of variables are sent by their number: scalars in the order of the description, the elements of arrays one after
//! another. What the host sets travels with the next request. Answers to calls that change values carry the values of all
//! variables, so that the shim answers the host's questions itself, and a step costs one round trip.

mod frame;
mod sheet;
mod wire;

pub use frame::{MAX_FRAME, receive, send};
pub use sheet::{Kind, Role, SHEET_FILE, Scalar, Sheet};
pub use wire::{Input, Wire};

/// Version of the protocol; both sides must have the same.
pub const VERSION: u32 = 1;

/// Declares a type of the protocol with how it is written and read: field by field, alternatives with their number before.
macro_rules! message {
    ($(#[$meta:meta])* struct $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$doc])* pub $field: $type),* }

        impl Wire for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                $(self.$field.put(bytes);)*
            }

            fn take(input: &mut Input<'_>) -> Result<Self, String> {
                Ok(Self { $($field: Wire::take(input)?),* })
            }
        }
    };
    ($(#[$meta:meta])* enum $name:ident {
        $($(#[$doc:meta])* $number:literal $variant:ident $(($($field:ident: $type:ty),*))?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($(#[$doc])* $variant $(($($type),*))?),* }

        impl Wire for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($($field),*))? => {
                        bytes.push($number);
                        $($($field.put(bytes);)*)?
                    })*
                }
            }

            fn take(input: &mut Input<'_>) -> Result<Self, String> {
                match u8::take(input)? {
                    $($number => Ok(Self::$variant $(($(<$type>::take(input)?),*))?),)*
                    other => Err(format!("{} has no alternative {other}", stringify!($name))),
                }
            }
        }
    };
}

message! {
    /// Value of a scalar.
    enum Value {
        /// A real number.
        0 Real(number: f64),
        /// An integer.
        1 Integer(number: i32),
        /// True or false.
        2 Boolean(flag: bool),
        /// A text.
        3 Text(text: String),
    }
}

impl Value {
    /// Its type.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Real(_) => Kind::Real,
            Self::Integer(_) => Kind::Integer,
            Self::Boolean(_) => Kind::Boolean,
            Self::Text(_) => Kind::Text,
        }
    }

    /// The number, if it is real.
    pub const fn real(&self) -> Option<f64> {
        if let Self::Real(number) = self { Some(*number) } else { None }
    }

    /// The number, if it is an integer.
    pub const fn integer(&self) -> Option<i32> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// The flag, if it is true or false.
    pub const fn boolean(&self) -> Option<bool> {
        if let Self::Boolean(flag) = self { Some(*flag) } else { None }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

message! {
    /// What the host says of a simulation before it is initialised.
    struct Experiment {
        /// Time at which it starts.
        start: f64,
        /// Time at which it ends, where it is known.
        stop: Option<f64>,
        /// Relative tolerance that the unit may use inside its steps, where the host has one.
        tolerance: Option<f64>,
        /// Whether the host handles events: the unit is in event mode after its initialisation, and where a step says so.
        events: bool,
    }
}

message! {
    /// A communication step.
    struct Step {
        /// Time at which it starts.
        time: f64,
        /// Its size, positive.
        size: f64,
        /// Whether the host takes a step that ends before `time + size`.
        may_end_early: bool,
    }
}

message! {
    /// What became of a step.
    struct StepOutcome {
        /// Time that was reached: the end of the step, or less.
        reached: f64,
        /// Whether there is an event at the time reached, which the host should handle.
        event: bool,
        /// Whether the simulation should end.
        terminate: bool,
    }
}

message! {
    /// What became of an update of discrete states.
    struct EventOutcome {
        /// Whether the states must be updated once more.
        again: bool,
        /// Whether the simulation should end.
        terminate: bool,
        /// Time of the next event, where it is known.
        next_event: Option<f64>,
    }
}

message! {
    /// How serious a message is.
    enum Severity {
        /// For information.
        0 Information,
        /// Something is doubtful.
        1 Warning,
        /// Something has failed.
        2 Error,
    }
}

impl Severity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Information, Self::Warning, Self::Error];

    /// Name of the category of log messages.
    pub const fn category(&self) -> &'static str {
        match self {
            Self::Information => "logInformation",
            Self::Warning => "logStatusWarning",
            Self::Error => "logStatusError",
        }
    }
}

message! {
    /// A message to the user.
    struct Message {
        /// How serious it is.
        severity: Severity,
        /// What it says.
        text: String,
    }
}

message! {
    /// A new value of a scalar.
    struct Change {
        /// Number of the scalar.
        scalar: u32,
        /// Its value.
        value: Value,
    }
}

message! {
    /// Whose sensitivities to which scalars are asked for, and in what direction.
    struct Direction {
        /// Numbers of the scalars whose changes are asked for.
        unknowns: Vec<u32>,
        /// Numbers of the scalars that change.
        knowns: Vec<u32>,
        /// By how much they change.
        seed: Vec<f64>,
    }
}

message! {
    /// What the shim asks the server to do, after the changes of its request.
    enum Call {
        /// To begin, by a version of the protocol.
        0 Hello(version: u32),
        /// To tell the values of all scalars.
        1 Read,
        /// To begin the initialisation.
        2 EnterInitialisation(experiment: Experiment),
        /// To end it.
        3 ExitInitialisation,
        /// To step.
        4 Step(step: Step),
        /// To enter event mode.
        5 EnterEvents,
        /// To update the discrete states.
        6 UpdateDiscreteStates,
        /// To leave event mode.
        7 LeaveEvents,
        /// To keep the state.
        8 Save,
        /// To go back to a kept state.
        9 Restore(state: u64),
        /// To tell a kept state as bytes.
        10 Serialise(state: u64),
        /// To keep a state that is given as bytes.
        11 Deserialise(bytes: Vec<u8>),
        /// To tell a directional derivative.
        12 Derivative(direction: Direction),
        /// To end the simulation.
        13 Terminate,
        /// To go back to the state after `Hello`.
        14 Reset,
    }
}

message! {
    /// What the shim sends.
    struct Request {
        /// Numbers of kept states that are no longer needed.
        released: Vec<u64>,
        /// What the host has set, in order.
        changes: Vec<Change>,
        /// What is to be done then.
        call: Call,
    }
}

message! {
    /// What a call has led to.
    enum Reply {
        /// The values of all scalars: of calls without further results that may change them.
        0 Values(values: Vec<Value>),
        /// What became of a step, and the values.
        1 Stepped(outcome: StepOutcome, values: Vec<Value>),
        /// What became of an update of discrete states, and the values.
        2 Updated(outcome: EventOutcome, values: Vec<Value>),
        /// The number of a kept state.
        3 State(state: u64),
        /// A state as bytes.
        4 Bytes(bytes: Vec<u8>),
        /// A directional derivative.
        5 Numbers(numbers: Vec<f64>),
    }
}

message! {
    /// Why a call has failed.
    struct Failure {
        /// What went wrong.
        text: String,
        /// Whether the unit is no longer in the state before the call, so that it can only be reset or be set to a kept state.
        broken: bool,
    }
}

message! {
    /// What the server sends.
    struct Answer {
        /// What the unit has to say.
        messages: Vec<Message>,
        /// What the call has led to.
        result: Result<Reply, Failure>,
    }
}
