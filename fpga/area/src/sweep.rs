//! Sweeps: which configurations a study looks at.

use crate::Error;
use config::Config;
use serde::Serialize;

/// Maximum number of points in a study; more are probably a typing error.
const MOST_POINTS: usize = 256;

/// A key and the values it takes, as TOML writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sweep {
    /// The key, with dots.
    pub key: String,
    /// Its values, in the order given.
    pub values: Vec<String>,
}

impl std::str::FromStr for Sweep {
    type Err = String;

    /// Reads `KEY=A,B,C`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) =
            text.split_once('=').ok_or("expected KEY=A,B,C, such as ct.depth=64,256")?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(format!("{key} has an empty value; expected values separated by commas"));
        }
        let repeated = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value));
        if let Some((_, value)) = repeated {
            return Err(format!("{key} has the value {value} twice; give each value once"));
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// A key with one of its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The key.
    pub key: String,
    /// The value, as TOML writes it.
    pub value: String,
}

/// One configuration of a study.
#[derive(Clone, Debug)]
pub struct Point {
    /// The settings of the sweeps; none for the base configuration.
    pub settings: Vec<Setting>,
    /// All of it.
    pub config: Config,
}

impl Point {
    /// Its name: what the sweeps set.
    pub fn label(&self) -> String {
        label(&self.settings)
    }
}

/// Settings in one line.
pub fn label(settings: &[Setting]) -> String {
    if settings.is_empty() {
        return "as configured".to_owned();
    }
    let each: Vec<_> = settings.iter().map(|set| format!("{} = {}", set.key, set.value)).collect();
    each.join(", ")
}

/// Every combination of the sweeps' values over `base`; without sweeps `base` alone. All values are
/// checked before anything is synthesized.
pub fn points(base: &Config, sweeps: &[Sweep]) -> Result<Vec<Point>, Error> {
    if let Some(twice) = sweeps.iter().enumerate().find_map(|(at, sweep)| {
        sweeps[..at].iter().any(|other| other.key == sweep.key).then_some(&sweep.key)
    }) {
        return Err(Error::BadInput(format!("{twice} is swept twice; give all values at once")));
    }
    let count = sweeps.iter().map(|sweep| sweep.values.len()).try_fold(1, usize::checked_mul);
    if count.is_none_or(|count| count > MOST_POINTS) {
        let most =
            format!("the sweeps have more than {MOST_POINTS} combinations; use fewer values");
        return Err(Error::BadInput(most));
    }
    let mut points = vec![Point { settings: Vec::new(), config: base.clone() }];
    for sweep in sweeps {
        let mut next = Vec::new();
        for point in &points {
            for value in &sweep.values {
                next.push(extended(point, &sweep.key, value)?);
            }
        }
        points = next;
    }
    Ok(points)
}

fn extended(point: &Point, key: &str, value: &str) -> Result<Point, Error> {
    let config = with(&point.config, key, value)
        .map_err(|error| Error::BadInput(format!("--sweep {key}={value}: {error}")))?;
    let setting = Setting { key: key.to_owned(), value: value.to_owned() };
    let settings = point.settings.iter().cloned().chain([setting]).collect();
    Ok(Point { settings, config })
}

/// `config` with one key changed. Words may be written without quotes, as a shell likes them.
fn with(config: &Config, key: &str, value: &str) -> Result<Config, config::ConfigError> {
    let is_plain = |text: &str, also: &str| {
        text.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c))
    };
    let is_word = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && is_plain(value, "-_")
        && !["true", "false"].contains(&value);
    let value = if is_word { format!("{value:?}") } else { value.to_owned() };
    // What is no key at all is quoted, so that it is answered as an unknown key and not as bad TOML.
    let key =
        if is_plain(key, "._") && !key.is_empty() { key.to_owned() } else { format!("{key:?}") };
    config.with(&format!("{key} = {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(sweeps: &[&str]) -> Result<Vec<String>, String> {
        let sweeps: Result<Vec<Sweep>, _> = sweeps.iter().map(|text| text.parse()).collect();
        let points = points(&Config::default(), &sweeps?).map_err(|error| error.to_string())?;
        Ok(points.iter().map(Point::label).collect())
    }

    #[test]
    fn sweeps_are_combined_in_the_order_given() {
        let found = labels(&["context.events=1,5", "ct.overflow=discard,stall"]).unwrap();
        assert_eq!(
            found,
            [
                "context.events = 1, ct.overflow = discard",
                "context.events = 1, ct.overflow = stall",
                "context.events = 5, ct.overflow = discard",
                "context.events = 5, ct.overflow = stall",
            ]
        );
        assert_eq!(labels(&[]).unwrap(), ["as configured"]);
    }

    #[test]
    fn what_is_wrong_with_a_sweep_is_one_sentence() {
        let cases = [
            (
                "context.event=1",
                "--sweep context.event=1: unknown key `context.event`; did you mean `context.events`?",
            ),
            (
                "ct.depth=64,3",
                "--sweep ct.depth=3: ct.depth = 3 is not allowed; allowed: 4 to 65536",
            ),
            ("ct.depth", "expected KEY=A,B,C, such as ct.depth=64,256"),
            ("ct.depth=", "ct.depth has an empty value; expected values separated by commas"),
            (
                "ct.depth=64,,128",
                "ct.depth has an empty value; expected values separated by commas",
            ),
            ("ct.depth=64,64", "ct.depth has the value 64 twice; give each value once"),
            (
                "ct.overflow=block",
                "--sweep ct.overflow=block: ct.overflow = \"block\" is not allowed; allowed: \"discard\", \"stall\"",
            ),
            (
                "metadata.home=memory",
                "--sweep metadata.home=memory: metadata.update = \"miss\" is not allowed; allowed: \"first-write\", \"every-write\", because metadata.home = \"memory\"",
            ),
        ];
        for (sweep, said) in cases {
            assert_eq!(labels(&[sweep]).unwrap_err(), said, "{sweep}");
        }
        for odd in ["x y=1", "=1", "a]b=1"] {
            assert!(labels(&[odd]).unwrap_err().contains("unknown key"), "{odd}");
        }
        assert_eq!(
            labels(&["harts=1", "harts=2"]).unwrap_err(),
            "harts is swept twice; give all values at once"
        );
        let many = (4..300).map(|depth| depth.to_string()).collect::<Vec<_>>().join(",");
        assert!(labels(&[&format!("ct.depth={many}")]).unwrap_err().contains("more than 256"));
    }
}
