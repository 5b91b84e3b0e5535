/* The C locale. */
#include "internal.h"

#include <ctype.h>

static bool within(int c, int first, int last) {
    return c >= first && c <= last;
}

int isdigit(int c) { return within(c, '0', '9'); }
int islower(int c) { return within(c, 'a', 'z'); }
int isupper(int c) { return within(c, 'A', 'Z'); }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return within(c, 0, 31) || c == 127; }
int isprint(int c) { return within(c, ' ', '~'); }
int isgraph(int c) { return within(c, '!', '~'); }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isspace(int c) { return c == ' ' || within(c, '\t', '\r'); }
int isxdigit(int c) { return isdigit(c) || within(c, 'a', 'f') || within(c, 'A', 'F'); }
int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }
int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
