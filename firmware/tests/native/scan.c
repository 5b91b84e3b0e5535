/* scanf: random conversions on random text. */
#include <stdbool.h>

#include "check.h"

int ct_sscanf(const char *text, const char *format, ...);

static void make_text(char *text) {
    static const char letters[] = "0123456789abcxX+-.eE %,\t";
    uint32_t length = below(24);
    for (uint32_t i = 0; i < length; i++) *text++ = letters[below(4) ? below(10) : below(sizeof letters - 1)];
    *text = 0;
}

struct place {
    union {
        long long integer;
        double real;
        char text[64];
    };
};

/* Up to three conversions, each with a place of its own. */
static void make_format(char *format) {
    static const char *const kinds[] = {"d", "i", "u", "x", "o", "hd", "hhu", "ld", "lld", "llx", "f", "lf", "g",
                                        "s", "c", "[0-9a]", "[^ ,]", "[]x0]", "*d", "*s"};
    for (int i = 0; i < 3; i++) {
        if (!below(4)) format += sprintf(format, "%s", below(2) ? " " : ",");
        const char *kind = kinds[below(20)];
        bool ignored = *kind == '*';
        format += sprintf(format, "%%%s", ignored ? "*" : "");
        if (!below(3)) format += sprintf(format, "%u", 1 + below(6));
        format += sprintf(format, "%s", kind + ignored);
    }
    sprintf(format, "%%n");
}

static void one(void) {
    char text[32], format[80];
    make_text(text);
    make_format(format);
    /* Hexadecimal fractions are not read. */
    for (char *x; strpbrk(format, "fg") && (x = strpbrk(text, "xX"));) *x = 'b';
    struct place mine[4], theirs[4];
    memset(mine, 0x5a, sizeof mine);
    memset(theirs, 0x5a, sizeof theirs);
    int a = ct_sscanf(text, format, &mine[0], &mine[1], &mine[2], &mine[3]);
    int b = sscanf(text, format, &theirs[0], &theirs[1], &theirs[2], &theirs[3]);
    CHECK(a == b && !memcmp(mine, theirs, sizeof mine), "\"%s\" by \"%s\": %d, not %d", text, format, a, b);
}

void check(void) {
    for (int i = 0; i < 50000; i++) one();
}
