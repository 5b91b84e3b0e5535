/* Trees of search.h: balanced by height (AVL), so that sorted keys are no worse than others. */
#include "../internal.h"

#include <search.h>
#include <stdlib.h>

typedef int comparison(const void *, const void *);

/* Callers take a node for a pointer to its key. */
struct node {
    const void *key;
    struct node *left, *right;
    int height;
};

/* More than any tree in 32 bits has. */
enum { DEEPEST = 48 };

static int height(const struct node *node) {
    return node ? node->height : 0;
}

static void measure(struct node *node) {
    int left = height(node->left), right = height(node->right);
    node->height = 1 + (left > right ? left : right);
}

static void rotate_right(struct node **link) {
    struct node *node = *link, *left = node->left;
    node->left = left->right;
    left->right = node;
    measure(node);
    measure(left);
    *link = left;
}

static void rotate_left(struct node **link) {
    struct node *node = *link, *right = node->right;
    node->right = right->left;
    right->left = node;
    measure(node);
    measure(right);
    *link = right;
}

static void balance(struct node **link) {
    struct node *node = *link;
    int more = height(node->left) - height(node->right);
    if (more > 1) {
        if (height(node->left->left) < height(node->left->right)) rotate_left(&node->left);
        rotate_right(link);
    } else if (more < -1) {
        if (height(node->right->right) < height(node->right->left)) rotate_right(&node->right);
        rotate_left(link);
    } else {
        measure(node);
    }
}

/* Follows a key down. Gives how many links were passed; the last one is the node's, or where it would be. */
static int follow(const void *key, struct node **root, comparison *compare, struct node **path[]) {
    int count = 0;
    for (path[count++] = root; *path[count - 1]; count++) {
        struct node *node = *path[count - 1];
        int order = compare(key, node->key);
        if (!order) break;
        path[count] = order < 0 ? &node->left : &node->right;
    }
    return count;
}

POSIX_ONLY void *tsearch(const void *key, void **root, comparison *compare) {
    struct node **path[DEEPEST];
    if (!root) return NULL;
    int count = follow(key, (struct node **)root, compare, path);
    struct node *node = *path[count - 1];
    if (node) return node;
    node = malloc(sizeof *node);
    if (!node) return NULL;
    *node = (struct node){.key = key, .height = 1};
    *path[count - 1] = node;
    while (--count > 0) balance(path[count - 1]);
    return node;
}

POSIX_ONLY void *tfind(const void *key, void *const *root, comparison *compare) {
    struct node *node = root ? *root : NULL;
    while (node) {
        int order = compare(key, node->key);
        if (!order) break;
        node = order < 0 ? node->left : node->right;
    }
    return node;
}

POSIX_ONLY void *tdelete(const void *key, void **root, comparison *compare) {
    struct node **path[DEEPEST];
    if (!root) return NULL;
    int count = follow(key, (struct node **)root, compare, path);
    struct node *node = *path[count - 1];
    if (!node) return NULL;
    void *parent = count > 1 ? *path[count - 2] : (void *)root;
    if (node->left && node->right) {
        /* Its successor is taken out instead. */
        path[count++] = &node->right;
        while ((*path[count - 1])->left) {
            path[count] = &(*path[count - 1])->left;
            count++;
        }
        struct node *next = *path[count - 1];
        node->key = next->key;
        node = next;
    }
    *path[count - 1] = node->left ? node->left : node->right;
    free(node);
    while (--count > 0) balance(path[count - 1]);
    return parent;
}

static void walk(const struct node *node, void (*act)(const void *, VISIT, int), int depth) {
    if (!node->left && !node->right) {
        act(node, leaf, depth);
        return;
    }
    act(node, preorder, depth);
    if (node->left) walk(node->left, act, depth + 1);
    act(node, postorder, depth);
    if (node->right) walk(node->right, act, depth + 1);
    act(node, endorder, depth);
}

POSIX_ONLY void twalk(const void *root, void (*act)(const void *, VISIT, int)) {
    if (root && act) walk(root, act, 0);
}

POSIX_ONLY void tdestroy(void *root, void (*release)(void *)) {
    struct node *node = root;
    if (!node) return;
    tdestroy(node->left, release);
    tdestroy(node->right, release);
    if (release) release((void *)node->key);
    free(node);
}
