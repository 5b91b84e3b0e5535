/* getopt: flags, values, groups and what is left. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
    int c, verbose = 0, threads = 1;
    const char *output = "-";
    while ((c = getopt(argc, argv, "vt:o:h")) != -1) {
        switch (c) {
        case 'v': verbose++; break;
        case 't': threads = atoi(optarg); break;
        case 'o': output = optarg; break;
        case 'h':
        default: fprintf(stderr, "usage: %s [-v] [-t N] [-o FILE] [NAME...]\n", argv[0]); exit(2);
        }
    }
    printf("verbose %d, threads %d, output %s\n", verbose, threads, output);
    for (int i = optind; i < argc; i++)
        printf("name %d: %s\n", i - optind, argv[i]);
    return 0;
}
