/* printf in all its forms. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *message(const char *format, ...)
{
    va_list list;
    char *text;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        abort();
    va_end(list);
    return text;
}

int main(void)
{
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
    printf("[%x] [%#X] [%#o] [%8.3x]\n", 255, 255, 8, 10);
    printf("[%10.3f] [%-10.2e] [%g] [%G] [%#.3g]\n", 3.14159, 31415.9, 0.0001, 1e20, 2.0);
    printf("[%s] [%10s] [%-10s] [%.2s] [%c]\n", "text", "right", "left", "cut", 'c');
    printf("[%*d] [%-*d] [%.*f]\n", 6, 1, 6, 2, 2, 2.718281828);
    printf("[%lld] [%llx] [%hhd] [%hu] [%zu]\n", -1234567890123LL, 0xabcdef012345ULL, 300, 70000, sizeof(char));
    printf("[%5.1f%%] [%p] [%s]\n", 99.5, (void *)0, "");
    printf("%.0f %.0f %.0f %.10g %.17g\n", 0.5, 1.5, 2.5, 1.0 / 3, 0.1);
    printf("%f %e %g\n", 1e15, 123456.789e-10, 123456789.0);
    printf("%f %F %e %g\n", 1.0 / 0.0 > 0 ? 1e308 * 10 : 0.0, -1e308 * 10, 0.0, -0.0);
    char *text = message("%s has %d %s", "a spider", 8, "legs");
    printf("%s, %zu\n", text, strlen(text));
    free(text);
    int n, total = printf("count%n me\n", &n);
    printf("%d %d\n", n, total);
    char small[8];
    printf("%d %s\n", snprintf(small, sizeof small, "%s", "much too long"), small);
    fflush(stdout);
    dprintf(1, "to the descriptor\n");
    return 0;
}
