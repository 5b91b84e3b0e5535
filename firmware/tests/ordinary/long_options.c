/* getopt_long, with values in both forms and an option that sets a flag. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static int dry;

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"count", required_argument, NULL, 'c'},
        {"color", optional_argument, NULL, 'C'},
        {"dry-run", no_argument, &dry, 1},
        {"quiet", no_argument, NULL, 'q'},
        {NULL, 0, NULL, 0},
    };
    int c, which = -1;
    while ((c = getopt_long(argc, argv, "c:q", options, &which)) != -1)
        switch (c) {
        case 0: printf("flag %s\n", options[which].name); break;
        case 'c': printf("count %d\n", atoi(optarg)); break;
        case 'C': printf("color %s\n", optarg ? optarg : "auto"); break;
        case 'q': printf("quiet\n"); break;
        default: printf("unknown\n");
        }
    printf("dry %d\n", dry);
    while (optind < argc)
        printf("rest %s\n", argv[optind++]);
    return 0;
}
