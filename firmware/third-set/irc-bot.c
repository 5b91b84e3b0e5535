/*
 * An IRC bot. The reader thread takes lines from the connection and hands each
 * to the command of that name; commands put their answers into the outbox,
 * which the writer thread sends.
 *
 * Bug: main starts the reader before it registers the commands. Every table
 * has its lock, but a line that is read early finds no command and is answered
 * with "unknown command".
 *
 * validate:
 *   kind: order
 *   variable: bot.commands[], bot.ncommands
 *   threads: 3
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_COMMANDS 4
#define OUTBOX 8

typedef const char *(*command_fn)(const char *argument);

struct command {
    const char *name;
    command_fn run;
};

static struct {
    pthread_mutex_t lock;
    struct command commands[MAX_COMMANDS];
    int ncommands;
} bot = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    const char *lines[OUTBOX];
    int count;
    int closed;
} outbox = { .lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER };

static const char *const connection[] = { "!ping", "!seen carol", "!karma", "!ping" };

static const char *cmd_ping(const char *argument)
{
    (void)argument;
    return "pong";
}

static const char *cmd_seen(const char *argument)
{
    return *argument ? "yesterday" : "whom?";
}

static const char *cmd_karma(const char *argument)
{
    (void)argument;
    return "carol: 3";
}

static void bot_register(const char *name, command_fn run)
{
    pthread_mutex_lock(&bot.lock);
    bot.commands[bot.ncommands].name = name;    /* bug */
    bot.commands[bot.ncommands].run = run;
    bot.ncommands++;                            /* bug: 2 */
    pthread_mutex_unlock(&bot.lock);
}

static command_fn bot_find(const char *line, size_t length)
{
    command_fn run = NULL;

    pthread_mutex_lock(&bot.lock);
    for (int i = 0; i < bot.ncommands; i++)     /* bug: 1 */
        if (strlen(bot.commands[i].name) == length
            && memcmp(bot.commands[i].name, line, length) == 0)
            run = bot.commands[i].run;
    pthread_mutex_unlock(&bot.lock);
    return run;
}

static void send_line(const char *line)
{
    pthread_mutex_lock(&outbox.lock);
    if (line)
        outbox.lines[outbox.count++] = line;
    else
        outbox.closed = 1;
    pthread_cond_signal(&outbox.filled);
    pthread_mutex_unlock(&outbox.lock);
}

static void *reader(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < sizeof connection / sizeof *connection; i++) {
        const char *line = connection[i] + 1;
        size_t length = strcspn(line, " ");
        command_fn run = bot_find(line, length);
        const char *argument = line + length;

        send_line(run ? run(argument + (*argument == ' ')) : "unknown command");
    }
    send_line(NULL);
    return NULL;
}

static void *writer(void *arg)
{
    int *unknown = arg, sent = 0;

    pthread_mutex_lock(&outbox.lock);
    for (;;) {
        while (sent == outbox.count && !outbox.closed)
            pthread_cond_wait(&outbox.filled, &outbox.lock);
        if (sent == outbox.count)
            break;
        if (strncmp(outbox.lines[sent], "unknown", 7) == 0)
            ++*unknown;
        sent++;
    }
    pthread_mutex_unlock(&outbox.lock);
    return NULL;
}

int main(void)
{
    pthread_t in, out;
    int unknown = 0;

    pthread_create(&out, NULL, writer, &unknown);
#ifdef FIXED
    bot_register("ping", cmd_ping);
    bot_register("seen", cmd_seen);
    bot_register("karma", cmd_karma);
    pthread_create(&in, NULL, reader, NULL);
#else
    pthread_create(&in, NULL, reader, NULL);    /* bug */
    bot_register("ping", cmd_ping);             /* bug */
    bot_register("seen", cmd_seen);             /* bug */
    bot_register("karma", cmd_karma);           /* bug */
#endif
    pthread_join(in, NULL);
    pthread_join(out, NULL);
    printf("%d lines sent, %d unknown\n", outbox.count, unknown);
    return unknown == 0 ? 0 : 1;
}
