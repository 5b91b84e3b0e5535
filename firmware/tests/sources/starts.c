/* Starts a thread and at once waits for it, without any of the library's patience: when everybody else
 * waits, the thread may not have begun yet. */
#include <crosstalk/calls.h>
#include <stdio.h>

enum { THREADS = 60 };

static void wake_main(void) {
    crosstalk_call(CROSSTALK_UNPARK, 0, 0, 0, 0);
    for (;;) crosstalk_call(CROSSTALK_FINISH, 0, 0, 0, 0);
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        while (crosstalk_call(CROSSTALK_START, (uint32_t)wake_main, 0, 0, 0) < 0) {}
        crosstalk_call(CROSSTALK_PARK, UINT32_MAX, UINT32_MAX, 0, 0);
    }
    printf("%d threads\n", THREADS);
    return 0;
}
