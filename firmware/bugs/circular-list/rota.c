/* A rota: people on a circular list take turns. Whoever hands out work takes the first from the list and
 * puts them at its end, so that everybody comes up once in a round.
 *
 * Taking and putting are each one step, but not both together: a dispatcher that has taken somebody can
 * be overtaken by another, who takes the next and is the first to put. The order is lost for good. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define OWN_LINE _Alignas(64)

enum { DISPATCHERS = 3, PEOPLE = 8, JOBS = 6 };

struct person {
    OWN_LINE struct person *next;
    int number;
    int jobs;
};

static struct {
    OWN_LINE struct person *head;
    OWN_LINE struct person *tail;
    OWN_LINE pthread_mutex_t lock;
    pthread_mutex_t turn; /* for one who takes and puts */
} rota;

static struct person people[PEOPLE];

struct desk {
    OWN_LINE unsigned number;
    int hours;
};

static struct person *take_first(void) {
    pthread_mutex_lock(&rota.lock);
    struct person *person = rota.head; /* bug: 1, 2 */
    rota.head = person->next; /* bug */
    pthread_mutex_unlock(&rota.lock);
    return person;
}

static void put_last(struct person *person) {
    person->next = NULL;
    pthread_mutex_lock(&rota.lock);
    struct person *last = rota.tail; /* bug: 3, 4 */
    last->next = person; /* bug */
    rota.tail = person; /* bug */
    pthread_mutex_unlock(&rota.lock);
}

static void next_on_duty(void) {
#ifdef FIXED
    pthread_mutex_lock(&rota.turn);
#endif
    struct person *person = take_first();
    person->jobs++;
    put_last(person);
#ifdef FIXED
    pthread_mutex_unlock(&rota.turn);
#endif
}

/* Hours that a job takes, by its description. */
static int estimate(unsigned job) {
    int hours = 1;
    for (int i = 0; i < 300; i++) {
        job = job * 1664525u + 1013904223u;
        hours += job >> 31;
    }
    return hours;
}

static void *dispatcher(void *argument) {
    struct desk *desk = argument;
    int hours = 0;
    for (unsigned job = 0; job < JOBS; job++) {
        hours += estimate(desk->number * 1000 + job);
        next_on_duty();
    }
    desk->hours = hours;
    return NULL;
}

int main(void) {
    pthread_t dispatchers[DISPATCHERS];
    static struct desk desks[DISPATCHERS];
    int hours = 0, jobs = 0;
    for (int i = 0; i < PEOPLE; i++) {
        people[i].number = i;
        people[i].next = i + 1 < PEOPLE ? &people[i + 1] : NULL;
    }
    rota.head = &people[0];
    rota.tail = &people[PEOPLE - 1];
    pthread_mutex_init(&rota.lock, NULL);
    pthread_mutex_init(&rota.turn, NULL);
    for (unsigned i = 0; i < DISPATCHERS; i++) {
        desks[i].number = i;
        pthread_create(&dispatchers[i], NULL, dispatcher, &desks[i]);
    }
    for (int i = 0; i < DISPATCHERS; i++) {
        pthread_join(dispatchers[i], NULL);
        hours += desks[i].hours;
    }
    for (int i = 0; i < PEOPLE; i++) jobs += people[i].jobs;
    assert(jobs == DISPATCHERS * JOBS);
    for (struct person *person = rota.head; person->next; person = person->next)
        assert(person->next->number == (person->number + 1) % PEOPLE);
    printf("%d hours, next is %d\n", hours, rota.head->number);
    return 0;
}
