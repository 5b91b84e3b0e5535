use crosstalk_tests::{circuit::*, pack::*, stimulus::*, simulators::*};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::*;
use std::rc::Rc;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut seed = [7u8; 32]; seed[0] = std::env::args().nth(2).map_or(0, |s| s.parse().unwrap());
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let s = genomes();
    let t = std::time::Instant::now();
    let members: Vec<Member> = (0..n).map(|number| Member { number, circuit: Rc::new(grow(&s.new_tree(&mut runner).unwrap().current())) }).collect();
    println!("grown {:?}", t.elapsed());
    let mut ok = vec![];
    for m in &members {
        match std::panic::catch_unwind(|| Subject::new(&[m.clone()])) {
            Err(_) => { println!("PANIC {}", print::rust(&m.circuit)); }
            Ok(Err(d)) => { println!("{}: {d}", m.number); println!("{}", print::rust(&m.circuit)); }
            Ok(Ok(s)) => { ok.push(m.clone()); let l = s.verilog().lines().count(); if l > 300 { println!("big {l} lines, {} modules, {:?} items", m.circuit.modules.len(), m.circuit.modules.iter().map(|u| u.items.len()).collect::<Vec<_>>()); } }
        }
    }
    println!("ok {} of {n} {:?}", ok.len(), t.elapsed());
    let t = std::time::Instant::now();
    let subject = Subject::new(&ok).unwrap_or_else(|e| panic!("{e}"));
    println!("elaborated {:?}, {} lines, {} ins {} outs", t.elapsed(), subject.verilog().lines().count(), subject.inputs.len(), subject.outputs.len());
    std::fs::create_dir_all("/tmp/exp/pack").unwrap();
    std::fs::write("/tmp/exp/pack/pack.v", subject.verilog()).unwrap();
    let stim = Stimulus::new(&subject, 1, 64);
    let t = std::time::Instant::now();
    let r = Reference.run(&subject, &stim).unwrap();
    println!("reference {:?}", t.elapsed());

    let which = std::env::args().nth(3).unwrap_or("nvyi".into());
    for (k, sim) in [('n', Box::new(Native) as Box<dyn Simulator>), ('v', Box::new(Verilated::new().unwrap())), ('y', Box::new(Yosys::new().unwrap())), ('i', Box::new(Icarus::new().unwrap()))] {
        if !which.contains(k) { continue; }
        let t = std::time::Instant::now();
        let v = sim.run(&subject, &stim);
        println!("{} {:?}", sim.name(), t.elapsed());
        match v { Ok(v) => {
            let d = r.first_difference(&v, &subject).map(|(c,p)| (c, &subject.outputs[p].name, r.show(&subject,c,p), v.show(&subject,c,p)));
            println!("diff {d:?}");
            let mut bad: Vec<usize> = vec![];
            for c in 0..64 { for p in 0..subject.outputs.len() { if r.show(&subject,c,p) != v.show(&subject,c,p) { bad.push(subject.members[subject.owners[p]].number); } } }
            bad.sort(); bad.dedup(); println!("bad {bad:?}");
        }, Err(e) => println!("{}", &e[..e.len().min(3000)]) }
    }
}
