#ifndef CROSSTALK_UNCOLORED_H
#define CROSSTALK_UNCOLORED_H

#include <stdbool.h>

/* table.c: while it is set, what this thread takes from the heap gets no color. */
extern _Thread_local bool __crosstalk_uncolored;

#endif
