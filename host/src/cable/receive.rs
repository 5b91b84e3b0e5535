//! One run from a line: every intact record, what the program printed, and where the line was disturbed.

use record::{Damage, Ending, Hart, Header, Item, Run, StreamReader, Totals};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::rc::Rc;

/// Bytes that are remembered, to distinguish text from garbage.
const REMEMBERED: usize = 1 << 16;

/// What was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The run, with every intact record.
    pub run: Run,
    /// Whether any frame of it arrived.
    pub arrived: bool,
    /// Whether every frame of it arrived, from header to end.
    pub whole: bool,
    /// Whether its end arrived.
    pub ended: bool,
    /// Bytes that are neither records nor text, and frames that are missing.
    pub damage: Vec<Damage>,
}

/// Receives up to the end of a run, or of the line, or to where another run begins. Text between frames is
/// what the program prints: it goes to `console`.
pub fn receive(line: impl Read, console: &mut dyn Write) -> Received {
    let memory = Rc::new(RefCell::new(Memory::default()));
    let mut reader = StreamReader::new(Remembering { line, memory: Rc::clone(&memory) });
    let mut totals = Totals::default();
    let mut lost = BTreeMap::<Hart, u32>::new();
    let mut header: Option<Header> = None;
    let mut any = false;
    let mut end: Option<(Ending, bool)> = None;
    let mut damage = Vec::new();
    while let Some(item) = reader.next() {
        match item {
            Item::Header(_) if any || header.is_some() => break,
            Item::Header(first) => header = Some(first),
            Item::Records(records) => {
                any = true;
                records.iter().for_each(|total| totals.add(total));
            }
            Item::Lost(hart, count) => {
                any = true;
                let kept = lost.entry(hart).or_default();
                *kept = count.max(*kept);
            }
            Item::End { ending, whole } => {
                end = Some((ending, whole));
                break;
            }
            Item::Damage(found) => match memory.borrow().text(&found) {
                // A console that is gone is no reason to stop receiving.
                Some(text) => drop(console.write_all(&text)),
                None => damage.push(found),
            },
        }
        memory.borrow_mut().forget_before(reader.offset());
    }
    let arrived = any || header.is_some() || end.is_some();
    // Without a header, contexts are as long as they can be.
    let header = header.unwrap_or_else(|| Header { events: 16, runs: 1, ..Header::default() });
    let ended = end.is_some();
    let (ending, whole) = end.unwrap_or_default();
    let run = Run { header, edges: totals.into_sorted(), lost, ending };
    Received { run, arrived, whole, ended, damage }
}

/// The newest bytes of a line.
#[derive(Default)]
struct Memory {
    bytes: VecDeque<u8>,
    /// Where in the line the first of them was.
    start: u64,
}

impl Memory {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let excess = self.bytes.len().saturating_sub(REMEMBERED + bytes.len());
        self.forget_before(self.start + excess as u64);
    }

    fn forget_before(&mut self, offset: u64) {
        let gone = offset.saturating_sub(self.start).min(self.bytes.len() as u64);
        self.bytes.drain(..gone as usize);
        self.start += gone;
    }

    /// These bytes, if they are text; garbage is not: it has control characters, or is no UTF-8.
    fn text(&self, damage: &Damage) -> Option<Vec<u8>> {
        let from = usize::try_from(damage.offset.checked_sub(self.start)?).ok()?;
        let to = from.checked_add(usize::try_from(damage.bytes).ok()?)?;
        if from == to || to > self.bytes.len() {
            return None;
        }
        let bytes: Vec<u8> = self.bytes.range(from..to).copied().collect();
        let is_text = |text: &str| {
            text.chars().all(|c| !c.is_control() || ['\n', '\r', '\t', '\x1b'].contains(&c))
        };
        std::str::from_utf8(&bytes).is_ok_and(is_text).then_some(bytes)
    }
}

struct Remembering<R> {
    line: R,
    memory: Rc<RefCell<Memory>>,
}

impl<R: Read> Read for Remembering<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.line.read(buffer)?;
        self.memory.borrow_mut().add(&buffer[..read]);
        Ok(read)
    }
}
