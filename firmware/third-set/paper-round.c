/*
 * A newsagent hires a boy for each street and tells him street and number of
 * papers in a little struct.
 *
 * Bug: the struct is a local variable of hire(), which returns while the boy
 * is still on his way to read it; the next call of hire() writes its own
 * street to the same place of the stack.
 *
 * validate:
 *   kind: lifetime
 *   variable: order, order.street, order.papers
 *   threads: 5
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREETS 4

struct order {
    int street;
    int papers;
};

static const int subscribers[STREETS] = { 12, 7, 31, 18 };
static const char *names[STREETS] = { "Tom", "Huck", "Oliver", "Pip" };
static int delivered[STREETS];
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static pthread_t boys[STREETS];

static void *deliver(void *arg)
{
    const struct order *mine = arg;
    int street = mine->street;              /* bug: 3 */
    int papers = mine->papers;              /* bug: 4 */

#ifdef FIXED
    free(arg);
#endif
    pthread_mutex_lock(&book);
    if (street >= 0 && street < STREETS)
        delivered[street] += papers;
    pthread_mutex_unlock(&book);
    return NULL;
}

static char letters[STREETS][48];

static void letter_of_reference(int boy)
{
    strcpy(letters[boy], "To the parents of boy ");
    strcat(letters[boy], names[boy]);
}

static void hire(int street)
{
#ifdef FIXED
    struct order *order = malloc(sizeof *order);

    if (order == NULL)
        abort();
    order->street = street;
    order->papers = subscribers[street];
    pthread_create(&boys[street], NULL, deliver, order);
#else
    struct order order;

    order.street = street;                  /* bug: 1 */
    order.papers = subscribers[street];     /* bug: 2 */
    pthread_create(&boys[street], NULL, deliver, &order);   /* bug */
#endif
    letter_of_reference(street);
}

int main(void)
{
    size_t length = 0;
    int unhappy = 0;

    for (int i = 0; i < STREETS; i++)
        hire(i);
    for (int i = 0; i < STREETS; i++)
        pthread_join(boys[i], NULL);
    for (int i = 0; i < STREETS; i++) {
        unhappy += delivered[i] != subscribers[i];
        length += strlen(letters[i]);
    }
    printf("%d unhappy streets, %d letters\n", unhappy, (int)length);
    return unhappy;
}
