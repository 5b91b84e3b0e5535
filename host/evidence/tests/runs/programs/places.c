/* Three threads take two places: each looks under the lock, and takes one under the lock, but later. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int taken, asked; } places;

static void *guest(void *unused) {
    pthread_mutex_lock(&lock);
    places.asked++;
    int free_place = places.taken < 2; /* @look */
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (free_place) places.taken++; /* @take */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t guests[3];
    for (int i = 0; i < 3; i++) pthread_create(&guests[i], NULL, guest, NULL);
    for (int i = 0; i < 3; i++) pthread_join(guests[i], NULL);
    return places.taken > 2 || places.asked != 3;
}
