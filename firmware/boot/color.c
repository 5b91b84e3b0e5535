/* Colors: each hart's registers at the start, and the calls of crosstalk/color_calls.h. Only programs that use colors
 * are linked with it. Whether accesses are tracked, and what for, the host says: it sets color_control before the
 * harts run. On a machine without colors the registers read zero and nothing happens. */
#include "../drain/drain.h"
#include "traps.h"

#include <crosstalk/color_calls.h>

extern char __program_text_start[], __program_text_end[];
void __real_crosstalk_set_up_drain(struct hart *self);

static trap_handler *other_calls;
static uint32_t control_at_start[MAX_HARTS];

static void avoid(struct hart *self, bool on) {
    uint32_t bit = COLORS_COLOR_CONTROL_AVOID, control = self->window[COLORS_COLOR_CONTROL] & ~bit;
    self->window[COLORS_COLOR_CONTROL] = on ? control | (control_at_start[self->number] & bit) : control;
}

static void flush_all(void) {
    for (uint32_t hart = 0; hart < crosstalk_hart_count; hart++)
        monitor(hart)[COLORS_COLOR_COMMAND] = COLORS_COLOR_COMMAND_FLUSH;
}

static void on_call(struct hart *self) {
    uint32_t *a = self->registers + REGISTER_A0;
    switch (self->registers[REGISTER_A7]) {
    case CROSSTALK_FLUSH_COLORS: flush_all(); break;
    case CROSSTALK_AVOID: avoid(self, a[0]); break;
    default: other_calls(self); return;
    }
    a[0] = 0;
    self->registers[0] += 4;
}

/* Colors have as many bits as this register keeps. */
static uint32_t last_color(struct hart *self) {
    self->window[COLORS_HAZARD_COLOR] = COLORS_HAZARD_COLOR_HAZARD;
    uint32_t last = self->window[COLORS_HAZARD_COLOR] & COLORS_HAZARD_COLOR_HAZARD;
    self->window[COLORS_HAZARD_COLOR] = 0;
    return last;
}

void __wrap_crosstalk_set_up_drain(struct hart *self) {
    __real_crosstalk_set_up_drain(self);
    if (!other_calls) { /* hart 0, which comes first */
        other_calls = crosstalk_exceptions[CAUSE_ECALL_FROM_USER];
        crosstalk_exceptions[CAUSE_ECALL_FROM_USER] = on_call;
        __crosstalk_last_color = last_color(self);
    }
    control_at_start[self->number] = self->window[COLORS_COLOR_CONTROL];
    self->window[COLORS_COLOR_TABLE] = (uint32_t)__crosstalk_color_root;
    if (self->window[COLORS_COLOR_RANGE_HIGH]) return;
    self->window[COLORS_COLOR_RANGE_LOW] = (uint32_t)__program_text_start;
    self->window[COLORS_COLOR_RANGE_HIGH] = (uint32_t)__program_text_end;
}
