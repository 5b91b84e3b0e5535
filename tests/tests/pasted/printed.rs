use hdl::*;

#[derive(Clone, Copy, PartialEq, HwEnum)]
enum Light { Red, Amber, Green }

#[derive(Clone, Copy, Bundle)]
struct Io0 { i0: Sig, i1: Sig, i2: Sig, o0: Sig, o1: Sig }

#[derive(Debug, PartialEq)]
struct Unit0;

impl Module for Unit0 {
    type Io = Io0;
    fn name(&self) -> String { "unit0".into() }
    fn build(&self) -> Io0 {
        let io = ports(Io0 { i0: input(3), i1: input(72), i2: input(2), o0: output(72), o1: output(72) });
        let m0 = memory(5, 72).named("m0").init(vec![Bits::from_words(72, &[0x0, 0xc0])]);
        let v3 = io.i0.any();
        let q4 = m0.read_sync(io.i0, v3).named("q4");
        let q5 = m0.read_async(io.i0).named("q5");
        m0.write_masked(io.i0, io.i1, io.i2);
        when(v3, || {
            m0.write(io.i0, q5);
        });
        io.o0.set(q4);
        io.o1.set(q5);
        io
    }
}

#[derive(Clone, Copy, Bundle)]
struct Io1 { i0: Sig, o0: Sig, o1: Sig }

#[derive(Debug, PartialEq)]
struct Unit1;

impl Module for Unit1 {
    type Io = Io1;
    fn name(&self) -> String { "unit1".into() }
    fn build(&self) -> Io1 {
        let io = ports(Io1 { i0: input(8), o0: output(8), o1: output(72) });
        let r1 = reg(Light::shape()).reset(Light::Green);
        r1.sig().named("r1");
        let r2 = reg(8).reset(9u64).named("r2");
        let v3 = io.i0.bits(3..5);
        let v4 = lit(8, 7u64);
        let v5 = (io.i0 + 7u64).named("v5");
        let v6 = r2.lt_signed(v5);
        let v7 = r2.sra(v3).named("v7");
        let v8 = v6.mux(v7, v5);
        let w10 = wire(Light::shape());
        w10.sig().named("w10");
        io.o0.set(v8);
        w10.sig().set(r1.sig());
        when(v6, || {
            io.o0.bits(2..4).set(v3);
        }).elsewhen(v6, || {
            io.o0.set(v7);
        }).otherwise(|| {
            io.o0.set(v5);
        });
        switch(r1, |s| {
            s.case(Light::Red, || {
                r1.set(Light::Amber);
            });
            s.case([Light::Amber, Light::Green], || {
                r1.sig().set(v3);
                r2.set(v5);
            });
        });
        switch(v3, |s| {
            s.case([0, 3], || {
                r2.set(io.o0);
            });
            s.default(|| {
            });
        });
        let v11 = w10.is(Light::Green);
        let v12 = io.o0.repeat(9);
        let v13 = constant(&Bits::from_words(72, &[0x0, 0xc0]));
        let v14 = v12 ^ &Bits::from_words(72, &[0x0, 0xc0]);
        let v15 = cat([v11, v3]);
        let r16 = reg_next(&v15).named("r16");
        let u17 = Unit0.instance().named("u17");
        u17.i0.set(r16);
        u17.i1.set(v14);
        u17.i2.set(v3);
        let v22 = select(v6, &[u17.o0, u17.o1]);
        io.o1.set(v22);
        io
    }
}
