/* More accesses than a log keeps, with a lock taken before them. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int words[8];

int main(void) {
    pthread_mutex_lock(&mutex); /* @taken */
    for (int i = 0; i < 140000; i++)
        for (int word = 0; word < 8; word++) words[word] = i;
    return 1;
}
