/*
 * A game engine shares loaded assets by name: asset_get finds an asset in the table
 * or loads it, asset_put drops the reference and the last one unloads it.
 *
 * Bug: the count is dropped before the table is locked; another thread can find the
 * asset with no references, take it, put it back and free it before the first one
 * gets the lock, which then looks at freed memory.
 *
 * validate:
 *   kind: lifetime
 *   variable: a->refs
 *   threads: 5
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOADERS 4
#define STEPS 5
#define BUCKETS 4

typedef struct Asset {
  struct Asset *next;
  const char *path;
  atomic_int refs;
  volatile int id;             /* 0 when unloaded */
  unsigned char blob[24];
} Asset;

typedef struct AssetTable {
  pthread_mutex_t lock;
  Asset *bucket[BUCKETS];
  int loaded, unloaded;
} AssetTable;

static AssetTable table = { .lock = PTHREAD_MUTEX_INITIALIZER };
static atomic_int uses;

/* What each part of the scene needs; only the rain is in two of them. */
static const char *const scene[LOADERS][STEPS] = {
  { "mesh/oak", "snd/rain", "tex/sand", "mesh/oak", "tex/leaf" },
  { "mesh/gate", "tex/iron", "snd/hinge", "mesh/gate", "tex/rust" },
  { "mesh/roof", "tex/slate", "mesh/roof", "tex/moss", "snd/rain" },
  { "snd/bell", "tex/brick", "snd/bell", "mesh/tower", "tex/gold" },
};

static unsigned bucket_of(const char *path)
{
  unsigned h = 17;
  while (*path)
    h = h * 31 + (unsigned char)*path++;
  return h % BUCKETS;
}

static Asset *asset_load(const char *path)
{
  Asset *a = malloc(sizeof *a);
  assert(a);
  a->path = path;
  a->id = ++table.loaded;
  atomic_init(&a->refs, 0);
  memset(a->blob, path[0], sizeof a->blob);
  return a;
}

Asset *asset_get(const char *path)
{
  unsigned b = bucket_of(path);
  Asset *a;

  pthread_mutex_lock(&table.lock);
  for (a = table.bucket[b]; a; a = a->next)
    if (strcmp(a->path, path) == 0)
      break;
  if (!a) {
    a = asset_load(path);
    a->next = table.bucket[b];
    table.bucket[b] = a;
  }
  atomic_fetch_add(&a->refs, 1);
  pthread_mutex_unlock(&table.lock);
  return a;
}

static void unload_locked(Asset *a)
{
  Asset **pp = &table.bucket[bucket_of(a->path)];
  while (*pp != a)
    pp = &(*pp)->next;
  *pp = a->next;
  table.unloaded++;
  a->id = 0;
  free(a);                                              /* bug: 1 */
}

void asset_put(Asset *a)
{
  int id = a->id;

#ifdef FIXED
  pthread_mutex_lock(&table.lock);
  assert(a->id == id);
  if (atomic_fetch_sub(&a->refs, 1) == 1)
    unload_locked(a);
  pthread_mutex_unlock(&table.lock);
#else
  if (atomic_fetch_sub(&a->refs, 1) != 1)               /* bug */
    return;
  pthread_mutex_lock(&table.lock);
  assert(a->id == id);                                  /* bug: 2 */
  if (atomic_load(&a->refs) == 0)     /* nobody has found it meanwhile */
    unload_locked(a);
  pthread_mutex_unlock(&table.lock);
#endif
}

static void use(const Asset *a)
{
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof a->blob; i++)
    sum += a->blob[i];
  assert(sum == sizeof a->blob * (unsigned char)a->path[0]);
  atomic_fetch_add(&uses, 1);
}

static void *loader(void *arg)
{
  int id = (int)(size_t)arg;

  for (int i = 0; i < STEPS; i++) {
    Asset *a = asset_get(scene[id][i]);
    use(a);
    asset_put(a);
  }
  return NULL;
}

int main(void)
{
  pthread_t tid[LOADERS];

  for (size_t i = 0; i < LOADERS; i++)
    pthread_create(&tid[i], NULL, loader, (void *)i);
  for (int i = 0; i < LOADERS; i++)
    pthread_join(tid[i], NULL);

  for (int i = 0; i < BUCKETS; i++)
    assert(table.bucket[i] == NULL);
  assert(table.loaded == table.unloaded);
  assert(atomic_load(&uses) == LOADERS * STEPS);
  return 0;
}
