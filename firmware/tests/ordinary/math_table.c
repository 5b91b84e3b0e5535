/* A table of functions, computed by threads. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define POINTS 6

static double table[POINTS][12];

static void *row(void *arg)
{
    long i = (long)arg;
    double x = 0.25 + 0.4 * (double)i, *r = table[i];
    r[0] = pow(x, 2.5);
    r[1] = exp(x);
    r[2] = log(x);
    r[3] = sin(x) + cos(x);
    r[4] = atan(x);
    r[5] = atan2(-x, 1 - x);
    r[6] = hypot(x, 3);
    r[7] = cbrt(x);
    r[8] = sinh(x) + cosh(x);
    r[9] = tanh(x);
    r[10] = x <= 1 ? asin(x) + acos(x) : log1p(x);
    r[11] = fmod(10 * x, 1.7);
    return NULL;
}

int main(void)
{
    for (long i = 0; i < POINTS; i += 2) {
        pthread_t a, b;
        pthread_create(&a, NULL, row, (void *)i);
        pthread_create(&b, NULL, row, (void *)(i + 1));
        pthread_join(a, NULL);
        pthread_join(b, NULL);
    }
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < 12; j++)
            printf("%.9f ", table[i][j]);
        printf("\n");
    }
    int exponent;
    double whole, part = modf(-3.75, &whole), fraction = frexp(48.0, &exponent);
    printf("%.2f %.2f  %.3f 2^%d  %.1f %.1f %ld\n", whole, part, fraction, exponent, ldexp(0.75, 4), rint(2.5), lround(-2.5));
    printf("%g %g %g %g\n", pow(2, 10), pow(10, -3), pow(-2, 3), pow(9, 0.5));
    printf("%f %d %d %d\n", sqrt(2), isnan(sqrt(-1.0)) != 0, isinf(HUGE_VAL) != 0, (int)floor(-0.5));
    printf("%.4f %.4f\n", powf(1.5f, 3.0f), M_PI_2);
    return 0;
}
