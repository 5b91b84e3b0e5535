/*
 * Peers of a torrent deliver blocks; finished pieces are marked in the bitfield and
 * the downloaded bytes are added up for the tracker announce.
 *
 * Bug: the byte count of the torrent is changed under the lock of the peer, and each
 * peer has its own.
 *
 * validate:
 *   kind: lost-update
 *   variable: tor->downloaded
 *   threads: 6
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NPEERS  5
#define NPIECES 20
#define BLOCK   16

typedef struct torrent torrent_t;

typedef struct peer {
  int              id;
  pthread_mutex_t  lock;
  unsigned         blocks_in;
  unsigned         rate;
  torrent_t       *tor;
  struct peer     *next;
  pthread_t        thread;
} peer_t;

struct torrent {
  pthread_mutex_t  lock;          /* pieces, next_wanted, verified */
  unsigned char    have[NPIECES];
  unsigned         len[NPIECES];
  int              next_wanted;
  int              verified;
  uint32_t         downloaded;
  peer_t          *peers;
};

static torrent_t *torrent_new(void)
{
  torrent_t *tor = calloc(1, sizeof *tor);
  assert(tor);
  pthread_mutex_init(&tor->lock, NULL);
  for (int i = 0; i < NPIECES; i++)
    tor->len[i] = BLOCK * (1 + i % 3);
  return tor;
}

static peer_t *peer_add(torrent_t *tor, int id)
{
  peer_t *p = calloc(1, sizeof *p);
  assert(p);
  p->id = id;
  p->tor = tor;
  pthread_mutex_init(&p->lock, NULL);
  p->next = tor->peers;
  tor->peers = p;
  return p;
}

/* The picker: hands every piece to one peer only. */
static int pick_piece(torrent_t *tor)
{
  int piece = -1;
  pthread_mutex_lock(&tor->lock);
  if (tor->next_wanted < NPIECES)
    piece = tor->next_wanted++;
  pthread_mutex_unlock(&tor->lock);
  return piece;
}

static void account(peer_t *p, unsigned bytes)
{
  torrent_t *tor = p->tor;

  pthread_mutex_lock(&p->lock);
  p->blocks_in += bytes / BLOCK;
  p->rate = (p->rate * 3 + bytes) / 4;
#ifndef FIXED
  uint32_t sum = tor->downloaded;          /* bug: 1, 2 */
  sum += bytes;
  tor->downloaded = sum;                   /* bug: 3, 4 */
#endif
  pthread_mutex_unlock(&p->lock);

#ifdef FIXED
  pthread_mutex_lock(&tor->lock);
  tor->downloaded += bytes;
  pthread_mutex_unlock(&tor->lock);
#endif
}

static void piece_done(torrent_t *tor, int piece)
{
  pthread_mutex_lock(&tor->lock);
  assert(!tor->have[piece]);
  tor->have[piece] = 1;
  tor->verified++;
  pthread_mutex_unlock(&tor->lock);
}

static void *peer_main(void *arg)
{
  peer_t *p = arg;
  unsigned char buf[BLOCK * 3];
  int piece;

  while ((piece = pick_piece(p->tor)) >= 0) {
    unsigned n = p->tor->len[piece];
    memset(buf, piece, n);
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
      sum += buf[i];
    assert(sum == n * (unsigned)piece);
    account(p, n);
    piece_done(p->tor, piece);
  }
  return NULL;
}

/* What goes into the announce: must agree with the bitfield at the end. */
static uint32_t bytes_had(torrent_t *tor)
{
  uint32_t n = 0;
  for (int i = 0; i < NPIECES; i++)
    if (tor->have[i])
      n += tor->len[i];
  return n;
}

int main(void)
{
  torrent_t *tor = torrent_new();
  unsigned blocks = 0;

  for (int i = 0; i < NPEERS; i++)
    peer_add(tor, i);
  for (peer_t *p = tor->peers; p; p = p->next)
    pthread_create(&p->thread, NULL, peer_main, p);
  for (peer_t *p = tor->peers; p; p = p->next)
    pthread_join(p->thread, NULL);

  while (tor->peers) {
    peer_t *p = tor->peers;
    tor->peers = p->next;
    blocks += p->blocks_in;
    pthread_mutex_destroy(&p->lock);
    free(p);
  }
  assert(tor->verified == NPIECES);
  assert(blocks * BLOCK == bytes_had(tor));
  assert(tor->downloaded == bytes_had(tor));
  printf("left=0 downloaded=%u\n", (unsigned)tor->downloaded);
  free(tor);
  return 0;
}
