/* Pointers and integers taken for each other, as old programs do. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int number;
    char *name;
};

static int compare(struct item *a, struct item *b)
{
    return a->number - b->number;
}

static worker(int number)
{
    return number * 2;
}

int check(int n)
{
    if (n > 0)
        return 1;
}

void nothing()
{
    return 0;
}

int main()
{
    struct item items[] = {{3, "three"}, {1, "one"}, {2, "two"}};
    pthread_t t;
    void *result;
    int flag = NULL;
    char *none = flag;
    unsigned char text[8];
    const char *fixed = "const";
    char *loose = fixed;

    qsort(items, 3, sizeof(struct item), compare);
    for (int i = 0; i < 3; i++)
        printf("%d %s\n", items[i].number, items[i].name);
    pthread_create(&t, NULL, worker, 21);
    pthread_join(t, &result);
    printf("%d\n", (int)result);
    strcpy(text, loose);
    printf("%s %s %d\n", text, none ? "some" : "none", check(5));
    nothing();
    return 0;
}
