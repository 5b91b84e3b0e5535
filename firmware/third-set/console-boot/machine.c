/*
 * An emulator of a game console. One thread loads the cartridge's banks, one
 * is the processor, one the picture. The processor waits until the cartridge
 * is in and then runs from bank 0; the program switches to other banks.
 *
 * Bug: the loader says that the cartridge is in after the first bank instead
 * of after the last. A processor that is fast switches to a bank that is still
 * empty and halts at once.
 *
 * validate:
 *   kind: order
 *   variable: machine->rom[]
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include "machine.h"

#include <stdlib.h>

enum { HALT = 0, ADD = 1, BANK = 2, FRAME = 3 };

/* The bytes on a cartridge are scrambled, so that nobody copies it. */
#define SCRAMBLE 0x0f
#define OP(code, value) (code) ^ SCRAMBLE, (value) ^ SCRAMBLE

static const unsigned char cartridge[BANKS][BANK_BYTES] = {
    { OP(ADD, 2), OP(ADD, 3), OP(FRAME, 0), OP(BANK, 1) },
    { OP(ADD, 10), OP(FRAME, 0), OP(ADD, 20), OP(ADD, 5), OP(BANK, 2) },
    { OP(ADD, 100), OP(FRAME, 0), OP(HALT, 0) },
};

struct machine *machine_new(void)
{
    struct machine *m = calloc(1, sizeof *m);

    if (!m)
        abort();
    sem_init(&m->cartridge_in, 0, 0);
    pthread_mutex_init(&m->screen_lock, NULL);
    return m;
}

static void decode(unsigned char *to, const unsigned char *from)
{
    for (int i = 0; i < BANK_BYTES; i++)
        to[i] = from[i] ^ SCRAMBLE;                             /* bug: 2 */
}

void insert_cartridge(struct machine *m)
{
    for (int bank = 0; bank < BANKS; bank++) {
        decode(m->rom[bank], cartridge[bank]);                  /* bug */
#ifndef FIXED
        if (bank == 0)
            sem_post(&m->cartridge_in);                         /* bug */
#endif
    }
#ifdef FIXED
    sem_post(&m->cartridge_in);
#endif
}

static void frame(struct machine *m)
{
    pthread_mutex_lock(&m->screen_lock);
    m->frames++;
    pthread_mutex_unlock(&m->screen_lock);
}

void run_processor(struct machine *m)
{
    sem_wait(&m->cartridge_in);                                 /* bug */
    for (;;) {
        unsigned char op = m->rom[m->bank][m->pc];              /* bug: 1 */
        unsigned char value = m->rom[m->bank][m->pc + 1];       /* bug */

        m->pc += 2;
        switch (op) {
        case ADD:
            m->acc += value;
            break;
        case BANK:
            m->bank = value;                                    /* bug */
            m->pc = 0;
            break;
        case FRAME:
            frame(m);
            break;
        default:
            return;
        }
    }
}

void show_frames(struct machine *m)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m->screen_lock);
        if (m->shown < m->frames)
            m->shown++;
        pthread_mutex_unlock(&m->screen_lock);
    }
}
