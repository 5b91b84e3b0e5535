//! Scratch.
use crosstalk::hunt::{Golden, Setup, Subject};
use evidence::cause::{Examiner, Finding};
use evidence::event::Event;
use evidence::log::Log;
use evidence::run::{Lab, Order, Trial};
use evidence::signature::Signature;
use evidence::verdict::{Verdict, verdict};
use firmware::Build;
use firmware::validation::{Half, Program};
use golden::machine::Scheduling;
use std::collections::BTreeMap;
use std::time::Instant;

fn kind(s: Signature) -> (u8, u32) {
    match s {
        Signature::Exit { .. } => (1, 0),
        Signature::Assertion { line, .. } => (2, line),
        Signature::Fault { .. } => (3, 0),
        Signature::Deadlock => (4, 0),
        Signature::Limit => (5, 0),
    }
}
fn fails(t: &Trial) -> bool {
    t.signature != Signature::Exit { code: 0 }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let programs = firmware::validation::all().unwrap();
    for p in &programs {
        if p.half != Half::Open || (!wanted.is_empty() && !wanted.contains(&p.name)) {
            continue;
        }
        one(p);
    }
}

fn one(p: &Program) {
    let start = Instant::now();
    let build = Build { files: p.sources.clone(), flags: vec![] };
    let (subject, _) = Subject::compile(&p.name, &build).unwrap();
    let mut config = config::Config::default();
    config.harts = config.harts.max(p.threads);
    let golden = match Golden::new(subject.load(&Setup::new(config)).unwrap()) {
        Ok(g) => g,
        Err(e) => {
            println!("=== {} {e}", p.name);
            return;
        }
    };
    let lab: Lab = golden.lab().unwrap();
    let dwarf = addr2line_of(subject.elf());
    let mut failing: BTreeMap<(u8, u32), Vec<(u64, Trial)>> = BTreeMap::new();
    let mut passing = Vec::new();
    let (mut seeds, mut failed) = (0, 0);
    for seed in 1..=1000u64 {
        seeds = seed;
        let t = lab.run(&Order::Drawn { seed, strategy: Scheduling::of_seed(seed) }, true).unwrap();
        if fails(&t) {
            failed += 1;
            failing.entry(kind(t.signature)).or_default().push((seed, t));
        } else {
            passing.push(t.turns);
        }
        if failed >= 25 && passing.len() >= 10 {
            break;
        }
    }
    passing.sort_by_key(|t| t.len());
    println!(
        "=== {} [{}] vars {:?}: {failed} of {seeds} failed, {} groups, found in {:?}",
        p.name,
        p.kind.name(),
        p.variables,
        failing.len(),
        start.elapsed()
    );
    for (sig, mut runs) in failing {
        runs.sort_by_key(|(_, t)| t.turns.len());
        let same = move |t: &Trial| fails(t) && kind(t.signature) == sig;
        let begin = Instant::now();
        let mut said = false;
        for (seed, t) in runs.iter().take(4) {
            let mut ex = Examiner::new(&lab, &same);
            match ex.examine(&t.turns, &passing).unwrap() {
                Finding::NotRepeated => {
                    println!("  {sig:?} seed {seed} not repeated ({} turns)", t.turns.len());
                    continue;
                }
                Finding::AnyOrder { trials } => println!("  {sig:?} any order, {trials} trials"),
                Finding::Explained(e) => {
                    println!(
                        "  {sig:?} x{} seed {seed}: {} turns -> {} in {} trials {:?}",
                        runs.len(),
                        t.turns.len(),
                        e.turns.len(),
                        e.trials,
                        begin.elapsed()
                    );
                    let mut others = Vec::new();
                    for (_, o) in runs.iter().filter(|(s, _)| s != seed).take(3) {
                        if let Finding::Explained(o) =
                            Examiner::new(&lab, &same).examine(&o.turns, &passing).unwrap()
                        {
                            others.push(o);
                        }
                    }
                    let all: Vec<&evidence::cause::Explained> =
                        std::iter::once(&*e).chain(others.iter().map(|o| &**o)).collect();
                    let pairs = evidence::cause::story::told(&all);
                    let order = evidence::cause::story::in_order(&pairs);
                    let names = evidence::names::Names::read(
                        subject.elf(),
                        &[p.sources[0].parent().unwrap().to_owned()],
                    )
                    .unwrap();
                    let dwarf =
                        |pc: u32| names.line(pc).map_or(format!("{pc:x}"), |l| l.to_string());
                    let mut points: Vec<String> =
                        order.iter().map(|(a, _)| dwarf(a.place.pc)).collect();
                    let sentence: Vec<String> = order
                        .iter()
                        .map(|(a, _)| match e.log.event(a.number) {
                            Some(Event::Access(x)) => names.of_access(&e.log, x),
                            Some(Event::Inside(x)) => names.of_object(&e.log, x.address, x.site),
                            _ => String::new(),
                        })
                        .collect();
                    let mut sentence = sentence.join(" , ");
                    let extra;
                    match verdict(&e.log) {
                        Verdict::Deadlock(d) => {
                            points = d
                                .steps
                                .iter()
                                .filter_map(|s| s.taken.as_ref())
                                .map(|t| dwarf(t.trace[0]))
                                .collect();
                            points.extend(d.steps.iter().map(|s| dwarf(s.at.trace[0])));
                            for st in &d.steps {
                                if let evidence::verdict::Object::Lock(a)
                                | evidence::verdict::Object::MutexOfWait(a)
                                | evidence::verdict::Object::Semaphore(a) = st.wants
                                {
                                    sentence += " , ";
                                    sentence += &names.of_object(&e.log, a, st.at.trace[0]);
                                }
                            }
                            extra = format!("DEADLOCK cycle {} {:?}", d.cycle, points);
                        }
                        Verdict::Missed(w) => {
                            extra = format!(
                                "MISSED {:?}",
                                w.iter()
                                    .map(|w| (
                                        dwarf(w.place.trace[0]),
                                        w.before.as_ref().map(|s| dwarf(s.place.trace[0]))
                                    ))
                                    .collect::<Vec<_>>()
                            )
                        }
                        v => extra = format!("{v:?}").chars().take(60).collect::<String>(),
                    }
                    let j = validate::judge::judge(&points, &sentence, &p.marks, &p.variables);
                    let right = j.lines;
                    println!(
                        "    {} {} {extra} | {sentence}",
                        if right { "RIGHT" } else { "WRONG" },
                        if j.variable { "NAMED" } else { "UNNAMED" }
                    );
                    for (a, un) in &order {
                        println!(
                            "      {}{}",
                            if *un { "LATER " } else { "" },
                            if *un {
                                format!("{:?} {}", a.deed, dwarf(a.place.pc))
                            } else {
                                show(&e.log, a.number, &dwarf, p)
                            }
                        );
                    }
                    if !right {
                        for n in &e.turns {
                            println!(
                                "    turn {:?} latest {:?} at {}",
                                n.turn,
                                n.latest,
                                e.log
                                    .point(n.turn.hart, n.turn.until)
                                    .map_or("?".into(), |n| show(&e.log, n, &dwarf, p))
                            );
                        }
                        for d in &e.decisive {
                            println!("    decisive: {} pairs", d.len());
                            for pair in d.iter().filter(|p| !p.first.inside).take(6) {
                                println!(
                                    "      {}  <  {} {}",
                                    show(&e.log, pair.first.number, &dwarf, p),
                                    dwarf(pair.second.place.pc),
                                    if pair.unfinished { "LATER" } else { "" }
                                );
                            }
                        }
                    }
                }
            }
            said = true;
            break;
        }
        if !said {
            println!("  nothing");
        }
    }
}

fn show(log: &Log, number: u64, dwarf: &dyn Fn(u32) -> String, p: &Program) -> String {
    let (thread, site, what) = match log.event(number) {
        Some(Event::Access(a) | Event::Inside(a)) => {
            (a.thread, a.site, format!("{:?}@{:x}", a.kind, a.address))
        }
        Some(Event::Call(c)) => (c.thread, c.site, format!("{:?}", c.function)),
        _ => return "?".into(),
    };
    let line = dwarf(site);
    let mark = p.marks.iter().find(|m| {
        line.rsplit_once(':').is_some_and(|(f, l)| m.file.ends_with(f) && l.parse() == Ok(m.line))
    });
    let mark = mark.map_or(String::new(), |m| format!(" *{:?}*", m.steps));
    format!("[{number}] {} {what} {line}{mark}", log.name(thread))
}

fn addr2line_of(elf: &[u8]) -> impl Fn(u32) -> String {
    use object::{Object, ObjectSection};
    let elf = object::File::parse(elf).unwrap();
    let section = |id: gimli::SectionId| -> Result<gimli::EndianArcSlice<gimli::RunTimeEndian>, object::Error> {
        let s = elf.section_by_name(id.name());
        let data = s.map_or(Ok(Default::default()), |s| s.uncompressed_data())?;
        Ok(gimli::EndianArcSlice::new(std::sync::Arc::from(&*data), gimli::RunTimeEndian::Little))
    };
    let context = addr2line::Context::from_dwarf(gimli::Dwarf::load(section).unwrap()).unwrap();
    move |pc| {
        let l = context.find_location(pc.into()).ok().flatten();
        let l = match l {
            Some(ref x) if x.line.unwrap_or(0) == 0 => (1..64).find_map(|b| {
                context
                    .find_location((pc - 4 * b).into())
                    .ok()
                    .flatten()
                    .filter(|l| l.line.unwrap_or(0) != 0)
            }),
            _ => l,
        };
        l.map_or(format!("{pc:x}"), |l| {
            format!("{}:{}", l.file.unwrap_or("?").rsplit('/').next().unwrap(), l.line.unwrap_or(0))
        })
    }
}
