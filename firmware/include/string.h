#ifndef CROSSTALK_STRING_H
#define CROSSTALK_STRING_H

#include <stddef.h>

void *memcpy(void *__restrict to, const void *__restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memchr(const void *in, int byte, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t count);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t count);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
int strcoll(const char *a, const char *b);
char *strchr(const char *in, int c);
char *strrchr(const char *in, int c);
char *strstr(const char *in, const char *what);
char *strpbrk(const char *in, const char *any);
size_t strspn(const char *in, const char *accept);
size_t strcspn(const char *in, const char *reject);
char *strtok(char *__restrict text, const char *__restrict separators);
char *strtok_r(char *__restrict text, const char *__restrict separators, char **__restrict rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t limit);
char *strerror(int error);

char *strsep(char **__restrict text, const char *__restrict separators);
char *strcasestr(const char *in, const char *what);
char *strchrnul(const char *in, int c);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t count);
size_t strlcpy(char *__restrict to, const char *__restrict from, size_t size);
size_t strlcat(char *__restrict to, const char *__restrict from, size_t size);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t size);
void *memmem(const void *in, size_t size, const void *what, size_t count);
void *memrchr(const void *in, int byte, size_t count);
void *rawmemchr(const void *in, int byte);
void *mempcpy(void *__restrict to, const void *__restrict from, size_t count);
void *memccpy(void *__restrict to, const void *__restrict from, int byte, size_t count);
char *strsignal(int signal);
#define strdupa(text) strcpy(__builtin_alloca(strlen(text) + 1), text)

/* The GNU form, which gives the text, and the one of POSIX, which copies it. */
int __xpg_strerror_r(int error, char *to, size_t size);
char *__gnu_strerror_r(int error, char *to, size_t size);
#ifdef _GNU_SOURCE
#define strerror_r __gnu_strerror_r
#include <strings.h>
#else
#define strerror_r __xpg_strerror_r
#endif

#endif
