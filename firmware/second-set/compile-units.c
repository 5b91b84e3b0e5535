/*
 * A compiler with threads: the parser puts the symbols of a unit into the symbol
 * table, the linter goes over the table and reports to the diagnostics, and the
 * reporter prints the diagnostics with the names of their units.
 *
 * Bug: the parser locks unit -> table, the linter table -> diagnostics, and the
 * reporter diagnostics -> unit; the three can wait for each other in a circle.
 *
 * validate:
 *   kind: deadlock
 *   variable: u->lock, tab->lock, diag->lock
 *   threads: 5
 *   fails-by: deadlock
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNITS 4
#define PHASES 2                /* declarations, then bodies */
#define SYMS_PER_PHASE 3

struct symbol {
  struct symbol *next;
  char name[12];
  int unit;
  int linted;
};

struct unit {
  pthread_mutex_t lock;
  int id;
  int generated;                /* by a tool, with long names in its declarations */
  int symbols;
  int warnings;
  int parsed;
};

struct table {
  pthread_mutex_t lock;
  struct symbol *head;
  int count;
};

struct message {
  struct message *next;
  int unit;
  int code;
};

struct diag {
  pthread_mutex_t lock;
  struct message *head;
  int posted, printed;
};

struct compiler {
  struct unit *units[UNITS];
  struct table *tab;
  struct diag *diag;
  sem_t fresh;                  /* a phase of a unit is in the table */
  sem_t reports;                /* the linter has been through */
  pthread_mutex_t next_lock;
  int next_unit;
  int bytes_read;
};

static void *xalloc(size_t n)
{
  void *p = calloc(1, n);
  assert(p);
  return p;
}

static void diag_post(struct diag *diag, int unit, int code)
{
  struct message *m = xalloc(sizeof *m);
  m->unit = unit;
  m->code = code;
  pthread_mutex_lock(&diag->lock);            /* bug: 5 */
  m->next = diag->head;
  diag->head = m;
  diag->posted++;
  pthread_mutex_unlock(&diag->lock);
}

static void table_add(struct table *tab, struct symbol *list, int n)
{
  pthread_mutex_lock(&tab->lock);             /* bug: 4 */
  while (list) {
    struct symbol *s = list;
    list = s->next;
    s->next = tab->head;
    tab->head = s;
  }
  tab->count += n;
  pthread_mutex_unlock(&tab->lock);
}

/* Parses into a list of its own; only the last step needs the locks. */
static void parse_unit(struct compiler *cc, struct unit *u, int phase)
{
  struct symbol *list = NULL;

  for (int i = 0; i < SYMS_PER_PHASE; i++) {
    struct symbol *s = xalloc(sizeof *s);
    s->name[0] = (char)('a' + i + phase * SYMS_PER_PHASE);
    s->name[1] = (char)('0' + u->id);
    memset(s->name + 2, 'x', u->generated && phase == 0 ? 1 + (size_t)i : 1);
    s->unit = u->id;
    s->next = list;
    list = s;
  }
  pthread_mutex_lock(&u->lock);               /* bug: 1 */
  u->parsed++;
  u->symbols += SYMS_PER_PHASE;
#ifdef FIXED
  pthread_mutex_unlock(&u->lock);
  table_add(cc->tab, list, SYMS_PER_PHASE);
#else
  table_add(cc->tab, list, SYMS_PER_PHASE);   /* bug */
  pthread_mutex_unlock(&u->lock);
#endif
}

static void *parser(void *arg)
{
  struct compiler *cc = arg;
  for (;;) {
    pthread_mutex_lock(&cc->next_lock);
    int n = cc->next_unit++;
    cc->bytes_read += 100;
    pthread_mutex_unlock(&cc->next_lock);
    if (n >= UNITS * PHASES)
      return NULL;
    parse_unit(cc, cc->units[n % UNITS], n / UNITS);
    sem_post(&cc->fresh);
  }
}

/* Names that end in more than two x get a warning; one warning in a pass. */
static void *linter(void *arg)
{
  struct compiler *cc = arg;
  struct table *tab = cc->tab;

  for (int pass = 0; pass < UNITS * PHASES; pass++) {
    sem_wait(&cc->fresh);
    pthread_mutex_lock(&tab->lock);           /* bug: 2 */
    for (struct symbol *s = tab->head; s; s = s->next) {
      if (s->linted)
        continue;
      s->linted = 1;
      if (strlen(s->name) > 4) {
        diag_post(cc->diag, s->unit, (int)strlen(s->name));   /* bug */
        break;
      }
    }
    pthread_mutex_unlock(&tab->lock);
    sem_post(&cc->reports);
  }
  return NULL;
}

static void *reporter(void *arg)
{
  struct compiler *cc = arg;
  struct diag *diag = cc->diag;

  for (int pass = 0; pass < UNITS * PHASES; pass++) {
    sem_wait(&cc->reports);
    pthread_mutex_lock(&diag->lock);          /* bug: 3 */
    while (diag->head) {
      struct message *m = diag->head;
      struct unit *u = cc->units[m->unit];
      diag->head = m->next;
      pthread_mutex_lock(&u->lock);           /* bug: 6 */
      u->warnings++;
      pthread_mutex_unlock(&u->lock);
      diag->printed++;
      free(m);
    }
    pthread_mutex_unlock(&diag->lock);
  }
  return NULL;
}

int main(void)
{
  struct compiler *cc = xalloc(sizeof *cc);
  pthread_t p1, p2, lint, rep;
  int symbols = 0, warnings = 0, generated = 0;

  cc->tab = xalloc(sizeof *cc->tab);
  cc->diag = xalloc(sizeof *cc->diag);
  pthread_mutex_init(&cc->tab->lock, NULL);
  pthread_mutex_init(&cc->diag->lock, NULL);
  pthread_mutex_init(&cc->next_lock, NULL);
  sem_init(&cc->fresh, 0, 0);
  sem_init(&cc->reports, 0, 0);
  for (int i = 0; i < UNITS; i++) {
    cc->units[i] = xalloc(sizeof(struct unit));
    cc->units[i]->id = i;
    cc->units[i]->generated = i % 3 == 0;
    generated += i % 3 == 0;
    pthread_mutex_init(&cc->units[i]->lock, NULL);
  }
  pthread_create(&p1, NULL, parser, cc);
  pthread_create(&p2, NULL, parser, cc);
  pthread_create(&lint, NULL, linter, cc);
  pthread_create(&rep, NULL, reporter, cc);
  pthread_join(p1, NULL);
  pthread_join(p2, NULL);
  pthread_join(lint, NULL);
  pthread_join(rep, NULL);

  for (int i = 0; i < UNITS; i++) {
    symbols += cc->units[i]->symbols;
    warnings += cc->units[i]->warnings;
    free(cc->units[i]);
  }
  assert(symbols == UNITS * PHASES * SYMS_PER_PHASE && symbols == cc->tab->count);
  assert(warnings == generated);
  assert(warnings == cc->diag->printed && cc->diag->printed == cc->diag->posted);
  while (cc->tab->head) {
    struct symbol *s = cc->tab->head;
    cc->tab->head = s->next;
    free(s);
  }
  free(cc->tab);
  free(cc->diag);
  free(cc);
  return 0;
}
