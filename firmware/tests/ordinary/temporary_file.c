/* Sorts lines by way of a temporary file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
    static const char *names[] = {"plum", "apple", "quince", "fig", "banana", "cherry"};
    char *lines[8], buffer[40];
    int n = 0;
    FILE *tmp = tmpfile();
    if (!tmp) return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(tmp, "%s\n", names[i]);
    rewind(tmp);
    while (n < 8 && fgets(buffer, sizeof buffer, tmp)) {
        lines[n] = malloc(strlen(buffer) + 1);
        strcpy(lines[n++], buffer);
    }
    printf("%d lines, end %s, error %s\n", n, feof(tmp) ? "yes" : "no", ferror(tmp) ? "yes" : "no");
    clearerr(tmp);
    fpos_t start;
    fgetpos(tmp, &start);
    fprintf(tmp, "one more\n");
    fsetpos(tmp, &start);
    fputs(fgets(buffer, sizeof buffer, tmp), stdout);
    fclose(tmp);
    qsort(lines, (size_t)n, sizeof *lines, by_text);
    for (int i = 0; i < n; i++) {
        fputs(lines[i], stdout);
        free(lines[i]);
    }
    return 0;
}
