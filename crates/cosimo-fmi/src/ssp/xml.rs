//! Writing of XML.

/// An attribute; without a value it is left out.
pub(super) type Attribute<'a> = (&'a str, Option<String>);

/// An XML file that is written.
pub(super) struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    /// A file with this root element.
    pub(super) fn file(tag: &str, attributes: &[Attribute<'_>], inner: impl FnOnce(&mut Self)) -> String {
        let mut xml = Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 };
        xml.element(tag, attributes, inner);
        xml.text
    }

    /// An element with others within.
    pub(super) fn element(&mut self, tag: &str, attributes: &[Attribute<'_>], inner: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        let empty = self.text.len();
        self.text.push_str(">\n");
        self.depth += 1;
        let begin = self.text.len();
        inner(self);
        self.depth -= 1;
        if self.text.len() == begin {
            self.text.truncate(empty);
            self.text.push_str("/>\n");
        } else {
            self.text.push_str(&format!("{:1$}</{tag}>\n", "", 2 * self.depth));
        }
    }

    /// An element with others within, left out if there are none.
    pub(super) fn list<T>(&mut self, tag: &str, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        if !items.is_empty() {
            self.element(tag, &[], |xml| items.iter().for_each(|item| write(xml, item)));
        }
    }

    /// An element with nothing within.
    pub(super) fn leaf(&mut self, tag: &str, attributes: &[Attribute<'_>]) {
        self.start(tag, attributes);
        self.text.push_str("/>\n");
    }

    fn start(&mut self, tag: &str, attributes: &[Attribute<'_>]) {
        self.text.push_str(&format!("{:1$}<{tag}", "", 2 * self.depth));
        for (name, value) in attributes {
            let Some(value) = value else { continue };
            self.text.push_str(&format!(" {name}=\""));
            for character in value.chars() {
                match character {
                    '&' => self.text.push_str("&amp;"),
                    '<' => self.text.push_str("&lt;"),
                    '"' => self.text.push_str("&quot;"),
                    '\t' | '\n' | '\r' => self.text.push_str(&format!("&#{};", u32::from(character))),
                    character => self.text.push(character),
                }
            }
            self.text.push('"');
        }
    }
}

/// A character that XML cannot have in any form.
pub(super) fn forbidden(character: char) -> bool {
    matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// The number as XML has it: exactly, with words for what is not finite.
pub(super) fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "INF".to_owned(),
        f64::NEG_INFINITY => "-INF".to_owned(),
        value => format!("{value:?}"),
    }
}

/// Values with spaces between.
pub(super) fn join<T>(values: &[T], write: impl Fn(&T) -> String) -> Option<String> {
    Some(values.iter().map(write).collect::<Vec<_>>().join(" "))
}
