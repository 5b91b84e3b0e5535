/* Writes a binary file, copies it in blocks, and looks at parts of the copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    char magic[4];
    unsigned count;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void make(const char *name, unsigned count)
{
    struct header h = {"DATA", count};
    FILE *f = fopen(name, "wb");
    if (!f) die(name);
    if (fwrite(&h, sizeof h, 1, f) != 1) die("fwrite");
    for (unsigned i = 0; i < count; i++) {
        unsigned value = i * i;
        fwrite(&value, sizeof value, 1, f);
    }
    if (fclose(f)) die("fclose");
}

static long copy(const char *from, const char *to)
{
    char block[100];
    size_t n;
    long total = 0;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out) die("copy");
    while ((n = fread(block, 1, sizeof block, in)) > 0) {
        if (fwrite(block, 1, n, out) != n) die("fwrite");
        total += (long)n;
    }
    fclose(in);
    fclose(out);
    return total;
}

int main(void)
{
    struct header h;
    unsigned value;
    make("squares.bin", 700);
    printf("%ld bytes copied\n", copy("squares.bin", "copy.bin"));

    FILE *f = fopen("copy.bin", "r+b");
    if (!f || fread(&h, sizeof h, 1, f) != 1) die("copy.bin");
    printf("%.4s with %u numbers\n", h.magic, h.count);
    fseek(f, (long)(sizeof h + 12 * sizeof value), SEEK_SET);
    fread(&value, sizeof value, 1, f);
    printf("the 12th is %u, position %ld\n", value, ftell(f));
    fseek(f, -(long)sizeof value, SEEK_CUR);
    value = 1000000;
    fwrite(&value, sizeof value, 1, f);
    fseek(f, 0, SEEK_END);
    printf("size %ld\n", ftell(f));
    fseek(f, (long)(sizeof h + 11 * sizeof value), SEEK_SET);
    for (int i = 0; i < 3; i++)
        if (fread(&value, sizeof value, 1, f) == 1)
            printf("%u ", value);
    printf("\n");
    fseek(f, -3, SEEK_END);
    size_t whole = fread(&value, sizeof value, 1, f);
    printf("%zu at the end, eof %d\n", whole, feof(f) != 0);
    fclose(f);
    remove("squares.bin");
    if (rename("copy.bin", "kept.bin") || fopen("copy.bin", "rb")) return 1;
    f = fopen("kept.bin", "rb");
    printf("kept: %d\n", f != NULL);
    fclose(f);
    return remove("kept.bin");
}
