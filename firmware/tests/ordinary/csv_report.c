/* Reads a table of prices, works on its rows with threads and writes a report, which it reads again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    char name[20];
    int amount;
    double price, total;
};

static struct row rows[16];

static void *multiply(void *arg)
{
    struct row *r = arg;
    r->total = r->amount * r->price;
    return NULL;
}

int main(void)
{
    int n = 0;
    FILE *in = fopen("prices.csv", "r");
    if (in == NULL) {
        perror("prices.csv");
        return 1;
    }
    while (n < 16 && fscanf(in, " %19[^,],%d,%lf", rows[n].name, &rows[n].amount, &rows[n].price) == 3)
        n++;
    fclose(in);
    for (int i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, NULL, multiply, &rows[i]);
        pthread_join(t, NULL);
    }
    FILE *out = fopen("report.txt", "w");
    double sum = 0;
    for (int i = 0; i < n; i++) {
        fprintf(out, "%-10s %5d x %8.2f = %10.2f\n", rows[i].name, rows[i].amount, rows[i].price, rows[i].total);
        sum += rows[i].total;
    }
    fprintf(out, "%-10s %26.2f\n", "sum", sum);
    fclose(out);

    char line[80];
    in = fopen("report.txt", "r");
    while (fgets(line, sizeof line, in))
        fputs(line, stdout);
    fclose(in);
    remove("report.txt");
    return 0;
}
