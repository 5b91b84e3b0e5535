//! Decides whether a model may be evaluated without the Verilator runtime's bookkeeping.
//!
//! The generated `eval()` locks a mutex and visits thread-local queues each time, for classes
//! and for threads. Units have neither, and for a small one that is most of the cycle. The
//! short cut is taken only where the generated text is known to the letter; for any other
//! Verilator or option the model calls `eval()` as usual.

/// What is left of a plain `eval_step()` without comments and debug code; `@` is the class.
const PLAIN: [&str; 9] = [
    "vlSymsp->__Vm_deleter.deleteAll();",
    "if (VL_UNLIKELY(!vlSymsp->__Vm_didInit)) {",
    "@___024root___eval_static(&(vlSymsp->TOP));",
    "@___024root___eval_initial(&(vlSymsp->TOP));",
    "@___024root___eval_settle(&(vlSymsp->TOP));",
    "vlSymsp->__Vm_didInit = true;",
    "}",
    "@___024root___eval(&(vlSymsp->TOP));",
    "Verilated::endOfEval(vlSymsp->__Vm_evalMsgQp);",
];

/// Whether `eval()` in the generated main file does nothing beyond the plain steps.
pub(crate) fn is_plain(main_file: &str, prefix: &str) -> bool {
    let start = format!("void {prefix}::eval_step() {{\n");
    let Some((_, body)) = main_file.split_once(&start) else { return false };
    let Some((body, _)) = body.split_once("\n}\n") else { return false };
    let mut debug = false;
    let steps = body.lines().map(str::trim).filter(|line| {
        debug |= line.starts_with("#ifdef VL_DEBUG");
        let kept = !debug && !line.starts_with("//") && !line.starts_with("VL_DEBUG_IF(");
        debug &= !line.starts_with("#endif");
        kept
    });
    steps.eq(PLAIN.map(|step| step.replace('@', prefix)))
}

/// Whether the design makes objects of classes, which only the bookkeeping frees.
pub(crate) fn has_classes(generated: &str) -> bool {
    generated.contains("VL_NEW(")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "void Vmodel::eval_step() {
    VL_DEBUG_IF(VL_DBG_MSGF(\"+++++TOP Evaluate Vmodel::eval_step\\n\"); );
#ifdef VL_DEBUG
    // Debug assertions
    Vmodel___024root___eval_debug_assertions(&(vlSymsp->TOP));
#endif  // VL_DEBUG
    vlSymsp->__Vm_deleter.deleteAll();
    if (VL_UNLIKELY(!vlSymsp->__Vm_didInit)) {
        VL_DEBUG_IF(VL_DBG_MSGF(\"+ Initial\\n\"););
        Vmodel___024root___eval_static(&(vlSymsp->TOP));
        Vmodel___024root___eval_initial(&(vlSymsp->TOP));
        Vmodel___024root___eval_settle(&(vlSymsp->TOP));
        vlSymsp->__Vm_didInit = true;
    }
    VL_DEBUG_IF(VL_DBG_MSGF(\"+ Eval\\n\"););
    Vmodel___024root___eval(&(vlSymsp->TOP));
    // Evaluate cleanup
    Verilated::endOfEval(vlSymsp->__Vm_evalMsgQp);
}
";

    #[test]
    fn the_known_text_is_plain() {
        assert!(is_plain(MAIN, "Vmodel"));
        assert!(is_plain(&MAIN.replace("Vmodel", "Vother"), "Vother"));
        assert!(!is_plain(MAIN, "Vother"));
    }

    #[test]
    fn any_further_step_is_not() {
        let traced = MAIN.replace("    // Evaluate", "    vlSymsp->__Vm_activity = true;\n    //");
        assert!(!is_plain(&traced, "Vmodel"));
        assert!(!is_plain(&MAIN.replace("deleteAll", "deleteSome"), "Vmodel"));
        assert!(!is_plain("", "Vmodel"));
    }
}
