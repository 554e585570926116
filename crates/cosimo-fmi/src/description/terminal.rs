//! Terminals: variables that belong together in connections (FMI 3.0.2, 2.4.9).

/// A group of variables that are connected together.
#[derive(Clone, Debug, PartialEq)]
pub struct Terminal {
    /// Name, unique among the terminals next to it.
    pub name: String,
    /// How its members match those of another: `plug`, `bus`, `sequence` or a rule of a further standard.
    pub matching_rule: String,
    /// Kind of terminal, as of a domain of physics.
    pub kind: Option<String>,
    /// What it is, in words.
    pub description: Option<String>,
    /// Its variables.
    pub members: Vec<TerminalMember>,
    /// Its pairs of stream variables.
    pub stream_members: Vec<TerminalStreamMember>,
    /// Terminals within.
    pub terminals: Vec<Terminal>,
}

/// A variable in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminalMember {
    /// Index of the variable.
    pub variable: usize,
    /// Its role: `signal`, `inflow`, `outflow` or one of a further standard.
    pub kind: String,
    /// Its name in the terminal.
    pub member_name: Option<String>,
}

/// A pair of variables in a terminal that tell a property of a flow in either direction.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminalStreamMember {
    /// Index of the variable for flow into the FMU.
    pub in_variable: usize,
    /// Its name in the terminal.
    pub in_member_name: String,
    /// Index of the variable for flow out of the FMU.
    pub out_variable: usize,
    /// Its name in the terminal.
    pub out_member_name: String,
}
