#ifndef MACHINE_H
#define MACHINE_H

#include <pthread.h>
#include <semaphore.h>

#define BANKS 3
#define BANK_BYTES 32

struct machine {
    unsigned char rom[BANKS][BANK_BYTES];
    int bank;                   /* the one the processor sees */
    unsigned acc;
    unsigned pc;
    sem_t cartridge_in;
    pthread_mutex_t screen_lock;
    unsigned frames, shown;
};

struct machine *machine_new(void);
void insert_cartridge(struct machine *m);
void run_processor(struct machine *m);
void show_frames(struct machine *m);

#endif
