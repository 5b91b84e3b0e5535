#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

static void *loader(void *arg)
{
    insert_cartridge(arg);
    return NULL;
}

static void *processor(void *arg)
{
    run_processor(arg);
    return NULL;
}

static void *picture(void *arg)
{
    show_frames(arg);
    return NULL;
}

int main(void)
{
    static void *(*const parts[])(void *) = { processor, picture, loader };
    pthread_t threads[3];
    struct machine *m = machine_new();
    int wrong;

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, parts[i], m);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("halted in bank %d with %u\n", m->bank, m->acc);
    wrong = m->acc != 140 || m->frames != 3 || m->shown > m->frames;
    free(m);
    return wrong;
}
