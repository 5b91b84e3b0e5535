/* Two threads count in a word of a signature, as RISC-V's architecture tests have one; updates get lost. */
#include <pthread.h>

__asm__(".data\n"
        ".balign 4\n"
        ".globl begin_signature\n"
        ".type begin_signature, @object\n"
        ".size begin_signature, 12\n"
        "begin_signature:\n"
        ".word 0x01234567, 0, 0xdeadbeef\n"
        ".globl end_signature\n"
        "end_signature:\n");

extern volatile unsigned begin_signature[3];

__attribute__((noinline)) static void *count(void *unused) {
    for (int i = 0; i < 10; i++) begin_signature[1] = begin_signature[1] + 1;
    ((volatile unsigned char *)begin_signature)[9] = 0x77;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    return begin_signature[1] != 20;
}
