/* Compiled without the definition: with CALLS and without it, the same code must come out. */
#ifdef CALLS
#include <crosstalk/breakpoint.h>
#endif

extern int shared;
extern void work(int *);
extern int *costly(void);

int subject(void) {
    int hit = 0;
#ifdef CALLS
    hit = crosstalk_breakpoint("subject", 0, costly(), costly(), 100);
    hit += crosstalk_breakpoint_until("subject", 0, costly(), 0, 100);
    hit += crosstalk_breakpoint_visit(&(struct crosstalk_visit){.name = "subject", .data = costly()});
    crosstalk_locked(costly());
#endif
    work(&shared);
#ifdef CALLS
    crosstalk_passed("subject");
    crosstalk_unlocked(costly());
    hit += crosstalk_holds(costly());
#endif
    return hit;
}
