//! XML elements and their attributes as values, with the place in the file for errors.

use std::cell::RefCell;

use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::error::{DescriptionError, Finding, Place, Problem};
use super::guard;

/// Most XML nodes that are read: a description of a million variables has some five million, with the white space between.
const MAX_NODES: u32 = 20_000_000;
/// Longest value quoted in an error, in characters.
const MAX_QUOTED: usize = 60;

/// A file that is read: finds places, collects findings.
pub(crate) struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// How namespaces begin that are of the standard besides that of the root element; empty if there are no others.
    standard: &'static str,
    /// Byte where each line starts.
    lines: Vec<usize>,
    findings: RefCell<Vec<Finding>>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a str, file: &'a str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Self { file, text, standard: "", lines, findings: RefCell::default() }
    }

    /// A file of a standard that has several namespaces, all of which begin like this.
    pub(crate) fn of_standard(text: &'a str, file: &'a str, standard: &'static str) -> Self {
        Self { standard, ..Self::new(text, file) }
    }

    /// The XML. Document types, and with them entities that expand, are refused.
    pub(crate) fn document(&self) -> Result<Document<'a>, DescriptionError> {
        guard::check(self.text).map_err(|(at, problem)| self.fail(at, problem))?;
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        Document::parse_with_options(self.text, options).map_err(|error| {
            let at = error.pos();
            let place = Place { file: self.file.to_owned(), line: at.row as usize, column: at.col as usize };
            DescriptionError { place, problem: Box::new(Problem::Xml(error.to_string())) }
        })
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_inner()
    }

    fn place(&self, at: usize) -> Place {
        let line = self.lines.partition_point(|start| *start <= at).max(1);
        Place { file: self.file.to_owned(), line, column: at - self.lines[line - 1] + 1 }
    }

    fn fail(&self, at: usize, problem: Problem) -> DescriptionError {
        DescriptionError { place: self.place(at), problem: Box::new(problem) }
    }
}

/// An element. Elements and attributes within count if they have no namespace, or that of the root element, whatever it is,
/// or another of the standard: others are not of the standard.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    node: Node<'a, 'a>,
    /// Namespace of the root element.
    namespace: Option<&'a str>,
    source: &'a Source<'a>,
}

impl<'a> Element<'a> {
    pub(crate) fn root(document: &'a Document<'a>, source: &'a Source<'a>) -> Self {
        let node = document.root_element();
        Self { node, namespace: node.tag_name().namespace(), source }
    }

    pub(crate) fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Element<'a>> {
        let elements = self.node.children().filter(Node::is_element);
        let own = elements.filter(move |node| self.knows(node.tag_name().namespace()));
        own.map(move |node| Element { node, ..self })
    }

    fn knows(self, namespace: Option<&str>) -> bool {
        let standard = self.source.standard;
        namespace.is_none_or(|name| {
            Some(name) == self.namespace || !standard.is_empty() && name.starts_with(standard)
        })
    }

    pub(crate) fn children_of(self, tag: &str) -> impl Iterator<Item = Element<'a>> {
        self.children().filter(move |child| child.tag() == tag)
    }

    pub(crate) fn child(self, tag: &str) -> Option<Element<'a>> {
        self.children_of(tag).next()
    }

    /// The elements `tag` within the element `list`, if there is one.
    pub(crate) fn listed(self, list: &str, tag: &str) -> impl Iterator<Item = Element<'a>> {
        self.child(list).into_iter().flat_map(move |list| list.children_of(tag))
    }

    fn attribute(self, name: &str) -> Option<Attribute<'a, 'a>> {
        let mut attributes = self.node.attributes();
        attributes.find(|attribute| attribute.name() == name && self.knows(attribute.namespace()))
    }

    pub(crate) fn has(self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// The text of an attribute, empty without it.
    pub(crate) fn text(self, name: &str) -> &'a str {
        self.attribute(name).map_or("", |attribute| attribute.value())
    }

    pub(crate) fn get<T: Value>(self, name: &'static str) -> Result<Option<T>, DescriptionError> {
        let read = |attribute: Attribute<'a, 'a>| {
            T::read(attribute.value()).ok_or_else(|| self.bad_value(name, T::EXPECTED))
        };
        self.attribute(name).map(read).transpose()
    }

    pub(crate) fn require<T: Value>(self, name: &'static str) -> Result<T, DescriptionError> {
        self.get(name)?
            .ok_or_else(|| self.fail(Problem::MissingAttribute { element: self.label(), attribute: name }))
    }

    pub(crate) fn flag(self, name: &'static str) -> Result<bool, DescriptionError> {
        Ok(self.get(name)?.unwrap_or(false))
    }

    /// Where the element begins.
    pub(crate) fn place(self) -> Place {
        self.source.place(self.node.range().start)
    }

    /// An error at this element.
    pub(crate) fn fail(self, problem: Problem) -> DescriptionError {
        self.source.fail(self.node.range().start, problem)
    }

    /// The error of an attribute whose value does not read.
    pub(crate) fn bad_value(self, name: &'static str, expected: &'static str) -> DescriptionError {
        let attribute = self.attribute(name);
        let at = attribute.map_or(self.node.range().start, |attribute| attribute.range().start);
        let value = self.text(name).chars().take(MAX_QUOTED).collect();
        self.source.fail(at, Problem::Value { element: self.label(), attribute: name, value, expected })
    }

    /// Notes a mistake at this element that is tolerated.
    pub(crate) fn note(self, text: impl Into<String>) {
        self.source.findings.borrow_mut().push(Finding { place: self.place(), text: text.into() });
    }

    /// The element in words: its tag and name, or those of the element around it.
    pub(crate) fn label(self) -> String {
        let around = self.node.parent_element().map(|node| Element { node, ..self });
        match (self.attribute("name"), around) {
            (Some(name), _) => format!("<{} name=\"{}\">", self.tag(), name.value()),
            (None, Some(parent)) if parent.has("name") => format!("<{}> of {}", self.tag(), parent.label()),
            _ => format!("<{}>", self.tag()),
        }
    }
}

/// A type of value of attributes.
pub(crate) trait Value: Sized {
    /// The type in words, for errors.
    const EXPECTED: &'static str;
    /// The value, if the text is one.
    fn read(text: &str) -> Option<Self>;
}

impl Value for String {
    const EXPECTED: &'static str = "a text";
    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Value for bool {
    const EXPECTED: &'static str = "`true` or `false`";
    fn read(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl<T: Value> Value for Vec<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    fn read(text: &str) -> Option<Self> {
        text.split_whitespace().map(T::read).collect()
    }
}

macro_rules! numbers {
    ($($type:ty: $expected:literal),* $(,)?) => {$(
        impl Value for $type {
            const EXPECTED: &'static str = $expected;
            fn read(text: &str) -> Option<Self> {
                text.trim().parse().ok()
            }
        }
    )*};
}

numbers!(
    f64: "a number",
    i32: "a whole number of 32 bits",
    u32: "a whole number of 32 bits, not negative",
    i64: "a whole number of 64 bits",
    u64: "a whole number of 64 bits, not negative",
);

/// Reads an enumeration from the words of the schema.
macro_rules! words {
    ($type:ty, $expected:literal, $($word:literal => $value:ident),* $(,)?) => {
        impl $crate::description::reader::Value for $type {
            const EXPECTED: &'static str = $expected;
            fn read(text: &str) -> Option<Self> {
                match text.trim() {
                    $($word => Some(Self::$value),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use words;
