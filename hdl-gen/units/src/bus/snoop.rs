//! What all data caches' answers mean together: who holds the line and who supplies it.

use hdl::{Bundle, Enum, Sig, assert, cover, hardware, lit, when};

use crate::l1_data::{Answer, Mesi};
use crate::observer::{Each, Opaque};
use crate::one_hot;

/// The answers, put together.
pub(crate) struct Snooped {
    /// Who holds the line beside the requester.
    pub holders: Vec<Sig>,
    /// Some other cache holds the line.
    pub communicating: Sig,
    /// Another cache holds it in M.
    pub dirty: Sig,
    /// The one whose bytes and metadata count, if there is one.
    pub supplier: Vec<Sig>,
    /// What travels with it; of an Upgrade, the requester's own; zeros from memory.
    pub meta: Each<Opaque>,
}

/// Puts the answers together, in the cycle in which `answered` is 1. `asker` says whose data cache
/// asked, if one did: it holds nothing for others. `of_owner` asks for the bytes of an owner in M and
/// nobody else's.
#[hardware]
pub(crate) fn snooped(answers: &[Answer], asker: &[Sig], of_owner: Sig, answered: Sig) -> Snooped {
    let is = |state: Mesi| -> Vec<Sig> {
        let others = answers.iter().zip(asker);
        others.map(|(answer, &asks)| answer.state.is(state) & !asks).collect()
    };
    let either = |left: &[Sig], right: &[Sig]| -> Vec<Sig> {
        left.iter().zip(right).map(|(&left, &right)| left | right).collect()
    };
    let modified = is(Mesi::Modified);
    let owners = either(&modified, &is(Mesi::Exclusive));
    let sharers = is(Mesi::Shared);
    let holders = either(&owners, &sharers);
    let owned = one_hot::any(&owners);
    let communicating = one_hot::any(&holders);
    let dirty = one_hot::any(&modified);

    let lowest = one_hot::first(&sharers);
    let supplier: Vec<Sig> = (0..answers.len())
        .map(|hart| {
            let shared = lowest[hart] & !owned & !of_owner;
            let exclusive = owners[hart] & (!of_owner | modified[hart]);
            shared | exclusive
        })
        .collect();
    let metas: Vec<Each<Opaque>> = answers.iter().map(|answer| answer.meta.clone()).collect();
    // An Upgrade's metadata is the requester's own.
    let own: Vec<Sig> = answers
        .iter()
        .zip(asker)
        .map(|(answer, &asks)| asks & !answer.state.is(Mesi::Invalid))
        .collect();
    let has_own = one_hot::any(&own);
    let meta_from: Vec<Sig> =
        supplier.iter().zip(&own).map(|(&supplies, &own)| supplies & !has_own | own).collect();
    let supplied = one_hot::choose(&meta_from, &metas);

    when(answered, || {
        assert("one_owner", one_hot::at_most_one(&owners), "a line has one owner");
        assert(
            "owner_is_alone",
            !(owned & one_hot::any(&sharers)),
            "a line with an owner is in no other cache",
        );
        assert("asker_is_no_owner", !(has_own & owned), "what another owns is not here");
        for (hart, other) in metas.iter().enumerate().filter(|(_, meta)| !meta.is_empty()) {
            let copy = holders[hart] | own[hart];
            let same = other.pack().eq(supplied.pack());
            assert(
                &format!("copies_agree_{hart}"),
                !copy | of_owner | same,
                "all copies have the same metadata",
            );
        }
        cover("many_sharers", !one_hot::at_most_one(&sharers), "several caches share a line");
        cover("owner_in_e", owned & !dirty, "an owner in E supplies");
    });
    Snooped { holders, communicating, dirty, supplier, meta: supplied }
}

/// The state that a Read leaves at its requester.
#[hardware]
pub(crate) fn state_after_read(communicating: Sig) -> Enum<Mesi> {
    let state = communicating.mux(lit(2, 1), lit(2, 2));
    Enum::from_sig(state)
}
