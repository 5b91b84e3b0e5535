#ifndef CROSSTALK_STDIO_H
#define CROSSTALK_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#define EOF (-1)
#define BUFSIZ 1024
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

typedef struct crosstalk_file FILE;
extern FILE *const stdin;
extern FILE *const stdout;
extern FILE *const stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define CROSSTALK_FORMAT(text, first) __attribute__((format(printf, text, first)))
int printf(const char *__restrict format, ...) CROSSTALK_FORMAT(1, 2);
int fprintf(FILE *__restrict file, const char *__restrict format, ...) CROSSTALK_FORMAT(2, 3);
int dprintf(int descriptor, const char *__restrict format, ...) CROSSTALK_FORMAT(2, 3);
int sprintf(char *__restrict to, const char *__restrict format, ...) CROSSTALK_FORMAT(2, 3);
int snprintf(char *__restrict to, size_t size, const char *__restrict format, ...) CROSSTALK_FORMAT(3, 4);
int vprintf(const char *__restrict format, va_list arguments) CROSSTALK_FORMAT(1, 0);
int vfprintf(FILE *__restrict file, const char *__restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);
int vsprintf(char *__restrict to, const char *__restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);
int vsnprintf(char *__restrict to, size_t size, const char *__restrict format, va_list arguments)
    CROSSTALK_FORMAT(3, 0);

int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int puts(const char *text);
int fputs(const char *__restrict text, FILE *__restrict file);
size_t fwrite(const void *__restrict from, size_t bytes, size_t count, FILE *__restrict file);
int fflush(FILE *file);
int setvbuf(FILE *__restrict file, char *__restrict buffer, int mode, size_t size);
void setbuf(FILE *__restrict file, char *__restrict buffer);
int ferror(FILE *file);
int feof(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
void perror(const char *text);
void flockfile(FILE *file);
void funlockfile(FILE *file);

/* Standard input is what the host has, or `--file /dev/stdin=FILE`: docs/firmware.md, Files. */
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
char *fgets(char *__restrict to, int size, FILE *__restrict file);
size_t fread(void *__restrict to, size_t bytes, size_t count, FILE *__restrict file);

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FILENAME_MAX 64
#define FOPEN_MAX 29
#define L_tmpnam 20
#define TMP_MAX 10000

typedef long fpos_t;

/* Files of the command line's `--file`, files that the program makes, and memory. */
FILE *fopen(const char *__restrict name, const char *__restrict mode);
FILE *freopen(const char *__restrict name, const char *__restrict mode, FILE *__restrict file);
FILE *fdopen(int descriptor, const char *mode);
FILE *fmemopen(void *__restrict memory, size_t size, const char *__restrict mode);
FILE *open_memstream(char **text, size_t *size);
FILE *tmpfile(void);
int fclose(FILE *file);
int remove(const char *name);
int rename(const char *from, const char *to);
int fseek(FILE *file, long offset, int whence);
long ftell(FILE *file);
int fseeko(FILE *file, off_t offset, int whence);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *__restrict file, fpos_t *__restrict position);
int fsetpos(FILE *file, const fpos_t *position);

int ungetc(int c, FILE *file);
ssize_t getline(char **__restrict line, size_t *__restrict room, FILE *__restrict file);
ssize_t getdelim(char **__restrict line, size_t *__restrict room, int end, FILE *__restrict file);

#define CROSSTALK_SCAN(text, first) __attribute__((format(scanf, text, first)))
int scanf(const char *__restrict format, ...) CROSSTALK_SCAN(1, 2);
int fscanf(FILE *__restrict file, const char *__restrict format, ...) CROSSTALK_SCAN(2, 3);
int sscanf(const char *__restrict text, const char *__restrict format, ...) CROSSTALK_SCAN(2, 3);
int vscanf(const char *__restrict format, va_list arguments) CROSSTALK_SCAN(1, 0);
int vfscanf(FILE *__restrict file, const char *__restrict format, va_list arguments) CROSSTALK_SCAN(2, 0);
int vsscanf(const char *__restrict text, const char *__restrict format, va_list arguments)
    CROSSTALK_SCAN(2, 0);

int asprintf(char **__restrict to, const char *__restrict format, ...) CROSSTALK_FORMAT(2, 3);
int vasprintf(char **__restrict to, const char *__restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);
int vdprintf(int descriptor, const char *__restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);

void setlinebuf(FILE *file);
int ftrylockfile(FILE *file);
int getc_unlocked(FILE *file);
int getchar_unlocked(void);
int putc_unlocked(int c, FILE *file);
int putchar_unlocked(int c);
int fputc_unlocked(int c, FILE *file);
int fgetc_unlocked(FILE *file);

#endif
