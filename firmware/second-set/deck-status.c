/*
 * A music player with two decks: a controller per deck goes through its playlist, and
 * status displays show the track with its length and the time that is left.
 *
 * Bug: the track and its length are changed in two critical sections (the listeners are
 * told in between), so that a display can see the new track with the old length.
 *
 * validate:
 *   kind: several-variables
 *   variable: d->track, d->length
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define DECKS 2
#define DISPLAYS 2
#define TRACKS 6
#define LOOKS 6

typedef struct track {
	struct track *next;
	int number;
	int seconds;
} track;

typedef struct deck deck;
typedef void (*listener_fn)(deck *d, track *t, void *arg);

typedef struct listener {
	struct listener *next;
	listener_fn fn;
	void *arg;
} listener;

struct deck {
	pthread_mutex_t lock;
	track *track;
	int length;
	int played;
	track *playlist;                /* only the controller */
	listener *listeners;            /* complete before the threads start */
	pthread_t controller;
};

struct display {
	deck *decks[DECKS];
	int shown;
	long seconds;
	pthread_t tid;
};

static struct {
	pthread_mutex_t lock;
	int scrobbles;
	long seconds;
} scrobbler = { .lock = PTHREAD_MUTEX_INITIALIZER };

static atomic_int lamp_changes;

static void scrobble(deck *d, track *t, void *arg)
{
	(void)d;
	(void)arg;
	pthread_mutex_lock(&scrobbler.lock);
	scrobbler.scrobbles++;
	scrobbler.seconds += t->seconds;
	pthread_mutex_unlock(&scrobbler.lock);
}

static void lamp(deck *d, track *t, void *arg)
{
	(void)d;
	(void)t;
	atomic_fetch_add((atomic_int *)arg, 1);
}

static void listen_to(deck *d, listener_fn fn, void *arg)
{
	listener *l = malloc(sizeof *l);
	assert(l);
	l->fn = fn;
	l->arg = arg;
	l->next = d->listeners;
	d->listeners = l;
}

static void tell(deck *d, track *t)
{
	for (listener *l = d->listeners; l; l = l->next)
		l->fn(d, t, l->arg);
}

static void deck_load(deck *d, track *t)
{
#ifdef FIXED
	pthread_mutex_lock(&d->lock);
	d->track = t;
	d->length = t->seconds;
	d->played++;
	pthread_mutex_unlock(&d->lock);
	tell(d, t);
#else
	pthread_mutex_lock(&d->lock);
	d->track = t;                           /* bug: 1 */
	pthread_mutex_unlock(&d->lock);

	tell(d, t);

	pthread_mutex_lock(&d->lock);
	d->length = t->seconds;                 /* bug: 4 */
	d->played++;
	pthread_mutex_unlock(&d->lock);
#endif
}

static void *controller(void *arg)
{
	deck *d = arg;

	for (track *t = d->playlist; t; t = t->next)
		deck_load(d, t);
	return NULL;
}

static void *display(void *arg)
{
	struct display *s = arg;

	for (int i = 0; i < LOOKS; i++) {
		deck *d = s->decks[i % DECKS];
		track *t;
		int length;

		pthread_mutex_lock(&d->lock);
		t = d->track;                   /* bug: 2 */
		length = d->length;             /* bug: 3 */
		pthread_mutex_unlock(&d->lock);
		if (!t)
			continue;
		assert(length == t->seconds);   /* bug */
		s->shown++;
		s->seconds += length;
	}
	return NULL;
}

int main(void)
{
	static deck decks[DECKS];
	static struct display displays[DISPLAYS];
	long total = 0;

	for (int i = 0; i < DECKS; i++) {
		pthread_mutex_init(&decks[i].lock, NULL);
		listen_to(&decks[i], scrobble, NULL);
		listen_to(&decks[i], lamp, &lamp_changes);
		for (int n = 0; n < TRACKS; n++) {
			track *t = malloc(sizeof *t);
			assert(t);
			t->number = n;
			t->seconds = 120 + 17 * n + 5 * i;
			total += t->seconds;
			t->next = decks[i].playlist;
			decks[i].playlist = t;
		}
	}
	for (int i = 0; i < DISPLAYS; i++) {
		for (int k = 0; k < DECKS; k++)
			displays[i].decks[k] = &decks[(i + k) % DECKS];
		pthread_create(&displays[i].tid, NULL, display, &displays[i]);
	}
	for (int i = 0; i < DECKS; i++)
		pthread_create(&decks[i].controller, NULL, controller, &decks[i]);
	for (int i = 0; i < DECKS; i++)
		pthread_join(decks[i].controller, NULL);
	for (int i = 0; i < DISPLAYS; i++) {
		pthread_join(displays[i].tid, NULL);
		assert(displays[i].shown <= LOOKS);
	}

	assert(scrobbler.scrobbles == DECKS * TRACKS && scrobbler.seconds == total);
	assert(atomic_load(&lamp_changes) == DECKS * TRACKS);
	for (int i = 0; i < DECKS; i++) {
		assert(decks[i].played == TRACKS);
		while (decks[i].playlist) {
			track *t = decks[i].playlist;
			decks[i].playlist = t->next;
			free(t);
		}
		while (decks[i].listeners) {
			listener *l = decks[i].listeners;
			decks[i].listeners = l->next;
			free(l);
		}
	}
	return 0;
}
