//! Errors of a hunt.

/// One sentence each; where the input is at fault, it says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    Host(#[from] crate::Error),
    /// The program does not compile, or there is no compiler.
    #[error(transparent)]
    Compile(#[from] firmware::Error),
    /// The machine cannot be built or run, or there is none of this configuration.
    #[error(transparent)]
    Machine(Box<dyn std::error::Error + Send + Sync>),
    /// The request cannot be fulfilled.
    #[error("{0}")]
    Refused(String),
    /// More threads are alive at once than the machine has harts.
    #[error("{sentence}{}", needed.map_or("", |_| ", or more if it starts more threads"))]
    Harts {
        /// The firmware's own sentence. It ends a run at the first thread that finds no hart.
        sentence: String,
        /// The number that it names; none: no machine has as many.
        needed: Option<u32>,
    },
    /// The firmware sent something invalid.
    #[error("schedule {seed}: {what}")]
    Firmware {
        /// The seed of the run.
        seed: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl HuntError {
    /// The same, with the program's name before what the program itself does not suit.
    pub(super) fn of(self, program: &str) -> Self {
        match self {
            Self::Refused(what) => Self::Refused(format!("`{program}`: {what}")),
            Self::Harts { sentence, needed } => {
                Self::Harts { sentence: format!("`{program}`: {sentence}"), needed }
            }
            error => error,
        }
    }
}

impl From<kit::file::Unwritable> for HuntError {
    fn from(error: kit::file::Unwritable) -> Self {
        Self::Host(error.into())
    }
}
