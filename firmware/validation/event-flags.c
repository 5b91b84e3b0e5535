/*
 * Event flags of a motor controller task set.
 *
 * Three "interrupt side" tasks raise bits in one status word; the control
 * task (main) collects them at the end of the cycle.  Raising goes through
 * EVT_RAISE, which locks; the over-temperature path was added later and sets
 * its bit straight in the word.  Its read-modify-write can swallow a bit that
 * is raised by someone else at the same moment.
 *
 * validate:
 *   kind: lost-update
 *   variable: g_evt_word
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define EVT_ENCODER(n)   (1u << (n))          /* 0..3   */
#define EVT_LIMIT_SW(n)  (1u << (4 + (n)))    /* 4..7   */
#define EVT_OVERTEMP     (1u << 8)
#define EVT_TEMP_DONE    (1u << 9)
#define EVT_ALL          0x3FFu

static volatile uint32_t g_evt_word;
static pthread_mutex_t   g_evt_mtx = PTHREAD_MUTEX_INITIALIZER;

#define EVT_RAISE(bits)                          \
    do {                                         \
        pthread_mutex_lock(&g_evt_mtx);          \
        evt_or(bits);                            \
        pthread_mutex_unlock(&g_evt_mtx);        \
    } while (0)

static void evt_or(uint32_t bits)
{
    g_evt_word |= bits; /* bug: 2, 3 */
}

static uint8_t enc_shift, lim_shift;   /* one task each */

static void debounce(uint8_t *shift, int pin)
{
    for (int i = 0; i < 10; i++)
        *shift = (uint8_t)(*shift << 1 | ((i + pin) > 2));
}

static void *encoder_isr(void *p)
{
    (void)p;
    for (int n = 0; n < 4; n++) {
        debounce(&enc_shift, n);
        EVT_RAISE(EVT_ENCODER(n));
    }
    return NULL;
}

static void *limit_isr(void *p)
{
    (void)p;
    for (int n = 0; n < 4; n++) {
        debounce(&lim_shift, n);
        EVT_RAISE(EVT_LIMIT_SW(n));
    }
    return NULL;
}

/* raw ADC trace of the winding sensor, one hot spike in it */
static const int16_t adc_trace[] = { 210, 214, 220, 233, 251, 262, 310, 230, 240, 231 };

static int filtered(int i)
{
    int a = adc_trace[i], b = i ? adc_trace[i - 1] : a;
    return (a * 3 + b) / 4;
}

static void *temp_isr(void *p)
{
    (void)p;
    for (unsigned i = 0; i < sizeof adc_trace / sizeof adc_trace[0]; i++) {
        int t = filtered((int)i);
        if (t > 290) {
#ifdef FIXED
            EVT_RAISE(EVT_OVERTEMP);
#else
            g_evt_word |= EVT_OVERTEMP; /* bug: 1, 4 */
#endif
        }
    }
    EVT_RAISE(EVT_TEMP_DONE);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    void *(*const isr[3])(void *) = { encoder_isr, limit_isr, temp_isr };

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, isr[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);

    uint32_t missing = EVT_ALL & ~g_evt_word;
    if (missing) {
        printf("events lost: %03x\n", (unsigned)missing);
        return 1;
    }
    puts("all events seen");
    return 0;
}
