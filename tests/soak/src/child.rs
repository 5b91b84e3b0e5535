//! Child processes with a deadline, a memory limit, and truncated output.

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, kill_process_group, setrlimit};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Maximum bytes stored of each output stream.
const KEPT: u64 = 1 << 20;
/// Bytes of address space that a process gets: far more than any input of a soak needs.
const MEMORY: u64 = 6 << 30;

/// How a process ended, and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code, if it has one.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It was stopped at its deadline.
    pub late: bool,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub errors: String,
}

/// Limits the memory of this process, and of those it starts.
pub fn limit_memory() {
    let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
    // Where there is no such limit there is one check less.
    let _ = setrlimit(Resource::As, limit);
}

/// Lets this process end when the one that started it does, however that ends.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    {
        // Elsewhere, and if it fails, it goes on to its own end.
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    }
}

/// Runs a command to its end, or to its deadline, at which it and all that it started are killed.
///
/// # Errors
/// If it cannot be started.
pub fn run(command: &mut Command, deadline: Duration) -> io::Result<Ended> {
    let mut child = started(command)?;
    let group = group(&child);
    let out = child.stdout.take().map(kept);
    let errors = child.stderr.take().map(kept);
    let (status, late) = wait(child, group, deadline)?;
    let text = |reader: Option<thread::JoinHandle<String>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok(Ended {
        code: status.code(),
        signal: status.signal(),
        late,
        out: text(out),
        errors: text(errors),
    })
}

/// Starts a command and kills it after a while, alone or with all that it started; whether it was still
/// running. What it started and left behind is killed in any case before this returns.
///
/// # Errors
/// If it cannot be started.
pub fn kill_after(command: &mut Command, after: Duration, alone: bool) -> io::Result<bool> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = started(command)?;
    let group = group(&child);
    thread::sleep(after);
    let running = child.try_wait()?.is_none();
    if running {
        let process = Pid::from_child(&child);
        // Gone meanwhile is as good as killed.
        let _ = if alone {
            kill_process(process, Signal::KILL)
        } else {
            kill_process_group(group, Signal::KILL)
        };
    }
    let killed = child.wait()?.signal().is_some();
    let _ = kill_process_group(group, Signal::KILL);
    Ok(running && killed)
}

/// In a process group of its own, so that whatever it starts ends with it.
fn started(command: &mut Command) -> io::Result<Child> {
    command.process_group(0).spawn()
}

fn group(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Waits for the end; the rest of the group never outlives the process.
fn wait(mut child: Child, group: Pid, deadline: Duration) -> io::Result<(ExitStatus, bool)> {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        // Whoever waits has given up only if this thread cannot be heard any more.
        let _ = sender.send(child.wait());
    });
    let in_time = ended.recv_timeout(deadline);
    let _ = kill_process_group(group, Signal::KILL);
    match in_time {
        Ok(status) => Ok((status?, false)),
        Err(_) => Ok((ended.recv().map_err(io::Error::other)??, true)),
    }
}

/// Reads all, keeps the beginning.
fn kept(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.by_ref().take(KEPT).read_to_end(&mut bytes);
        let _ = io::copy(&mut from, &mut io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn what_a_process_says_and_how_it_ends_is_told() {
        let ended = run(&mut shell("echo out; echo err >&2; exit 3"), Duration::MAX).unwrap();
        assert_eq!((ended.code, ended.late), (Some(3), false));
        assert_eq!((&*ended.out, &*ended.errors), ("out\n", "err\n"));
    }

    #[test]
    fn a_process_that_hangs_is_killed_with_all_that_it_started() {
        let ended = run(&mut shell("sleep 600 & sleep 600"), Duration::from_millis(50)).unwrap();
        // Its ways out are closed, so nobody is left.
        assert_eq!((ended.late, ended.signal), (true, Some(9)));
    }

    #[test]
    fn a_process_that_goes_on_can_be_killed() {
        for alone in [true, false] {
            assert!(kill_after(&mut shell("sleep 600"), Duration::ZERO, alone).unwrap());
        }
    }
}
