/* Complains as BSD programs do, and ends with its own code. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void done(void)
{
    printf("done\n");
}

int main(void)
{
    char text[64];
    atexit(done);
    errno = EINVAL;
    warn("warning %d", 1);
    warnx("warning %d", 2);
    errno = 0;
    FILE *f = fopen("does/not/exist", "r");
    printf("%d %s\n", f == NULL, errno == ENOENT ? "ENOENT" : "another");
    printf("%s, %s, %s\n", strerror(ENOENT), strerror(EEXIST), strerror(EINVAL));
    if (strerror_r(ERANGE, text, sizeof text) == 0)
        printf("%s\n", text);
    errx(3, "giving up");
}
