#include "ending.h"

#include "../drain/drain.h"
#include "../drain/stream.h"
#include "host.h"

/* What a shell would show for the same end: 128 and the signal. */
enum { CODE_DEADLOCK = 124, CODE_ILLEGAL = 132, CODE_BREAKPOINT = 133, CODE_ABORTED = 134, CODE_FAULT = 139 };

static volatile uint32_t ending;

bool crosstalk_ending(void) {
    return ending;
}

/* The first hart to come here ends the run; the others stop at their next interrupt. */
static void stop_the_others(struct hart *self) {
    if (__atomic_exchange_n(&ending, 1, __ATOMIC_SEQ_CST)) crosstalk_halt(self);
    for (uint32_t i = 0; i < crosstalk_hart_count; i++)
        if (i != self->number) *software_interrupt(i) = 1;
    for (uint32_t i = 0; i < crosstalk_hart_count; i++)
        while (i != self->number && !crosstalk_harts[i].stopped) pause_for(32);
}

static _Noreturn void end(struct hart *self, ct_ending *how, uint32_t code) {
    how->cycles = (uint64_t)read_csr(mcycleh) << 32 | read_csr(mcycle);
    crosstalk_drain_all(self);
    crosstalk_stream_end(how);
    crosstalk_exit_host(code);
}

_Noreturn void crosstalk_end_exit(struct hart *self, int32_t code) {
    stop_the_others(self);
    ct_ending how = {.outcome = CT_OUTCOME_EXIT, .a = (uint32_t)code};
    end(self, &how, (uint32_t)code & 0xff);
}

_Noreturn void crosstalk_end_assertion(struct hart *self, uint32_t file, uint32_t line) {
    static char name[256]; /* a copy: the record must not run past what the program may show */
    stop_the_others(self);
    for (uint32_t i = 0; i < sizeof name - 1 && crosstalk_user_may_read(file + i, 1); i++) {
        name[i] = *(const char *)(file + i);
        if (!name[i]) break;
    }
    ct_ending how = {.outcome = CT_OUTCOME_ASSERTION, .a = line, .file = name};
    end(self, &how, CODE_ABORTED);
}

static const char *const causes[] = {
    [CAUSE_MISALIGNED_FETCH] = "misaligned jump",
    [CAUSE_FETCH_ACCESS] = "instruction access fault",
    [CAUSE_ILLEGAL_INSTRUCTION] = "illegal instruction",
    [CAUSE_BREAKPOINT] = "breakpoint",
    [CAUSE_MISALIGNED_LOAD] = "misaligned load",
    [CAUSE_LOAD_ACCESS] = "load access fault",
    [CAUSE_MISALIGNED_STORE] = "misaligned store",
    [CAUSE_STORE_ACCESS] = "store access fault",
};

_Noreturn void crosstalk_end_fault(struct hart *self, uint32_t pc, uint32_t address, uint32_t cause) {
    stop_the_others(self);
    crosstalk_say("crosstalk: hart ");
    crosstalk_say_number(self->number);
    crosstalk_say(": ");
    crosstalk_say(cause < sizeof causes / sizeof *causes ? causes[cause] : "unexpected trap");
    crosstalk_say(" at pc ");
    crosstalk_say_hex(pc);
    crosstalk_say(cause == CAUSE_ILLEGAL_INSTRUCTION ? ", instruction " : ", address ");
    crosstalk_say_hex(address);
    crosstalk_say_end();
    ct_ending how = {.outcome = CT_OUTCOME_FAULT, .a = pc, .b = address, .c = cause};
    end(self, &how, cause == CAUSE_ILLEGAL_INSTRUCTION ? CODE_ILLEGAL
                    : cause == CAUSE_BREAKPOINT        ? CODE_BREAKPOINT
                                                       : CODE_FAULT);
}

_Noreturn void crosstalk_end_deadlock(struct hart *self) {
    stop_the_others(self);
    crosstalk_say("crosstalk: deadlock: every thread waits, and none can wake another");
    crosstalk_say_end();
    ct_ending how = {.outcome = CT_OUTCOME_DEADLOCK};
    end(self, &how, CODE_DEADLOCK);
}
