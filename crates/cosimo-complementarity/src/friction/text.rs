//! Friction-contact problems as text.

use thiserror::Error;

/// A friction-contact problem with everything that it is made of.
///
/// ```
/// use cosimo_complementarity::friction::FrictionText;
/// let text = "mu\n0.5\nq\n-1.0\n0.3\nW_triplets\n0 0 2.0\n1 1 2.0\n";
/// let problem = FrictionText::parse(text)?;
/// assert_eq!((problem.friction.len(), problem.dimension()), (1, 2));
/// # Ok::<(), cosimo_complementarity::friction::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrictionText {
    /// Coefficients of friction (–), one per contact.
    pub friction: Vec<f64>,
    /// `q` (m/s), two or three numbers per contact, normal first.
    pub offset: Vec<f64>,
    /// Row, column (0-based) and value (1/kg) of the entries of `W`.
    pub entries: Vec<(usize, usize, f64)>,
}

/// Why a text is no friction-contact problem.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// A line that is not what its section wants.
    #[error("line {line}: `{found}` is not {wanted}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// A heading that is none.
    #[error(
        "line {line}: there is no section `{found}`; known are mu, q, W_triplets and solution_r, which is left alone"
    )]
    Heading {
        /// Number of the line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A section that is missing or empty.
    #[error("there is no section `{section}`, or nothing in it")]
    Missing {
        /// Its heading.
        section: &'static str,
    },
    /// Lengths that do not belong together.
    #[error("mu has {contacts} entries and q has {found}: there must be 2 or 3 numbers per contact")]
    Lengths {
        /// Contacts, by their coefficients.
        contacts: usize,
        /// Length of `q`.
        found: usize,
    },
}

impl FrictionText {
    /// Reads the sections `mu`, `q` and `W_triplets`, each headed by a line that begins with its name, with one
    /// coefficient, one number, and `row column value` a line. Lines that begin with `#` or `contacts` are comments; a section
    /// `solution_r` is left alone.
    ///
    /// # Errors
    /// The first line that is wrong, a section that is missing, or lengths that do not belong together.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut read = Self::default();
        let mut section = "";
        for (index, content) in text.lines().enumerate() {
            let Some(first) = content.split_whitespace().next() else { continue };
            if first.starts_with('#') || first == "contacts" {
                continue;
            }
            if first.starts_with(char::is_alphabetic) && first.parse::<f64>().is_err() {
                section = SECTIONS
                    .into_iter()
                    .find(|known| *known == first)
                    .ok_or_else(|| TextError::Heading { line: index + 1, found: shortened(first) })?;
            } else {
                read.take(section, content).map_err(|wanted| TextError::Line {
                    line: index + 1,
                    found: shortened(content.trim()),
                    wanted,
                })?;
            }
        }
        read.check()?;
        Ok(read)
    }

    /// Numbers a contact: 2 in the plane, 3 in space.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.offset.len() / self.friction.len().max(1)
    }

    /// Takes a line of a section; else says what is wanted there.
    fn take(&mut self, section: &str, content: &str) -> Result<(), &'static str> {
        let words: Vec<&str> = content.split_whitespace().collect();
        let number = |word: &str| word.parse::<f64>().map_err(|_| "a number");
        match (section, words.as_slice()) {
            ("mu", [value]) => self.friction.push(number(value)?),
            ("q", [value]) => self.offset.push(number(value)?),
            ("mu" | "q", _) => return Err("one number"),
            ("W_triplets", [row, column, value]) => {
                let index = |word: &str| word.parse::<usize>().map_err(|_| "`row column value`, 0-based");
                self.entries.push((index(row)?, index(column)?, number(value)?));
            }
            ("W_triplets", _) => return Err("`row column value`"),
            ("", _) => return Err("a heading (mu, q or W_triplets)"),
            _ => {}
        }
        Ok(())
    }

    fn check(&self) -> Result<(), TextError> {
        let sections = [
            ("mu", self.friction.is_empty()),
            ("q", self.offset.is_empty()),
            ("W_triplets", self.entries.is_empty()),
        ];
        if let Some((section, _)) = sections.into_iter().find(|(_, is_empty)| *is_empty) {
            return Err(TextError::Missing { section });
        }
        let (contacts, found) = (self.friction.len(), self.offset.len());
        if found == 2 * contacts || found == 3 * contacts {
            return Ok(());
        }
        Err(TextError::Lengths { contacts, found })
    }
}

/// Headings.
const SECTIONS: [&str; 4] = ["mu", "q", "W_triplets", "solution_r"];

/// Characters of a line that are repeated to who wrote it.
const SHOWN: usize = 60;

fn shortened(line: &str) -> String {
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_line() {
        let wrong = |text: &str| FrictionText::parse(text).unwrap_err().to_string();
        assert_eq!(wrong("0.3\n"), "line 1: `0.3` is not a heading (mu, q or W_triplets)");
        assert_eq!(wrong("mu\n0.3\nq\n1\n2\n"), "there is no section `W_triplets`, or nothing in it");
        let heading = wrong("mu\n0.3\nq\n1\n2\nW_triplet\n0 0 1\n");
        assert!(
            heading.starts_with("line 6: there is no section `W_triplet`; known are mu, q, W_triplets"),
            "{heading}"
        );
        assert_eq!(wrong("mu\n0.3 0.4\n"), "line 2: `0.3 0.4` is not one number");
        assert_eq!(wrong("mu\n0.3\nW_triplets\n0 0\n"), "line 4: `0 0` is not `row column value`");
        assert_eq!(
            wrong("mu\n0.3\nW_triplets\n-1 0 2\n"),
            "line 4: `-1 0 2` is not `row column value`, 0-based"
        );
        let lengths = wrong("mu\n0.3\nq\n1\nW_triplets\n0 0 1\n");
        assert_eq!(lengths, "mu has 1 entries and q has 1: there must be 2 or 3 numbers per contact");
    }
}
