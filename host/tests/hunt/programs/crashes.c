/* Falls over before it starts a thread. */
#include <pthread.h>

int main(int count, char **arguments) {
    (void)arguments;
    volatile int *nowhere = (int *)(4 * (unsigned long)count);
    return *nowhere;
}
