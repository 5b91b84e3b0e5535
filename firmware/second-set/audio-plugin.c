/*
 * An audio host runs each effect plugin in its own thread; plugins take blocks from
 * a source, process them and hand them to the sink they are connected to.
 *
 * Bug: the host starts the thread of a plugin before it connects the sink, and the
 * plugin reads the pointer too early.
 *
 * validate:
 *   kind: order
 *   variable: p->sink
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PLUGINS 3
#define BLOCKS  5
#define FRAMES  8

struct sink;
typedef int (*sink_write_fn)(struct sink *, const short *, int);

struct sink {
	sink_write_fn write;
	pthread_mutex_t lock;
	long sum;
	int blocks;
};

struct block {
	struct block *next;
	short pcm[FRAMES];
};

struct source {
	pthread_mutex_t lock;
	struct block *head;
	int left;
};

struct plugin {
	const char *name;
	int gain;
	short curve[32];
	struct source *src;
	struct sink *sink;
	struct plugin *next;
	pthread_t thread;
};

struct host {
	struct plugin *plugins;
	struct source src;
	struct sink master;
};

static int master_write(struct sink *s, const short *pcm, int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += pcm[i];
	pthread_mutex_lock(&s->lock);
	s->sum += sum;
	s->blocks++;
	pthread_mutex_unlock(&s->lock);
	return n;
}

static struct block *source_pull(struct source *src)
{
	struct block *b;

	pthread_mutex_lock(&src->lock);
	b = src->head;
	if (b) {
		src->head = b->next;
		src->left--;
	}
	pthread_mutex_unlock(&src->lock);
	return b;
}

static void plugin_prepare(struct plugin *p)
{
	for (int i = 0; i < 32; i++)
		p->curve[i] = (short)(i * p->gain);
}

static void *plugin_run(void *arg)
{
	struct plugin *p = arg;
	struct block *b;
	struct sink *out;
	short pre[FRAMES] = { 0 };

	plugin_prepare(p);
	out = p->sink;                              /* bug: 1 */
	out->write(out, pre, FRAMES);               /* bug */

	while ((b = source_pull(p->src)) != NULL) {
		for (int i = 0; i < FRAMES; i++)
			b->pcm[i] = (short)(p->curve[b->pcm[i] & 31] / p->gain);
		out->write(out, b->pcm, FRAMES);
		free(b);
	}
	return NULL;
}

static struct plugin *host_add(struct host *h, const char *name, int gain)
{
	struct plugin *p = calloc(1, sizeof *p);

	assert(p);
	p->name = name;
	p->gain = gain;
	p->src = &h->src;
	p->next = h->plugins;
	h->plugins = p;
	return p;
}

static void host_connect(struct plugin *p, struct sink *s)
{
	p->sink = s;                                /* bug: 2 */
}

static void host_start(struct host *h)
{
	struct plugin *p;

	for (p = h->plugins; p; p = p->next) {
#ifdef FIXED
		host_connect(p, &h->master);
		pthread_create(&p->thread, NULL, plugin_run, p);
#else
		pthread_create(&p->thread, NULL, plugin_run, p);  /* bug */
		host_connect(p, &h->master);
#endif
	}
}

int main(void)
{
	struct host *h = calloc(1, sizeof *h);
	long expect = 0;

	assert(h);
	pthread_mutex_init(&h->src.lock, NULL);
	pthread_mutex_init(&h->master.lock, NULL);
	h->master.write = master_write;
	for (int i = 0; i < BLOCKS * PLUGINS; i++) {
		struct block *b = malloc(sizeof *b);
		assert(b);
		for (int k = 0; k < FRAMES; k++) {
			b->pcm[k] = (short)((i + k) & 31);
			expect += b->pcm[k];
		}
		b->next = h->src.head;
		h->src.head = b;
		h->src.left++;
	}
	host_add(h, "reverb", 3);
	host_add(h, "chorus", 5);
	host_add(h, "limiter", 2);
	host_start(h);

	for (struct plugin *p = h->plugins; p; p = p->next)
		pthread_join(p->thread, NULL);
	assert(h->src.left == 0);
	assert(h->master.blocks == BLOCKS * PLUGINS + PLUGINS);
	assert(h->master.sum == expect);
	while (h->plugins) {
		struct plugin *p = h->plugins;
		h->plugins = p->next;
		free(p);
	}
	free(h);
	return 0;
}
