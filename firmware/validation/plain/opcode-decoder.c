/*
 * opcode-decoder.c
 *
 * Two threads take program images from a queue and decode them with a table of
 * instruction lengths.  The table says 2 bytes for CALL, which has three, so
 * the decoder gets out of step in the image that contains one.
 *
 * validate:
 *   kind: plain
 *   variable: optable[].len
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static const struct { const char *mnemonic; uint8_t len; } optable[] = {
    { "nop", 1 }, { "ldi", 2 }, { "add", 1 }, { "jmp", 3 },
#ifdef FIXED
    { "call", 3 },
#else
    { "call", 2 }, /* bug */
#endif
    { "ret", 1 },
};
#define NOPS (sizeof optable / sizeof optable[0])

static const uint8_t img0[] = { 1, 40, 1, 2, 2, 5 };
static const uint8_t img1[] = { 0, 0, 3, 0x10, 0x00, 5 };
static const uint8_t img2[] = { 1, 7, 4, 0x20, 0x81, 2, 5 };
static const uint8_t img3[] = { 2, 2, 2, 0, 5 };

static const struct { const uint8_t *code; unsigned size; int insns; } images[] = {
    { img0, sizeof img0, 4 }, { img1, sizeof img1, 4 },
    { img2, sizeof img2, 4 }, { img3, sizeof img3, 5 },
};

static struct {
    pthread_mutex_t mu;
    unsigned next;
    int decoded;
} work = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static int decode(const uint8_t *code, unsigned size)
{
    int n = 0;
    for (unsigned pc = 0; pc < size; n++) {
        assert(code[pc] < NOPS);        /* illegal instruction */
        pc += optable[code[pc]].len;
    }
    return n;
}

static void *decoder(void *arg)
{
    (void)arg;
    for (;;) {
        unsigned i;
        pthread_mutex_lock(&work.mu);
        i = work.next++;
        pthread_mutex_unlock(&work.mu);
        if (i >= sizeof images / sizeof images[0])
            return NULL;
        int n = decode(images[i].code, images[i].size);
        assert(n == images[i].insns);
        pthread_mutex_lock(&work.mu);
        work.decoded += n;
        pthread_mutex_unlock(&work.mu);
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, decoder, NULL);
    pthread_create(&b, NULL, decoder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d instructions\n", work.decoded);
    return 0;
}
