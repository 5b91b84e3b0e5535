//! Correct streams, written by hand and recorded.

use super::recorder::{Shown, Stream, follow, follow_with, record};
use super::*;
use crate::Mode;
use crate::isa::{Hart, Retired};
use crate::memory::{BusGrant, BusKind, Hit, HitKind, NOBODY, Watched};
use std::sync::{Arc, Mutex};

/// All kinds of accesses by all harts to few lines, mixed with counters, traps and devices.
pub fn busy_program() -> Vec<u32> {
    let mut program = Vec::new();
    let handler = program.len();
    assert_eq!(handler, 0);
    // mtvec = after the loop; the loop's length is known when it is written.
    let mut body = Vec::new();
    body.extend(li(10, DATA));
    body.extend(li(11, TOHOST));
    body.extend(li(12, monitor::window(0)));
    body.extend(li(13, clint::Word::Msip.address(0)));
    // The monitors of all harts watch M mode, everywhere.
    body.extend([
        addi(5, 0, -1),
        sw(0, 12, at(Word::RangeLow)),
        sw(5, 12, at(Word::RangeHigh)),
        addi(5, 0, 5),
    ]);
    body.extend([sw(5, 12, at(Word::Control)), csrrs(14, MHARTID, 0), addi(15, 0, 1)]);
    let again = body.len();
    body.extend([
        lw(16, 10, 0),
        addi(16, 16, 1),
        sw(16, 10, 0),
        amoadd(17, 10, 15),
        lr(18, 10),
        sc(19, 10, 16),
        sc(19, 10, 16),
        sb(16, 10, 0x25),
        lh(20, 10, 0x24),
        lw(20, 10, 0x40),
        sw(14, 10, 0x60),
        lw(21, 10, 0x60),
        sw(16, 10, 0x80),
        ECALL,
        csrrs(22, 0xb00, 0),
        csrrs(23, 0xc01, 0),
        csrrs(24, 0xb02, 0),
        lw(25, 13, 0x7fc),
        lw(26, 12, at(Word::TableCount)),
        lw(26, 12, at(Word::Context)),
        sw(16, 11, 4),
        sw(0, 11, 0),
        FENCE_I,
        lw(27, 10, 1),
    ]);
    let back = 4 * (again as i32 - body.len() as i32);
    body.push(jal(0, back));
    // Set the vector first: three instructions before the body.
    let handler = RAM + 4 * (3 + body.len() as u32);
    program.extend(li(9, handler));
    program.push(csrrw(0, 0x305, 9));
    program.extend(body);
    program.extend([csrrs(28, 0x341, 0), addi(28, 28, 4), csrrw(0, 0x341, 28), MRET]);
    program
}

#[test]
fn a_recorded_stream_is_followed_to_its_end() {
    for seed in 0..20 {
        let program = busy_program();
        let recording = record(&PARAMETERS, &program, 2000, seed);
        let end = follow(&PARAMETERS, &program, &recording.stream)
            .unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
        assert_eq!((end.unchecked, end.instructions), (0, 2000), "seed {seed}");
        assert_eq!(end.memory.ram(), recording.memory.ram());
        for (followed, recorded) in end.harts.iter().zip(&recording.harts) {
            assert_eq!(followed.registers(), recorded.registers(), "seed {seed}");
            assert_eq!(followed.pc(), recorded.pc());
        }
        let edges = |memory: &crate::memory::Memory, hart| -> Vec<_> {
            memory.monitor(hart).unwrap().table().edges().copied().collect()
        };
        for hart in 0..3 {
            assert_eq!(edges(&end.memory, hart), edges(&recording.memory, hart));
        }
    }
}

#[test]
fn a_witness_is_shown_every_instruction_and_accesses_in_the_order_of_the_hardware() {
    let program = busy_program();
    let recording = record(&PARAMETERS, &program, 2000, 3);
    let mut follower = Follower::new(&PARAMETERS);
    follower.keep_accesses();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sight = seen.clone();
    follower.show(Box::new(move |hart: usize, state: &Hart, retired: &Retired| {
        let after = retired.trap || state.pc() == retired.pc_wdata;
        sight.lock().unwrap().push((hart, *retired, after));
    }));
    let end = follow_with(follower, &program, &recording.stream).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len() as u64, end.instructions);
    assert!(seen.iter().all(|(.., after)| *after), "the hart is shown as it is afterwards");
    for hart in 0..PARAMETERS.harts {
        let shown =
            seen.iter().filter(|(by, ..)| *by == hart).map(|(_, retired, _)| retired.pc_rdata);
        let records = recording.stream.values().filter_map(|shown| shown.retired[hart]);
        assert!(shown.eq(records.map(|record| record.pc_rdata)), "hart {hart}");
    }
    let of_memory = seen.iter().filter(|(_, retired, _)| {
        !retired.trap && retired.mem_rmask | retired.mem_wmask != 0 && retired.mem_addr >= RAM
    });
    let order = of_memory.map(|(hart, retired, _)| (*hart as u32, u64::from(retired.pc_rdata)));
    assert!(order.eq(end.accesses.iter().map(|access| (access.hart.0, access.pc.0))));
}

#[test]
fn other_shapes_of_machine_are_followed_too() {
    let program = busy_program();
    let base = PARAMETERS;
    for (harts, line, sets, ways) in [(1, 8, 1, 1), (2, 32, 64, 2), (8, 16, 1, 4), (4, 64, 2, 8)] {
        for monitor in [None, base.monitor] {
            let parameters = Parameters { harts, line, sets, ways, monitor, ..base };
            let recording = record(&parameters, &program, 1500, 7);
            let end = follow(&parameters, &program, &recording.stream)
                .unwrap_or_else(|problem| panic!("{harts} harts of {sets} × {ways}: {problem}"));
            assert_eq!(end.unchecked, 0);
        }
    }
}

/// One hart executes `sw x1, 0(x2)` twice: x2 = DATA by lui. Written by hand, without the model.
fn two_stores() -> (Vec<u32>, Stream, Parameters) {
    let program = vec![lui(2, DATA), sw(1, 2, 0), sw(2, 2, 4), NOP];
    let parameters = Parameters { harts: 1, monitor: None, ..PARAMETERS };
    let empty = || Shown { hits: vec![None], retired: vec![None], ..Shown::default() };
    let record = |order, insn, pc| Retired {
        order,
        insn,
        mode: Mode::Machine,
        pc_rdata: pc,
        pc_wdata: pc + 4,
        ..Retired::default()
    };
    let lui = Retired { rd_addr: 2, rd_wdata: DATA, ..record(0, program[0], RAM) };
    let first = Retired {
        rs1_addr: 2,
        rs1_rdata: DATA,
        rs2_addr: 1,
        mem_addr: DATA,
        mem_wmask: 0xf,
        ..record(1, program[1], RAM + 4)
    };
    let second = Retired {
        rs1_addr: 2,
        rs1_rdata: DATA,
        rs2_addr: 2,
        rs2_rdata: DATA,
        mem_addr: DATA + 4,
        mem_wmask: 0xf,
        mem_wdata: DATA,
        ..record(2, program[2], RAM + 8)
    };
    let fetch = BusGrant::plain(BusKind::Fetch, 0, RAM);
    let read_x = BusGrant::plain(BusKind::ReadX, 0, DATA);
    assert_eq!(read_x.supplier, NOBODY);
    let hit = Hit { kind: HitKind::Store, address: DATA + 4, way: 0 };
    let stream = Stream::from([
        (3, Shown { bus: Some(fetch), ..empty() }),
        (20, Shown { retired: vec![Some(lui)], ..empty() }),
        (21, Shown { bus: Some(read_x), ..empty() }),
        (33, Shown { hits: vec![Some(hit)], retired: vec![Some(first)], ..empty() }),
        (34, Shown { retired: vec![Some(second)], ..empty() }),
    ]);
    (program, stream, parameters)
}

#[test]
fn a_stream_written_by_hand_is_followed() {
    let (program, stream, parameters) = two_stores();
    let end = follow(&parameters, &program, &stream).unwrap();
    assert_eq!((end.instructions, end.unchecked), (3, 0));
    assert_eq!(end.harts[0].register(2), DATA);
    assert_eq!(end.memory.current_word(DATA + 4), Some(DATA));
    assert_eq!(end.memory.ram().piece(DATA, 8), [0; 8], "it is in the cache still");
}

#[test]
fn a_disagreement_names_cycle_hart_instruction_field_and_both_values() {
    let (program, mut stream, parameters) = two_stores();
    stream.get_mut(&33).unwrap().hits[0].as_mut().unwrap().way = 1;
    let problem = follow(&parameters, &program, &stream).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "cycle 33, hart 0, instruction 0x00212223 at 0x80000008: hit_way: expected 0x0, got 0x1"
    );
    let (_, mut stream, _) = two_stores();
    stream.get_mut(&20).unwrap().retired[0].as_mut().unwrap().rd_wdata = 5;
    let problem = follow(&parameters, &program, &stream).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "cycle 20, hart 0, instruction 0x80001137 at 0x80000000: \
         rvfi_rd_wdata: expected 0x80001000, got 0x5"
    );
}

#[test]
fn records_that_fail_to_come_are_missed() {
    let (program, mut stream, parameters) = two_stores();
    stream.remove(&34);
    let problem = follow(&parameters, &program, &stream).unwrap_err();
    assert_eq!(problem.problem, Problem::NotEnded { ordered: 33 });
    let (_, mut stream, _) = two_stores();
    stream.get_mut(&33).unwrap().hits[0] = None;
    let problem = follow(&parameters, &program, &stream).unwrap_err();
    assert_eq!(problem.problem, Problem::NotOrdered { address: DATA + 4 });
    let (_, mut stream, _) = two_stores();
    stream.remove(&3);
    let problem = follow(&parameters, &program, &stream).unwrap_err();
    assert_eq!(problem.problem, Problem::NotFetched { pc: RAM });
}

#[test]
fn an_access_under_way_at_the_end_is_left_unchecked() {
    let (program, mut stream, parameters) = two_stores();
    stream.remove(&34);
    let mut follower = Follower::new(&parameters);
    follower.load(Segment { address: RAM, bytes: &bytes(&program) }).unwrap();
    for (cycle, Shown { bus, tap, hits, retired, watched }) in &stream {
        let (bus, tap, watched) = (*bus, *tap, *watched);
        follower
            .cycle(&CycleExports {
                cycle: *cycle,
                bus,
                tap,
                hits,
                retired,
                watched,
                breakpoints: None,
            })
            .unwrap();
    }
    let end = follower.finish().unwrap();
    assert_eq!((end.instructions, end.unchecked), (2, 1));
}

#[test]
fn exports_of_another_machine_are_refused() {
    let mut follower = Follower::new(&PARAMETERS);
    let exports = CycleExports {
        cycle: 0,
        bus: None,
        tap: None,
        hits: &[None; 2],
        retired: &[None; 3],
        watched: None,
        breakpoints: None,
    };
    let problem = follower.cycle(&exports).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "cycle 0, the machine: expected the exports of 3 harts, got those of 2"
    );
    for (kind, requester) in [(BusKind::Read, 3), (BusKind::Fetch, NOBODY), (BusKind::HostRead, 0)]
    {
        let mut follower = Follower::new(&PARAMETERS);
        let bus = Some(BusGrant::plain(kind, requester, RAM));
        assert!(follower.cycle(&CycleExports { bus, hits: &[None; 3], ..exports }).is_err());
    }
}

#[test]
fn old_bytes_are_executed_until_fence_i() {
    // Overwrite the instruction at `patched` with one that was fetched before.
    let program = [
        lui(2, RAM),
        lw(3, 2, 0x1c),
        sw(3, 2, 0x18),
        NOP,
        // the next line
        addi(4, 0, 1),
        NOP,
        addi(4, 4, 1),
        addi(4, 4, 16),
    ];
    let run = |fence: bool| {
        let mut program = program.to_vec();
        program[5] = if fence { FENCE_I } else { NOP };
        // Fetch the patched line first: jump over it and back.
        program[3] = NOP;
        let parameters = Parameters { harts: 1, line: 32, ..PARAMETERS };
        let recording = record(&parameters, &program, 8, 3);
        // The recorder executes current bytes: it is correct only with FENCE.I.
        (follow(&parameters, &program, &recording.stream), recording.harts[0].register(4))
    };
    let (followed, value) = run(true);
    assert_eq!((followed.unwrap().harts[0].register(4), value), (33, 33));
    let (followed, value) = run(false);
    assert_eq!(value, 33, "a machine whose instruction cache sees stores");
    let problem = followed.unwrap_err().problem;
    let (expected, actual) = (program[6].into(), program[7].into());
    assert_eq!(problem, Problem::Field { field: "rvfi_insn", expected, actual });
}

#[test]
fn the_host_reads_and_writes_lines_and_devices() {
    let parameters = Parameters { harts: 1, ..PARAMETERS };
    let mut follower = Follower::new(&parameters);
    let nothing = CycleExports {
        cycle: 0,
        bus: None,
        tap: None,
        hits: &[None],
        retired: &[None],
        watched: None,
        breakpoints: None,
    };
    let line = |byte| vec![byte; 16];
    let mask = (0..16).map(|byte| byte < 2).collect();
    follower.host_request(HostRequest::Write { address: DATA, data: line(7), mask });
    follower.host_request(HostRequest::Read { address: DATA + 4 });
    follower.host_request(HostRequest::Write {
        address: clint::Word::Msip.address(0),
        data: line(1),
        mask: vec![true; 16],
    });
    follower.host_request(HostRequest::Read { address: clint::Word::Msip.address(0) });
    follower.host_request(HostRequest::Read { address: clint::Word::Mtime.address(0) });
    let grants = [
        (BusKind::HostWrite, DATA),
        (BusKind::HostRead, DATA),
        (BusKind::Device, clint::Word::Msip.address(0)),
        (BusKind::Device, clint::Word::Msip.address(0)),
        (BusKind::Device, clint::Word::Mtime.address(0)),
    ];
    for (cycle, (kind, address)) in grants.into_iter().enumerate() {
        let bus = Some(BusGrant::plain(kind, NOBODY, address));
        follower.cycle(&CycleExports { cycle: cycle as u64, bus, ..nothing }).unwrap();
    }
    let mut wrong = follower.clone();
    assert!(wrong.host_response(&line(1)).is_err(), "a write is answered with zeros");
    follower.host_response(&line(0)).unwrap();
    let mut expected = line(0);
    expected[..2].fill(7);
    let mut wrong = follower.clone();
    assert!(wrong.host_response(&line(0)).is_err());
    assert!(wrong.clone().host_response(&expected[1..]).is_err());
    follower.host_response(&expected).unwrap();
    follower.host_response(&line(0)).unwrap();
    let mut one = line(0);
    one[0] = 1;
    follower.host_response(&one).unwrap();
    follower.host_response(&line(0x55)).expect("a clock is not foretold");
    let problem = follower.host_response(&one).unwrap_err();
    assert_eq!((problem.who, problem.problem), (Who::Host, Problem::NotAsked));
    let bus = Some(BusGrant::plain(BusKind::HostRead, NOBODY, DATA));
    let problem = follower.cycle(&CycleExports { cycle: 9, bus, ..nothing }).unwrap_err();
    assert_eq!(problem.problem, Problem::NotAsked);
}

#[test]
fn a_segment_outside_ram_is_refused() {
    let mut follower = Follower::new(&PARAMETERS);
    for address in [RAM - 4, RAM + 0xfffd, 0xffff_fffe] {
        let refused = follower.load(Segment { address, bytes: &[0; 4] }).unwrap_err();
        assert_eq!(refused.address, address);
    }
    follower.load(Segment { address: RAM + 0xfffc, bytes: &[1; 4] }).unwrap();
}

#[test]
fn writes_to_the_watched_word_are_compared() {
    let program: Vec<u32> = exit(5);
    let parameters = Parameters { harts: 1, ..PARAMETERS };
    let recording = record(&parameters, &program, 6, 1);
    let (at, shown) =
        recording.stream.iter().find(|(_, shown)| shown.watched.is_some()).expect("a write");
    assert_eq!(shown.watched, Some(Watched { hart: 0, data: 11 }));
    follow(&parameters, &program, &recording.stream).unwrap();
    for (watched, field) in [
        (None, "watch_valid"),
        (Some(Watched { hart: 0, data: 10 }), "watch_data"),
        (Some(Watched { hart: 1, data: 11 }), "watch_hart"),
    ] {
        let mut stream = recording.stream.clone();
        stream.get_mut(at).unwrap().watched = watched;
        let problem = follow(&parameters, &program, &stream).unwrap_err().problem;
        assert!(matches!(problem, Problem::Field { field: found, .. } if found == field));
    }
}
