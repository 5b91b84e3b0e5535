//! Values as the language holds them: bits, or a variant of an enum.

use hdl::{Enum, HwEnum, Sig};

/// Two variants in one bit.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Phase {
    Low,
    High,
}

/// Three variants in two bits: one code is none of them.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Light {
    Red,
    Amber,
    Green,
}

/// Five variants in three bits: three codes are none of them.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Step {
    Fetch,
    Decode,
    Execute,
    Access,
    Retire,
}

pub(super) const PHASES: [Phase; 2] = [Phase::Low, Phase::High];
pub(super) const LIGHTS: [Light; 3] = [Light::Red, Light::Amber, Light::Green];
pub(super) const STEPS: [Step; 5] =
    [Step::Fetch, Step::Decode, Step::Execute, Step::Access, Step::Retire];

/// A value as the language holds it.
#[derive(Clone, Copy)]
pub(super) enum Hw {
    Sig(Sig),
    Phase(Enum<Phase>),
    Light(Enum<Light>),
    Step(Enum<Step>),
}

impl Hw {
    pub(super) fn sig(self) -> Sig {
        match self {
            Hw::Sig(sig) => sig,
            Hw::Phase(held) => held.sig(),
            Hw::Light(held) => held.sig(),
            Hw::Step(held) => held.sig(),
        }
    }

    pub(super) fn set_variant(self, variant: u32) {
        let variant = variant as usize;
        match self {
            Hw::Sig(sig) => sig.set(variant),
            Hw::Phase(held) => held.set(PHASES[variant]),
            Hw::Light(held) => held.set(LIGHTS[variant]),
            Hw::Step(held) => held.set(STEPS[variant]),
        }
    }

    pub(super) fn is(self, variant: u32) -> Sig {
        let variant = variant as usize;
        match self {
            Hw::Sig(sig) => sig.eq(variant),
            Hw::Phase(held) => held.is(PHASES[variant]),
            Hw::Light(held) => held.is(LIGHTS[variant]),
            Hw::Step(held) => held.is(STEPS[variant]),
        }
    }
}
