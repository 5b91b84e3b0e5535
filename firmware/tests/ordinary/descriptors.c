/* Files by descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

int main(void)
{
    char text[32];
    struct stat info;
    unlink("numbers.txt");
    int fd = open("numbers.txt", O_RDWR | O_CREAT | O_EXCL, 0644);
    if (fd < 0) {
        perror("open");
        return 1;
    }
    printf("wrote %d\n", (int)write(fd, "0123456789", 10));
    printf("at %d\n", (int)lseek(fd, 4, SEEK_SET));
    ssize_t n = read(fd, text, 3);
    printf("%.*s\n", (int)n, text);
    lseek(fd, 0, SEEK_END);
    printf("%d at the end\n", (int)read(fd, text, 3));
    printf("%d ", (int)pwrite(fd, "xyz", 3, 2));
    n = pread(fd, text, 6, 0);
    printf("%.*s\n", (int)n, text);
    fstat(fd, &info);
    printf("size %d, regular %d\n", (int)info.st_size, S_ISREG(info.st_mode));
    if (ftruncate(fd, 5)) return 1;
    close(fd);
    fd = open("numbers.txt", O_RDWR | O_CREAT | O_EXCL, 0644);
    printf("again: %d %s\n", fd, errno == EEXIST ? "EEXIST" : "?");
    fd = open("numbers.txt", O_WRONLY | O_APPEND);
    if (write(fd, "!", 1) != 1) return 1;
    n = read(fd, text, 1);
    printf("read of a write-only: %d %s\n", (int)n, errno == EBADF ? "EBADF" : "?");
    close(fd);
    fd = open("numbers.txt", O_RDONLY);
    n = read(fd, text, sizeof text);
    printf("%.*s\n", (int)n, text);
    FILE *f = fdopen(fd, "r");
    rewind(f);
    int first = getc(f);
    printf("%c%c\n", first, getc(f));
    fclose(f);
    printf("there: %d", access("numbers.txt", F_OK));
    unlink("numbers.txt");
    printf(", gone: %d\n", access("numbers.txt", F_OK));
    int closed = close(57);
    printf("closed: %d %s\n", closed, errno == EBADF ? "EBADF" : "?");
    return 0;
}
