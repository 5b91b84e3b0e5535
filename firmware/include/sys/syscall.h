#ifndef CROSSTALK_SYS_SYSCALL_H
#define CROSSTALK_SYS_SYSCALL_H

/* The one system call that `syscall` knows: the number of the calling thread. */
#define SYS_gettid 178
#define __NR_gettid SYS_gettid

#endif
