/* Two locks, taken in two orders: some schedules deadlock. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static volatile int meals;

static void *eat_left_first(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&left);
        pthread_mutex_lock(&right);
        meals++;
        pthread_mutex_unlock(&right);
        pthread_mutex_unlock(&left);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, eat_left_first, NULL);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&right);
        pthread_mutex_lock(&left);
        meals++;
        pthread_mutex_unlock(&left);
        pthread_mutex_unlock(&right);
    }
    pthread_join(thread, NULL);
    return 0;
}
