//! Serving a recorded run to gdb, in its remote serial protocol.
//!
//! The `gdbstub` crate speaks the protocol; here is what its requests mean for a [`Walk`]. A hart is a thread of
//! gdb, with its number plus one.

mod session;
mod wire;

pub use session::Session;

use crate::recording::Recording;
use crate::walk::Walk;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError};
use std::convert::Infallible;
use std::io::{self, Read, Write};
use wire::Wire;

/// The longest packet that a client may send, in bytes.
const LONGEST_PACKET: usize = 1 << 16;

/// What a server says in words. It knows names and lines; the protocol does not.
pub trait Teller {
    /// A hart at a moment, in one line: its thread, its mode, what it waits for.
    fn hart(&self, recording: &Recording, walk: &Walk, hart: usize) -> String;

    /// The answer to a `monitor` command.
    fn monitor(&self, recording: &Recording, walk: &Walk, command: &str) -> String;
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client said that it is done.
    Detached,
    /// The connection was closed.
    Closed,
}

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The connection failed.
    #[error("the connection to the debugger failed: {0}")]
    Connection(io::Error),
    /// The client does not speak gdb's protocol, or what it asked for is not part of this server's.
    #[error("the session with the debugger failed: {0}")]
    Protocol(String),
}

impl From<GdbStubError<Infallible, io::Error>> for ServerError {
    fn from(error: GdbStubError<Infallible, io::Error>) -> Self {
        let text = error.to_string();
        match error.into_connection_error() {
            Some((error, _)) => Self::Connection(error),
            None => Self::Protocol(text),
        }
    }
}

/// Serves one client to the end of its session.
///
/// # Errors
/// If the connection fails, or the client sends what is no request.
pub fn serve(
    from: impl Read,
    to: impl Write,
    session: &mut Session<'_>,
) -> Result<Ended, ServerError> {
    let stub = GdbStub::builder(Wire::new(from, to)).packet_buffer_size(LONGEST_PACKET).build();
    let stub = stub.map_err(|error| ServerError::Protocol(error.to_string()))?;
    let mut state = stub.run_state_machine(session)?;
    loop {
        state = match state {
            GdbStubStateMachine::Idle(mut idle) => {
                match idle.borrow_conn().next().map_err(ServerError::Connection)? {
                    Some(byte) => idle.incoming_data(session, byte)?,
                    None => return Ok(Ended::Closed),
                }
            }
            GdbStubStateMachine::Running(running) => {
                let stop = session.go();
                running.report_stop(session, stop)?
            }
            GdbStubStateMachine::CtrlCInterrupt(interrupted) => {
                let stop = session.interrupted();
                interrupted.interrupt_handled(session, Some(stop))?
            }
            GdbStubStateMachine::Disconnected(over) => {
                return Ok(match over.get_reason() {
                    DisconnectReason::Disconnect | DisconnectReason::Kill => Ended::Detached,
                    DisconnectReason::TargetExited(_) | DisconnectReason::TargetTerminated(_) => {
                        Ended::Closed
                    }
                });
            }
        };
    }
}
