/* Complex numbers: a picture in rows, one thread for every third, and the roots of one. */
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { WIDTH = 24, HEIGHT = 12, THREADS = 3 };

static char picture[HEIGHT][WIDTH + 1];
static pthread_barrier_t all;

static void *draw(void *argument) {
    for (int y = *(int *)argument; y < HEIGHT; y += THREADS) {
        for (int x = 0; x < WIDTH; x++) {
            double complex c = -2.0 + 3.0 * x / WIDTH + (-1.2 + 2.4 * y / HEIGHT) * I, z = 0;
            int steps = 0;
            while (steps < 30 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
                z = z * z + c;
                steps++;
            }
            picture[y][x] = " .:-=+*#%@"[steps / 3 > 9 ? 9 : steps / 3];
        }
    }
    if (pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD) {
        for (int y = 0; y < HEIGHT; y++) puts(picture[y]);
    }
    return NULL;
}

static void show(const char *name, double complex z) {
    /* No zero has a sign. */
    printf("%-6s %.6f %.6f\n", name, creal(z) + 0.0000001, cimag(z) + 0.0000001);
}

int main(void) {
    pthread_t threads[THREADS];
    int rows[THREADS];
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        rows[i] = i;
        pthread_create(&threads[i], NULL, draw, &rows[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    double complex sum = 0, z = CMPLX(1.5, -0.75);
    for (int k = 0; k < 5; k++) sum += cexp(2 * M_PI * k / 5 * I);
    printf("%d %.6f %.6f\n", cabs(sum) < 1e-12, cabs(3 + 4 * I), carg(-1 + 0 * I));
    show("sqrt", csqrt(z));
    show("log", clog(z));
    show("pow", cpow(z, 2 + 1 * I));
    show("sin", csin(z));
    show("cos", ccos(z));
    show("tan", ctan(z));
    show("sinh", csinh(z));
    show("cosh", ccosh(z));
    show("tanh", ctanh(z));
    show("conj", conj(z) / z);
    show("float", csqrtf(-2.0f + 0.5f * I));
    return 0;
}
