/*
 * An animation program. Renderers make the frames of a project. Main shows a
 * preview as soon as there are a few, and then exports all of them in order.
 *
 * Bug: the exporter holds the project's lock while it waits for a frame.
 * A renderer that has yet to look at the project's settings for that frame
 * needs the same lock.
 *
 * validate:
 *   kind: deadlock
 *   variable: project.lock, render.done
 *   threads: 3
 *   fails-by: hang
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 6
#define RENDERERS 2
#define PIXELS 24
#define HEADER 60
#define PREVIEW 2               /* the frame that is shown */

static struct {
    pthread_mutex_t lock;
    int quality;
    int rendered, exported;
    char title[16];
} project = { .lock = PTHREAD_MUTEX_INITIALIZER, .quality = 5, .title = "harbour at night" };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t progress;
    int done[FRAMES];
    unsigned char frames[FRAMES][PIXELS];
} render = { .lock = PTHREAD_MUTEX_INITIALIZER, .progress = PTHREAD_COND_INITIALIZER };

static struct {
    unsigned char header[HEADER];
    unsigned checksum;
    size_t bytes;
} file;

static void shade(unsigned char *pixels, int frame, int quality)
{
    for (int i = 0; i < PIXELS; i++) {
        unsigned light = 0;

        for (int sample = 0; sample < quality; sample++)
            light += (unsigned)(frame * 31 + i * 7 + sample * 3) % 64;
        pixels[i] = (unsigned char)(light / (unsigned)quality);
    }
}

static void *renderer(void *arg)
{
    for (int frame = *(int *)arg; frame < FRAMES; frame += RENDERERS) {
        int quality;

        pthread_mutex_lock(&project.lock);      /* bug: 3 */
        quality = project.quality;
        project.rendered++;
        pthread_mutex_unlock(&project.lock);

        shade(render.frames[frame], frame, quality);

        pthread_mutex_lock(&render.lock);
        render.done[frame] = 1;                 /* bug */
        pthread_cond_broadcast(&render.progress);
        pthread_mutex_unlock(&render.lock);
    }
    return NULL;
}

static void wait_for(int frame)
{
    pthread_mutex_lock(&render.lock);
    while (!render.done[frame])                 /* bug: 2 */
        pthread_cond_wait(&render.progress, &render.lock);      /* bug */
    pthread_mutex_unlock(&render.lock);
}

static void write_header(void)
{
    size_t length = sizeof project.title;

    for (int i = 0; i < HEADER; i++)
        file.header[i] = (unsigned char)(project.title[(size_t)i % length] ^ i);
    memcpy(file.header, "FRMX", 4);
    file.bytes += HEADER;
}

static void export_frame(int frame)
{
#ifdef FIXED
    wait_for(frame);
    pthread_mutex_lock(&project.lock);
#else
    pthread_mutex_lock(&project.lock);          /* bug: 1 */
    wait_for(frame);                            /* bug */
#endif
    for (int i = 0; i < PIXELS; i++)
        file.checksum = file.checksum * 33 + render.frames[frame][i];
    file.bytes += PIXELS;
    project.exported++;
    pthread_mutex_unlock(&project.lock);
}

int main(void)
{
    pthread_t renderers[RENDERERS];
    int firsts[RENDERERS];

    for (int i = 0; i < RENDERERS; i++) {
        firsts[i] = i;
        if (pthread_create(&renderers[i], NULL, renderer, &firsts[i]) != 0)
            abort();
    }
    wait_for(PREVIEW - 1);
    wait_for(PREVIEW);
    write_header();
    for (int frame = 0; frame < FRAMES; frame++)
        export_frame(frame);
    for (int i = 0; i < RENDERERS; i++)
        pthread_join(renderers[i], NULL);
    printf("%zu bytes, %08x\n", file.bytes, file.checksum);
    return project.exported == FRAMES && project.rendered == FRAMES ? 0 : 1;
}
