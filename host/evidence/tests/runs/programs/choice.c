/* The failed condition reads a constant; which one, another thread chose. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char *volatile name = "old";

static void *renamer(void *unused) {
    name = "new"; /* @rename */
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, renamer, NULL);
    assert(strcmp(name, "old") == 0); /* @assert */
    pthread_join(thread, NULL);
    return 0;
}
