//! Terminals: variables that belong together in connections (FMI 3.0.2, 2.4.9; file `terminalsAndIcons.xml`).

use std::collections::BTreeMap;

use super::error::{DescriptionError, Problem};
use super::model::ModelDescription;
use super::reader::{Element, Source};
use super::terminal::{Terminal, TerminalMember, TerminalStreamMember};

/// How deep terminals may be nested: deeper than any plug, shallow enough for the call stack.
const MAX_DEPTH: usize = 64;

/// Reads the terminals of an FMU. `file` is the name of the file, for errors.
///
/// # Errors
///
/// If the text is no XML, lacks what the standard requires, or names variables that do not exist.
pub fn parse_terminals(
    text: &str,
    file: &str,
    description: &ModelDescription,
) -> Result<Vec<Terminal>, DescriptionError> {
    let source = Source::new(text, file);
    let document = source.document()?;
    let root = Element::root(&document, &source);
    if root.tag() != "fmiTerminalsAndIcons" {
        let (found, expected) = (root.tag().to_owned(), "fmiTerminalsAndIcons");
        return Err(root.fail(Problem::Root { found, expected }));
    }
    let names = description.names();
    root.listed("Terminals", "Terminal").map(|element| read(element, &names, MAX_DEPTH)).collect()
}

fn read(
    element: Element<'_>,
    names: &BTreeMap<&str, usize>,
    depth: usize,
) -> Result<Terminal, DescriptionError> {
    let deeper = depth.checked_sub(1).ok_or_else(|| element.fail(Problem::Depth(MAX_DEPTH)))?;
    let members = element.children_of("TerminalMemberVariable").map(|member| {
        Ok(TerminalMember {
            variable: find(member, "variableName", names)?,
            kind: member.require("variableKind")?,
            member_name: member.get("memberName")?,
        })
    });
    let stream_members = element.children_of("TerminalStreamMemberVariable").map(|member| {
        Ok(TerminalStreamMember {
            in_variable: find(member, "inStreamVariableName", names)?,
            in_member_name: member.require("inStreamMemberName")?,
            out_variable: find(member, "outStreamVariableName", names)?,
            out_member_name: member.require("outStreamMemberName")?,
        })
    });
    let terminals = element.children_of("Terminal").map(|inner| read(inner, names, deeper));
    Ok(Terminal {
        name: element.require("name")?,
        matching_rule: element.require("matchingRule")?,
        kind: element.get("terminalKind")?,
        description: element.get("description")?,
        members: members.collect::<Result<_, _>>()?,
        stream_members: stream_members.collect::<Result<_, _>>()?,
        terminals: terminals.collect::<Result<_, _>>()?,
    })
}

fn find(
    element: Element<'_>,
    attribute: &'static str,
    names: &BTreeMap<&str, usize>,
) -> Result<usize, DescriptionError> {
    let variable: String = element.require(attribute)?;
    let found = names.get(variable.as_str()).copied();
    found.ok_or_else(|| element.fail(Problem::VariableName { element: element.label(), variable }))
}
