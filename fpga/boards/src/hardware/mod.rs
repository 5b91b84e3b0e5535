//! The hardware that a board adds to the simulated machine: a serial line, a memory chip controller, a
//! program loader.

mod clerk;
mod computer;
mod crc;
mod duo;
mod loader;
mod patient;
mod sdram;
mod serial;
mod talker;

pub use clerk::{Clerk, ClerkIo};
pub use computer::{Computer, ComputerIo};
pub use duo::{Duo, DuoIo};
pub use loader::{Loader, LoaderIo, hello_frame};
pub use patient::PatientCore;
pub use sdram::{Sdram, SdramIo, SdramPins};
pub use serial::{SerialReceiver, SerialReceiverIo, SerialTransmitter, SerialTransmitterIo};
pub use talker::{Step, Talked, Talker};
