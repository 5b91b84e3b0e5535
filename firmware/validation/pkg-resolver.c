/*
 * pkg-resolver: picks package versions; a verifier checks them concurrently.
 *
 * The choice for a package is spread over two tables: the version table and
 * the lock file with checksums, each with its own mutex.  choose() upgrades
 * one after the other.  A verifier that looks at both between the two steps
 * finds the new version with the old checksum.
 *
 * validate:
 *   kind: several-variables
 *   variable: versions.v[], lockfile.sum[]
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum pkg { PKG_ZIP, PKG_TLS, PKG_HTTP, NPKG };

static struct { pthread_mutex_t mu; int v[NPKG]; } versions =
    { PTHREAD_MUTEX_INITIALIZER, { 0 } };
static struct { pthread_mutex_t mu; uint32_t sum[NPKG]; } lockfile =
    { PTHREAD_MUTEX_INITIALIZER, { 0 } };

static uint32_t checksum(enum pkg p, int version)
{
    uint32_t x = (uint32_t)p * 7919u + (uint32_t)version * 104729u;
    return x ^ (x >> 5);
}

#ifndef FIXED
static void lockfile_set(enum pkg p, uint32_t sum)
{
    pthread_mutex_lock(&lockfile.mu);
    lockfile.sum[p] = sum; /* bug: 4 */
    pthread_mutex_unlock(&lockfile.mu);
}

static int version_raise(enum pkg p, int v)
{
    int newer;
    pthread_mutex_lock(&versions.mu);
    newer = v > versions.v[p];
    if (newer)
        versions.v[p] = v; /* bug: 1 */
    pthread_mutex_unlock(&versions.mu);
    return newer;
}
#endif

static void choose(enum pkg p, int v)
{
#ifdef FIXED
    pthread_mutex_lock(&versions.mu);
    if (v > versions.v[p]) {
        versions.v[p] = v;
        pthread_mutex_lock(&lockfile.mu);
        lockfile.sum[p] = checksum(p, v);
        pthread_mutex_unlock(&lockfile.mu);
    }
    pthread_mutex_unlock(&versions.mu);
#else
    if (version_raise(p, v))
        lockfile_set(p, checksum(p, v));
#endif
}

static int verify(enum pkg p)
{
    int v;
    uint32_t sum;

    pthread_mutex_lock(&versions.mu);
    pthread_mutex_lock(&lockfile.mu);
    v = versions.v[p]; /* bug: 2 */
    sum = lockfile.sum[p]; /* bug: 3 */
    pthread_mutex_unlock(&lockfile.mu);
    pthread_mutex_unlock(&versions.mu);
    return sum == checksum(p, v);
}

/* what the manifests ask for, in order of traversal */
static const struct { enum pkg p; int v; } want[] = {
    { PKG_ZIP, 2 }, { PKG_TLS, 1 }, { PKG_ZIP, 1 }, { PKG_HTTP, 4 },
    { PKG_TLS, 3 }, { PKG_HTTP, 2 }, { PKG_ZIP, 5 }, { PKG_TLS, 2 },
};

static void *resolver(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++)
        choose(want[i].p, want[i].v);
    return NULL;
}

static void *verifier(void *arg)
{
    int first = (int)(intptr_t)arg;
    intptr_t good = 0;
    for (int i = 0; i < 6; i++)
        good += verify((enum pkg)((first + i) % NPKG));
    return (void *)good;
}

int main(void)
{
    pthread_t t[3];
    void *good[3];

    for (int p = 0; p < NPKG; p++)
        lockfile.sum[p] = checksum((enum pkg)p, 0);
    pthread_create(&t[0], NULL, verifier, (void *)(intptr_t)0);
    pthread_create(&t[1], NULL, resolver, NULL);
    pthread_create(&t[2], NULL, verifier, (void *)(intptr_t)1);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], &good[i]);
    for (int p = 0; p < NPKG; p++)
        assert(verify((enum pkg)p));
    printf("zip %d, tls %d, http %d\n", versions.v[0], versions.v[1], versions.v[2]);
    assert((intptr_t)good[0] == 6 && (intptr_t)good[2] == 6);
    return 0;
}
