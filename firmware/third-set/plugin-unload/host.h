#ifndef HOST_H
#define HOST_H

struct plugin_ops {
    int (*run)(void *state, int input);
    void (*close)(void *state);
};

#define MISSING (-1)

/* Loads a plugin under a number; its state is freed by its close(). */
void plugin_load(int number, const struct plugin_ops *ops, void *state);
int plugin_unload(int number);
int plugin_call(int number, int input);

#endif
