#ifndef CROSSTALK_SCHED_H
#define CROSSTALK_SCHED_H

int sched_yield(void);

#endif
