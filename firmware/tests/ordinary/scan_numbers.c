/* Reads numbers in all the shapes that sscanf knows. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a, b, n;
    unsigned u, hex, oct;
    short sh;
    signed char tiny;
    long long big;
    float f;
    double d;
    char word[16], c;

    n = sscanf("  12 -7", "%d%d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = sscanf("0x1f 077 99", "%i %i %i", &a, &b, (int *)&u);
    printf("%d: %d %d %u\n", n, a, b, u);
    n = sscanf("ff 17 4000000000", "%x %o %u", &hex, &oct, &u);
    printf("%d: %u %u %u\n", n, hex, oct, u);
    n = sscanf("-300 -5 -9000000000", "%hd %hhd %lld", &sh, &tiny, &big);
    printf("%d: %d %d %lld\n", n, sh, tiny, big);
    n = sscanf("3.25 -1e3 inf", "%f %lf", &f, &d);
    printf("%d: %.3f %.1f\n", n, f, d);
    n = sscanf("12345", "%2d%3d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = sscanf("x=5,y=9", "x=%d,y=%d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = sscanf("7 apples", "%d %15s%n", &a, word, &b);
    printf("%d: %d %s, %d read\n", n, a, word, b);
    n = sscanf("abc", "%d", &a);
    printf("no number: %d\n", n);
    n = sscanf("", "%d", &a);
    printf("nothing: %d\n", n);
    n = sscanf("50%", "%d%%", &a);
    printf("%d: %d percent\n", n, a);
    n = sscanf("a b", "%c%c", &c, word);
    printf("%d: '%c' '%c'\n", n, c, word[0]);
    n = sscanf("1 2 3", "%*d %d %*d", &a);
    printf("%d: %d\n", n, a);
    n = sscanf("1e5x", "%lf%c", &d, &c);
    printf("%d: %.0f %c\n", n, d, c);
    n = sscanf("+8 -", "%d %d", &a, &b);
    printf("%d: %d\n", n, a);
    return 0;
}
