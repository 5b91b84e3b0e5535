#ifndef CROSSTALK_SETJMP_H
#define CROSSTALK_SETJMP_H

/* ra, sp, s0 to s11 */
typedef unsigned jmp_buf[14];

__attribute__((returns_twice)) int setjmp(jmp_buf where);
_Noreturn void longjmp(jmp_buf where, int value);
#define setjmp(where) setjmp(where)
#define _setjmp(where) setjmp(where)
#define _longjmp(where, value) longjmp(where, value)

/* There is no mask to save: a signal is handled by a call, or on a thread of its own. */
typedef jmp_buf sigjmp_buf;
#define sigsetjmp(where, save) setjmp(where)
#define siglongjmp(where, value) longjmp(where, value)

#endif
