//! Elements of XML and how they are written.

use std::fmt::{Display, Write as _};

/// An element, with attributes in the order in which they were added.
pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
}

impl Element {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new() }
    }

    /// The same with an attribute.
    pub(crate) fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// The same with an attribute where there is a value that is not empty.
    pub(crate) fn maybe(self, name: &'static str, value: Option<impl Display>) -> Self {
        match value.map(|value| value.to_string()).filter(|value| !value.is_empty()) {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same with an element within.
    pub(crate) fn child(self, child: Element) -> Self {
        self.children([child])
    }

    /// The same with elements within.
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.children.extend(children);
        self
    }

    /// The same with an element within where that has elements.
    pub(crate) fn child_with_content(self, child: Element) -> Self {
        if child.children.is_empty() { self } else { self.child(child) }
    }

    /// A document of the element.
    pub(crate) fn document(&self) -> String {
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, text: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        text.push_str(&indent);
        text.push('<');
        text.push_str(self.name);
        for (name, value) in &self.attributes {
            // Writing to a text does not fail.
            let _ = write!(text, " {name}=\"{}\"", escaped(value));
        }
        if self.children.is_empty() {
            text.push_str("/>\n");
            return;
        }
        text.push_str(">\n");
        for child in &self.children {
            child.write(text, depth + 1);
        }
        let _ = writeln!(text, "{indent}</{}>", self.name);
    }
}

/// Text for the value of an attribute. What XML cannot have becomes the replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            other => out.push(other),
        }
    }
    out
}

/// A number as XML Schema writes it.
pub(crate) fn number(number: f64) -> String {
    match number {
        f64::INFINITY => "INF".to_owned(),
        f64::NEG_INFINITY => "-INF".to_owned(),
        other => format!("{other:?}"),
    }
}
