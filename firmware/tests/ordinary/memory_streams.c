/* Files that are memory: fmemopen to read and to write, open_memstream to build a text. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "10 20 thirty 40";
    char word[16];
    int n, sum = 0;
    FILE *in = fmemopen(text, strlen(text), "r");
    while (fscanf(in, "%15s", word) == 1)
        if (sscanf(word, "%d", &n) == 1)
            sum += n;
        else
            printf("not a number: %s\n", word);
    fclose(in);
    printf("sum %d\n", sum);

    char page[64];
    FILE *out = fmemopen(page, sizeof page, "w");
    fprintf(out, "%s-%03d", "item", 7);
    fflush(out);
    printf("[%s]\n", page);
    fputs(" and more", out);
    fclose(out);
    printf("[%s]\n", page);

    char *built;
    size_t size;
    FILE *stream = open_memstream(&built, &size);
    for (int i = 1; i <= 5; i++)
        fprintf(stream, "%d^2=%d;", i, i * i);
    fflush(stream);
    printf("%zu so far: %s\n", size, built);
    fputc('!', stream);
    fclose(stream);
    printf("%zu: %s\n", size, built);
    free(built);
    return 0;
}
