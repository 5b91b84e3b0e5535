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
int printf(const char *restrict format, ...) CROSSTALK_FORMAT(1, 2);
int fprintf(FILE *restrict file, const char *restrict format, ...) CROSSTALK_FORMAT(2, 3);
int dprintf(int descriptor, const char *restrict format, ...) CROSSTALK_FORMAT(2, 3);
int sprintf(char *restrict to, const char *restrict format, ...) CROSSTALK_FORMAT(2, 3);
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) CROSSTALK_FORMAT(3, 4);
int vprintf(const char *restrict format, va_list arguments) CROSSTALK_FORMAT(1, 0);
int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);
int vsprintf(char *restrict to, const char *restrict format, va_list arguments) CROSSTALK_FORMAT(2, 0);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
    CROSSTALK_FORMAT(3, 0);

int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int puts(const char *text);
int fputs(const char *restrict text, FILE *restrict file);
size_t fwrite(const void *restrict from, size_t bytes, size_t count, FILE *restrict file);
int fflush(FILE *file);
int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size);
void setbuf(FILE *restrict file, char *restrict buffer);
int ferror(FILE *file);
int feof(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
void perror(const char *text);
void flockfile(FILE *file);
void funlockfile(FILE *file);

/* There is no input: these find its end. */
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
char *fgets(char *restrict to, int size, FILE *restrict file);
size_t fread(void *restrict to, size_t bytes, size_t count, FILE *restrict file);

#endif
