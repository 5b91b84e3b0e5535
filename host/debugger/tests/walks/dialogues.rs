//! Random dialogues with the server; a plain model of the tape knows every answer.

use crate::client::{Client, bytes};
use crate::common::recording;
use crate::moments::plainly;
use crate::steps::{shown, watched};
use debugger::server::{Ended, Session, Teller, serve};
use debugger::{Commit, Mark, Recording, Tape, View, Walk, Watch, WatchKind, Why};
use kit::random::Dice;
use std::os::unix::net::UnixStream;

const HARTS: usize = 4;

struct Plain;

impl Teller for Plain {
    fn hart(&self, _: &Recording, walk: &Walk, hart: usize) -> String {
        format!("hart {hart} at {}", walk.mark().0)
    }

    fn monitor(&self, _: &Recording, walk: &Walk, command: &str) -> String {
        format!("{command}\nat {}", walk.mark().0)
    }
}

/// Where a debugger is, in the plainest way.
struct Model<'a> {
    tape: &'a Tape,
    commits: Vec<Commit>,
    view: View,
    shown: Vec<Vec<Mark>>,
    at: usize,
    hart: usize,
    breaks: Vec<u32>,
    watches: Vec<Watch>,
}

impl<'a> Model<'a> {
    fn new(recording: &'a Recording, view: View) -> Self {
        let tape = &*recording.tape;
        let (end, hart) = recording.end();
        Self {
            tape,
            commits: tape.between(tape.first(), tape.last()).map(|(_, commit)| *commit).collect(),
            view,
            shown: (0..HARTS).map(|hart| shown(tape, view, hart)).collect(),
            at: end.0 as usize,
            hart,
            breaks: Vec::new(),
            watches: Vec::new(),
        }
    }

    fn is_shown(&self, at: usize) -> bool {
        let hart = usize::from(self.commits[at].hart);
        self.shown[hart].binary_search(&Mark(at as u64)).is_ok()
    }

    fn breaks_at(&self, at: usize) -> bool {
        self.is_shown(at) && self.breaks.contains(&self.commits[at].pc)
    }

    fn stop(&mut self, at: usize, hart: usize, why: Why) -> String {
        (self.at, self.hart) = (at, hart);
        let thread = format!("T05thread:{:02x};", hart + 1);
        thread
            + &match why {
                Why::Stepped => String::new(),
                Why::Break => "swbreak:;".to_owned(),
                Why::Watch { kind: WatchKind::Write, address } => format!("watch:{address:x};"),
                Why::Watch { kind: WatchKind::Read, address } => format!("rwatch:{address:x};"),
                Why::Watch { kind: WatchKind::Access, address } => format!("awatch:{address:x};"),
                Why::Begin => "replaylog:begin;".to_owned(),
                Why::End => "replaylog:end;".to_owned(),
            }
    }

    fn forward(&mut self, step: Option<usize>, only: Option<usize>) -> String {
        let mut stepping = false;
        for at in self.at..self.commits.len() {
            let commit = self.commits[at];
            let hart = usize::from(commit.hart);
            if only.is_some_and(|only| only != hart) {
                continue;
            }
            if self.breaks_at(at) {
                return self.stop(at, hart, Why::Break);
            }
            if let Some(why) = watched(&commit, &self.watches) {
                return self.stop(at, hart, why);
            }
            if step == Some(hart) && !commit.is_by_host() {
                stepping |= self.is_shown(at);
                let first =
                    self.shown[hart].iter().find(|mark| self.commits[mark.0 as usize].is_user());
                let in_boot = first.is_none_or(|first| at as u64 + 1 < first.0);
                if stepping && (self.view == View::Machine || commit.leads_to_user() || in_boot) {
                    return self.stop(at + 1, hart, Why::Stepped);
                }
            }
        }
        self.stop(self.commits.len(), self.hart, Why::End)
    }

    fn backward(&mut self, step: Option<usize>) -> String {
        for at in (0..self.at).rev() {
            let commit = self.commits[at];
            let hart = usize::from(commit.hart);
            if step.is_some_and(|step| step != hart) {
                continue;
            }
            if let Some(why) = watched(&commit, &self.watches) {
                return self.stop(at + 1, hart, why);
            }
            if self.breaks_at(at) {
                return self.stop(at, hart, Why::Break);
            }
            if step.is_some() && self.is_shown(at) {
                return self.stop(at, hart, Why::Stepped);
            }
        }
        self.stop(0, self.hart, Why::Begin)
    }

    fn registers(&self, hart: usize) -> String {
        let moment = plainly(self.tape, Mark(self.at as u64));
        let state = &moment.harts()[hart];
        let registers = match self.view {
            View::Program => state.of_program(),
            View::Machine => &state.registers,
        };
        let words = registers.x.iter().chain([&registers.pc]);
        words.map(|word| format!("{:08x}", word.swap_bytes())).collect()
    }
}

fn one_request(client: &mut Client, model: &mut Model<'_>, dice: &mut Dice, context: &str) {
    let hart = dice.below(HARTS);
    let thread = hart + 1;
    match dice.below(16u32) {
        0 => assert_eq!(client.ask("?"), format!("T05thread:{:02x};", model.hart + 1), "{context}"),
        1 | 2 => {
            assert_eq!(client.ask(&format!("Hg{thread:x}")), "OK");
            assert_eq!(client.ask("g"), model.registers(hart), "{context}: hart {hart}");
            model.hart = hart;
        }
        3 | 4 => {
            let near = dice.one_of(&model.commits).address;
            let address = if dice.chance(80) { near } else { dice.word() };
            let length = dice.below(64usize) + 1;
            let answer = client.ask(&format!("m{address:x},{length:x}"));
            let mut expected = vec![0; length];
            let moment = plainly(model.tape, Mark(model.at as u64));
            match moment.memory().read(address, &mut expected) {
                0 => assert!(answer.starts_with('E'), "{context}: {address:#x}: {answer}"),
                count => assert_eq!(bytes(&answer), expected[..count], "{context}: {address:#x}"),
            }
        }
        5 => {
            let pc = dice.one_of(&model.commits).pc;
            assert_eq!(client.ask(&format!("Z0,{pc:x},4")), "OK", "{context}");
            model.breaks.push(pc);
        }
        6 => {
            let address = dice.one_of(&model.commits).address;
            let (number, kind) =
                dice.one_of(&[(2, WatchKind::Write), (3, WatchKind::Read), (4, WatchKind::Access)]);
            assert_eq!(client.ask(&format!("Z{number},{address:x},4")), "OK", "{context}");
            let start = u64::from(address);
            model.watches.push(Watch { range: start..start + 4, kind });
        }
        7 => {
            if let Some(pc) = model.breaks.pop() {
                assert_eq!(client.ask(&format!("z0,{pc:x},4")), "OK", "{context}");
            }
            if let Some(Watch { range, kind }) = model.watches.pop() {
                let number = match kind {
                    WatchKind::Write => 2,
                    WatchKind::Read => 3,
                    WatchKind::Access => 4,
                };
                let length = range.end - range.start;
                let asked = format!("z{number},{:x},{length:x}", range.start);
                assert_eq!(client.ask(&asked), "OK", "{context}");
            }
        }
        8 => assert_eq!(client.ask("vCont;c"), model.forward(None, None), "{context}: continue"),
        9 => assert_eq!(client.ask("bc"), model.backward(None), "{context}: reverse"),
        10 => {
            let answer = client.ask(&format!("vCont;s:{thread:x};c"));
            assert_eq!(answer, model.forward(Some(hart), None), "{context}: step hart {hart}");
        }
        11 => {
            let answer = client.ask(&format!("vCont;s:{thread:x}"));
            let expected = model.forward(Some(hart), Some(hart));
            assert_eq!(answer, expected, "{context}: step hart {hart} alone");
        }
        12 | 13 => {
            assert_eq!(client.ask(&format!("Hc{thread:x}")), "OK", "{context}");
            assert_eq!(client.ask("bs"), model.backward(Some(hart)), "{context}: back, {hart}");
        }
        14 => {
            let said = client.monitor("anything at all");
            assert_eq!(said, format!("anything at all\nat {}\n", model.at), "{context}");
            let info = client.ask(&format!("qThreadExtraInfo,{thread:x}"));
            let expected = format!("hart {hart} at {}", model.at);
            assert_eq!(String::from_utf8(bytes(&info)).unwrap(), expected, "{context}");
        }
        _ => {
            for write in ["M80000000,1:00", "P1=00000000"] {
                let answer = client.ask(write);
                assert!(
                    answer.is_empty() || answer.starts_with('E'),
                    "{context}: {write}: {answer}"
                );
            }
            let zeros = "00000000".repeat(33);
            assert!(client.ask(&format!("G{zeros}")).starts_with('E'), "{context}: a recording");
            assert_eq!(client.ask(&format!("T{thread:x}")), "OK", "{context}");
            assert!(client.ask("T63").starts_with('E'), "{context}: there is no such hart");
        }
    }
}

#[test]
fn a_hundred_random_dialogues_end_without_a_wrong_answer() {
    for seed in 0..100u64 {
        let recording = recording(1 + seed % 5);
        let view = if seed % 2 == 0 { View::Program } else { View::Machine };
        let (ours, theirs) = UnixStream::pair().unwrap();
        std::thread::scope(|scope| {
            let server = scope.spawn(|| {
                let mut session = Session::new(&recording, view, &Plain);
                serve(theirs.try_clone().unwrap(), theirs, &mut session)
            });
            let (mut dice, mut model) = (Dice::new(seed), Model::new(&recording, view));
            let mut client = Client::new(ours);
            let supported = client.ask("qSupported:swbreak+;vContSupported+");
            for part in ["ReverseStep+", "ReverseContinue+", "swbreak+", "vContSupported+"] {
                assert!(supported.contains(part), "{supported}");
            }
            if dice.chance(50) {
                client.stop_acknowledging();
            }
            let mut threads: Vec<String> =
                client.ask("qfThreadInfo")[1..].split(',').map(str::to_owned).collect();
            threads.sort();
            assert_eq!(threads, ["01", "02", "03", "04"], "every hart is a thread");
            assert_eq!(client.ask("qsThreadInfo"), "l");
            for request in 0..30 {
                let context = format!("dialogue {seed}, request {request}");
                one_request(&mut client, &mut model, &mut dice, &context);
            }
            let ended = if dice.chance(50) {
                assert_eq!(client.ask("D"), "OK");
                Ended::Detached
            } else {
                Ended::Closed
            };
            drop(client);
            assert_eq!(server.join().unwrap().unwrap(), ended);
        });
    }
}
