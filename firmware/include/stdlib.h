#ifndef CROSSTALK_STDLIB_H
#define CROSSTALK_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *block, size_t bytes);
void *aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void **block, size_t alignment, size_t bytes);
void free(void *block);

_Noreturn void exit(int code);
_Noreturn void _Exit(int code);
_Noreturn void quick_exit(int code);
_Noreturn void abort(void);
int atexit(void (*function)(void));
char *getenv(const char *name);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict text, char **__restrict end, int base);
long long strtoll(const char *__restrict text, char **__restrict end, int base);
unsigned long long strtoull(const char *__restrict text, char **__restrict end, int base);
double strtod(const char *__restrict text, char **__restrict end);
float strtof(const char *__restrict text, char **__restrict end);

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t bytes,
              int (*compare)(const void *, const void *));

int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
lldiv_t lldiv(long long a, long long b);

#define MB_CUR_MAX 1

long double strtold(const char *__restrict text, char **__restrict end);
void qsort_r(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *, void *),
             void *argument);
void *reallocarray(void *block, size_t count, size_t bytes);

double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);

#ifdef alloca
#undef alloca
#endif
#define alloca(bytes) __builtin_alloca(bytes)

#endif
