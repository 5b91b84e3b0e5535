//! A location by its place in the source, and how it is found again in a program, edited or not.

use super::places::{Kind, Place, Places, single_spaced};
use std::fmt;
use std::str::FromStr;

/// Why a location is not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The program has no code from its file.
    #[error("the program has no code from `{file}`: the breakpoint file is for another program")]
    NoFile {
        /// The file.
        file: String,
    },
    /// The line has no such code.
    #[error("`{at}`: the line has no such instruction{}", also(.there))]
    NoCode {
        /// What was asked for.
        at: String,
        /// What the line has.
        there: Vec<String>,
    },
    /// There are several.
    #[error(
        "`{at}` is ambiguous: the line has {found} such instructions; choose one, as in `{at} 1/{found}`"
    )]
    Ambiguous {
        /// What was asked for.
        at: String,
        /// How many there are.
        found: usize,
    },
    /// There are more or fewer than the location says.
    #[error("`{at}` does not fit this program: the line has {found} such instructions")]
    Count {
        /// What was asked for.
        at: String,
        /// How many there are.
        found: usize,
    },
    /// The address is that of something else.
    #[error("`{at}`: expected it at {pc:#x}, the address in the breakpoint file, but {} is there", found(.really))]
    OtherPlace {
        /// What was asked for.
        at: String,
        /// The address.
        pc: u32,
        /// What is there.
        really: Option<String>,
    },
    /// The program was edited and no line has its text any more.
    #[error(
        "`{at}` is gone: `{function}` in `{file}` no longer has a line `{text}` with this {kind}"
    )]
    Gone {
        /// What was asked for.
        at: String,
        /// The function it was in.
        function: String,
        /// The file.
        file: String,
        /// The kind of access.
        kind: &'static str,
        /// The line's text.
        text: String,
    },
    /// The program was edited and several lines could be meant.
    #[error("`{at}` is ambiguous in the edited program: lines {} all have its text", list(.lines))]
    Several {
        /// What was asked for.
        at: String,
        /// The lines.
        lines: Vec<u32>,
    },
    /// The program was edited and nothing is known but the line.
    #[error(
        "`{at}` cannot be found in the edited program: the breakpoint file gives no `function` and `text` for it"
    )]
    Unnamed {
        /// What was asked for.
        at: String,
    },
}

fn also(all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("; it has {}", all.join(", ")) }
}

fn found(really: &Option<String>) -> String {
    really
        .as_ref()
        .map_or_else(|| "no known instruction".to_owned(), |really| format!("`{really}`"))
}

fn list(lines: &[u32]) -> String {
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What the instruction does.
    pub kind: Kind,
    /// Of a call or return: the function.
    pub callee: Option<String>,
    /// Which of the line's, from 1, and how many there are; none if there is one.
    pub which: Option<(usize, usize)>,
    /// The function around it.
    pub function: Option<String>,
    /// The text of the line.
    pub text: Option<String>,
    /// The instruction in the program that the file was made for.
    pub pc: Option<u32>,
}

impl Location {
    /// Of a place in a program.
    pub fn of(place: &Place, places: &Places) -> Self {
        let alike: Vec<u32> =
            places.iter().filter(|other| alike(other, place)).map(|other| other.pc).collect();
        let which = alike.iter().position(|pc| *pc == place.pc).filter(|_| alike.len() > 1);
        Self {
            file: place.file.clone(),
            line: place.line,
            kind: place.kind,
            callee: place.callee.clone(),
            which: which.map(|index| (index + 1, alike.len())),
            function: place.function.clone(),
            text: place.text.clone(),
            pc: Some(place.pc),
        }
    }

    /// Finds it. `same`: the program is the one that the file was made for.
    ///
    /// # Errors
    /// If it is not there, or not clear.
    pub fn find(&self, places: &Places, same: bool) -> Result<u32, Lost> {
        if let (true, Some(pc)) = (same, self.pc) {
            return self.checked(places, pc);
        }
        if !places.has_file(&self.file) {
            return Err(Lost::NoFile { file: self.file.clone() });
        }
        if same { self.on_line(places) } else { self.again(places) }
    }

    /// The address that the file has, if it is what the location says.
    fn checked(&self, places: &Places, pc: u32) -> Result<u32, Lost> {
        let place = places.at(pc, self.kind == Kind::Return);
        match place {
            Some(place) if self.is(place) && place.line == self.line => Ok(pc),
            _ => {
                let really = place.map(|place| Self::of(place, places).to_string());
                Err(Lost::OtherPlace { at: self.to_string(), pc, really })
            }
        }
    }

    fn on_line(&self, places: &Places) -> Result<u32, Lost> {
        let on_line = || {
            let all = places.iter();
            all.filter(|place| place.file == self.file && place.line == self.line)
        };
        let found: Vec<u32> =
            on_line().filter(|place| self.is(place)).map(|place| place.pc).collect();
        if found.is_empty() {
            let mut there: Vec<String> = on_line()
                .filter(|place| place.kind != Kind::Other && place.kind != Kind::Return)
                .map(|place| format!("`{}`", what(place.kind, place.callee.as_deref())))
                .collect();
            there.dedup();
            return Err(Lost::NoCode { at: self.to_string(), there });
        }
        self.one_of(&found)
    }

    /// In an edited program: by file, function, text and kind.
    fn again(&self, places: &Places) -> Result<u32, Lost> {
        let (Some(function), Some(text)) = (&self.function, &self.text) else {
            return Err(Lost::Unnamed { at: self.to_string() });
        };
        let text = single_spaced(text);
        let has_text = |place: &&Place| {
            self.is(place)
                && place.function.as_ref() == Some(function)
                && place.text.as_ref() == Some(&text)
        };
        let found: Vec<&Place> = places.iter().filter(has_text).collect();
        let mut lines: Vec<u32> = found.iter().map(|place| place.line).collect();
        lines.dedup();
        match lines.as_slice() {
            [] => Err(Lost::Gone {
                at: self.to_string(),
                function: function.clone(),
                file: self.file.clone(),
                kind: self.kind.name(),
                text,
            }),
            [_] => self.one_of(&found.iter().map(|place| place.pc).collect::<Vec<_>>()),
            _ => Err(Lost::Several { at: self.to_string(), lines }),
        }
    }

    fn one_of(&self, found: &[u32]) -> Result<u32, Lost> {
        let at = self.to_string();
        match (self.which, found) {
            (None, [pc]) => Ok(*pc),
            (None, _) => Err(Lost::Ambiguous { at, found: found.len() }),
            (Some((index, of)), found) if of == found.len() => {
                let pc = index.checked_sub(1).and_then(|index| found.get(index)).copied();
                pc.ok_or(Lost::Count { at, found: found.len() })
            }
            (Some(_), found) => Err(Lost::Count { at, found: found.len() }),
        }
    }

    fn is(&self, place: &Place) -> bool {
        let called = |callee: &String| place.callee.as_ref() == Some(callee);
        place.kind == self.kind
            && place.file == self.file
            && self.callee.as_ref().is_none_or(called)
    }
}

impl Places {
    /// What an instruction is called, or where a call comes back to if `returns`: its location, or its address if it has no line.
    pub fn name(&self, pc: u32, returns: bool) -> String {
        let place = self.at(pc, returns).or_else(|| self.at(pc, false));
        place.map_or_else(|| format!("{pc:#x}"), |place| Location::of(place, self).to_string())
    }
}

fn alike(one: &Place, other: &Place) -> bool {
    one.file == other.file
        && one.line == other.line
        && one.kind == other.kind
        && one.callee == other.callee
}

fn what(kind: Kind, callee: Option<&str>) -> String {
    match callee {
        Some(callee) => format!("{} {callee}", kind.name()),
        None => kind.name().to_owned(),
    }
}

/// As in a file: `bank.c:45 load`, `bank.c:50 call pthread_mutex_lock`, `bank.c:52 store 2/3`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} {}", self.file, self.line, what(self.kind, self.callee.as_deref()))?;
        match self.which {
            Some((index, of)) => write!(f, " {index}/{of}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a location; expected FILE:LINE and what happens there, as in \
                 `bank.c:45 load`: load, store, atomic, call, return, marker or instruction"
            )
        };
        let (place, rest) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
        let (file, line) = place.rsplit_once(':').ok_or_else(wrong)?;
        let line: u32 = line.parse().ok().filter(|line| *line > 0).ok_or_else(wrong)?;
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        let numbers = words.last().and_then(|word| word.split_once('/'));
        let which = numbers
            .map(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)))
            .map(|which: Option<(usize, usize)>| which.ok_or_else(wrong))
            .transpose()?;
        if which.is_some() {
            words.pop();
        }
        let (name, callee) = match words.as_slice() {
            [name] => (*name, None),
            [name, callee] => (*name, Some((*callee).to_owned())),
            _ => return Err(wrong()),
        };
        let kind = Kind::NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(wrong)?;
        if file.is_empty() || (callee.is_some() && !matches!(kind, Kind::Call | Kind::Return)) {
            return Err(wrong());
        }
        let (function, text, pc) = Default::default();
        Ok(Self { file: file.to_owned(), line, kind, callee, which, function, text, pc })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_reads_back_as_it_is_written() {
        for text in ["bank.c:45 load", "a/b.c:1 call pthread_mutex_lock", "x.c:9 store 2/3"] {
            assert_eq!(text.parse::<Location>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_location_is_refused() {
        for text in [
            "",
            "bank.c",
            "bank.c:45",
            "bank.c:0 load",
            ":4 load",
            "bank.c:x load",
            "bank.c:4 read",
            "bank.c:4 load x",
            "bank.c:4 load 1/x",
            "bank.c:4 call f g",
        ] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
