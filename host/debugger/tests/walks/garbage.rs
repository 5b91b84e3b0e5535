//! Clients that do not know the protocol.

use crate::common::recording;
use debugger::server::{ServerError, Session, Teller, serve};
use debugger::{Recording, View, Walk};
use kit::random::Dice;

struct Silent;

impl Teller for Silent {
    fn hart(&self, _: &Recording, _: &Walk, _: usize) -> String {
        "ä".repeat(5000)
    }

    fn monitor(&self, _: &Recording, _: &Walk, _: &str) -> String {
        String::new()
    }
}

fn framed(request: &[u8]) -> Vec<u8> {
    let sum = request.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    [b"$", request, format!("#{sum:02x}").as_bytes()].concat()
}

#[test]
fn garbage_ends_the_session_with_a_sentence() {
    let recording = recording(2);
    let mut dice = Dice::new(9);
    let requests: [&[u8]; 22] = [
        b"?",
        b"g",
        b"Hg1",
        b"Hc0",
        b"Hc-1",
        b"Hgffffffff",
        b"m80000000,4",
        b"mffffffff,ffffffff",
        b"vCont;s",
        b"vCont;c:99",
        b"vCont;r1,2:1;c",
        b"vCont;x",
        b"bs",
        b"bc",
        b"Z0,,",
        b"Z2,0,ffffffff",
        b"z4,0,1",
        b"qThreadExtraInfo,1",
        b"qXfer:features:read:target.xml:0,fff",
        b"qRcmd,zz",
        b"vMustReplyEmpty",
        b"k",
    ];
    let (mut sentences, mut answers) = (0, 0);
    for round in 0..2000 {
        let mut input = Vec::new();
        for _ in 0..dice.below(12u32) {
            match dice.below(5u32) {
                0 => input
                    .extend((0..dice.below(40u32)).map(|_| dice.word() as u8).collect::<Vec<_>>()),
                1 => {
                    let text: Vec<u8> =
                        (0..dice.below(30u32)).map(|_| 32 + dice.below(95u8)).collect();
                    input.extend(framed(&text));
                }
                2 => {
                    let mut broken = framed(dice.one_of(&requests));
                    let place = dice.below(broken.len());
                    broken[place] = dice.word() as u8;
                    input.extend(broken);
                }
                _ => input.extend(framed(dice.one_of(&requests))),
            }
        }
        if round == 0 {
            input = [b"$", &b"a".repeat(1 << 17)[..], b"#00"].concat();
        }
        let mut session = Session::new(&recording, View::Program, &Silent);
        let mut output = Vec::new();
        match serve(&input[..], &mut output, &mut session) {
            Ok(_) => answers += 1,
            Err(error @ ServerError::Protocol(_)) => {
                sentences += 1;
                let said = error.to_string();
                assert!(
                    said.starts_with("the session with the debugger failed")
                        && !said.contains('\n'),
                    "{said}"
                );
            }
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(sentences > 100 && answers > 100, "{sentences} sentences, {answers} sessions");
}
