#include "site.h"

#include <string.h>

static const struct page {
    const char *path, *body;
} pages[] = {
    {"/", "<h1>Harbor</h1> <a href=\"/ships\"> <a href=\"/tides\"> <a href=\"/crews\"> <a href=\"/jobs\"> <a href=\"/moon\">"},
    {"/ships", "All: <a href=\"/ships/anna\"> <a href=\"/ships/berta\">"},
    {"/ships/anna", "Built 1921. <a href=\"/anna.jpg\">"},
    {"/ships/berta", "Built 1934. <a href=\"/ships\">"},
    {"/anna.jpg", "(a picture, taken from the pier)"},
    {"/tides", "High at six. <a href=\"/moon\">"},
    {"/moon", "It is waning. <a href=\"/tides\">"},
    {"/crews", "Who sails: <a href=\"/ships/anna\"> <a href=\"/jobs\">"},
    {"/jobs", "A cook is wanted. <a href=\"/lost\">"},
};

enum { PAGES = sizeof pages / sizeof pages[0] };

/* The line to the server is slow. */
static void transfer(int bytes) {
    for (volatile int tick = 0; tick < 4 * bytes; tick++) {}
}

int site_get(const char *path, char *body) {
    for (int i = 0; i < PAGES; i++) {
        if (strcmp(pages[i].path, path)) continue;
        strcpy(body, pages[i].body);
        transfer((int)strlen(body));
        return 200;
    }
    body[0] = '\0';
    return 404;
}

int site_pages(void) {
    return PAGES;
}
