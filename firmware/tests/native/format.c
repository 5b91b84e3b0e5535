/* printf: every conversion with every flag, on numbers of every size. */
#include <stddef.h>

#include "check.h"

int ct_snprintf(char *to, size_t size, const char *format, ...);

/* The arguments are made twice, from the same random numbers. */
#define COMPARE(...)                                                                      \
    do {                                                                                  \
        char mine[3000], theirs[3000];                                                    \
        size_t size = below(4) ? sizeof mine : below(20);                                 \
        memset(mine, '#', sizeof mine);                                                   \
        memset(theirs, '#', sizeof theirs);                                               \
        uint64_t before = random_state;                                                   \
        int a = ct_snprintf(mine, size, __VA_ARGS__);                                     \
        random_state = before;                                                            \
        int b = snprintf(theirs, size, __VA_ARGS__);                                      \
        CHECK(a == b && !memcmp(mine, theirs, sizeof mine), "%s: %d \"%.200s\", not %d \"%.200s\"", \
              format, a, size ? mine : "", b, size ? theirs : "");                        \
    } while (0)

static void make_format(char *format, const char *size, const char *conversions) {
    *format++ = '%';
    for (const char *flag = "-+ #0"; *flag; flag++)
        if (!below(4)) *format++ = *flag;
    if (!below(2)) format += sprintf(format, "%u", below(4) ? below(30) : below(300));
    if (!below(2)) format += sprintf(format, ".%u", below(4) ? below(20) : below(400));
    sprintf(format, "%s%c", size, conversions[below((uint32_t)strlen(conversions))]);
}

static void integers(void) {
    char format[64];
    make_format(format, "", "diuoxX");
    COMPARE(format, (int)sized());
    make_format(format, "hh", "diuoxX");
    COMPARE(format, (int)sized());
    make_format(format, "h", "diuoxX");
    COMPARE(format, (int)sized());
    make_format(format, "l", "diuoxX");
    COMPARE(format, (long)sized());
    make_format(format, "ll", "diuoxX");
    COMPARE(format, (long long)sized());
    make_format(format, "z", "diuoxX");
    COMPARE(format, (size_t)sized());
    make_format(format, "j", "diuoxX");
    COMPARE(format, (intmax_t)sized());
    make_format(format, "t", "diuoxX");
    COMPARE(format, (ptrdiff_t)sized());
    make_format(format, "", "diuoxX");
    COMPARE(format, 0);
}

static double any_double(void) {
    union {
        uint64_t bits;
        double value;
    } made = {any64()};
    switch (below(8)) {
    case 0: return (double)(int)any();
    case 1: return (int)any() / 8.0;                  /* ties */
    case 2: return (double)(any64() % 1000000) / 1000; /* what people print */
    case 3: made.bits &= 0x800fffffffffffff; break;   /* subnormal */
    case 4: made.bits &= 0xfff0000000000000; break;   /* powers of two, infinities, zeros */
    case 5: return (double)below(10) + 0.5;
    case 6: return 1 - 1.0 / (1u << below(31));
    }
    return made.value;
}

static void reals(void) {
    char format[64];
    make_format(format, "", "fFeEgG");
    COMPARE(format, any_double());
}

static void others(void) {
    char format[64];
    const char *texts[] = {"", "a", "some text", "a much longer text, longer than fields often are"};
    const char *text = texts[below(4)];
    snprintf(format, sizeof format, "%%%s%us", below(2) ? "-" : "", below(40));
    COMPARE(format, text);
    snprintf(format, sizeof format, "%%.%us|%%s", below(40));
    COMPARE(format, text, text);
    snprintf(format, sizeof format, "%%%s%uc", below(2) ? "-" : "", 1 + below(9));
    COMPARE(format, (int)(32 + below(90)));
    snprintf(format, sizeof format, "%%%s%up", below(2) ? "-" : "", 1 + below(30));
    COMPARE(format, (void *)(uintptr_t)(below(3) ? sized() : 0));
    strcpy(format, "%*d|%-*.*f|%%|%i");
    COMPARE(format, (int)below(20) - 10, (int)any(), (int)below(20), (int)below(9) - 2, any_double(), 7);
    strcpy(format, "plain text");
    COMPARE(format, 0);
}

void check(void) {
    for (int i = 0; i < 20000; i++) {
        integers();
        reals();
        others();
    }
}
