/* The parts of the modem bank, each with a lock of its own. */
#ifndef BANK_H
#define BANK_H

#define LINES 3

/* lines.c */
int line_answer(int caller);            /* the line, or -1 if all are busy */
void line_release(int line);
int lines_busy(void);

/* calls.c */
void call_begin(int line, int caller);
int call_end(void);                     /* the line of the oldest call, or -1 */
int calls_active(void);

/* billing.c */
void billing_charge(int caller, int units);
int billing_audit(void);                /* how many charges there were */

#endif
