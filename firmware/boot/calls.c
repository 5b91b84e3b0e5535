/* The system calls of crosstalk/calls.h. Whatever a program passes is checked: it cannot make the
 * firmware read or write what it may not touch itself. */
#include "ending.h"
#include "host.h"
#include "traps.h"

static int32_t call_write(const uint32_t *a) {
    bool known = a[0] == DESCRIPTOR_CONSOLE || a[0] == DESCRIPTOR_ERRORS;
    if (!known || !crosstalk_user_may_read(a[1], a[2])) return -1;
    return crosstalk_send((enum descriptor)a[0], (const void *)a[1], a[2]);
}

static int32_t call_start(const uint32_t *a) {
    struct mailbox thread = {.entry = a[0], .argument = a[1], .thread = a[2]};
    return crosstalk_start_thread(&thread);
}

static int32_t call_park(struct hart *self, const uint32_t *a) {
    uint64_t deadline = (uint64_t)a[1] << 32 | a[0];
    return (int32_t)crosstalk_park(self, deadline != UINT64_MAX, deadline);
}

void crosstalk_on_call(struct hart *self) {
    uint32_t *a = self->registers + REGISTER_A0;
    int32_t answer = 0;
    switch (self->registers[REGISTER_A7]) {
    case CROSSTALK_EXIT: crosstalk_end_exit(self, (int32_t)a[0]);
    case CROSSTALK_ASSERTION: crosstalk_end_assertion(self, a[0], a[1]);
    case CROSSTALK_WRITE: answer = call_write(a); break;
    case CROSSTALK_START: answer = call_start(a); break;
    case CROSSTALK_PARK: answer = call_park(self, a); break;
    case CROSSTALK_UNPARK: crosstalk_unpark(a[0]); break;
    case CROSSTALK_FINISH: crosstalk_finish_thread(self);
    default: answer = -1;
    }
    a[0] = (uint32_t)answer;
    self->registers[0] += 4;
}
