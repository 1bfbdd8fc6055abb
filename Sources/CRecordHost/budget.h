// Lists that grow within a limit of memory.
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    /// How many bytes may still be used.
    size_t left;
    bool is_over;
} budget;

/// Makes room for one more item at the end of a list.
///
/// - Parameters:
///   - list: a pointer to the list, which may be moved.
///   - room: how many items it has room for.
/// - Returns: false if that would exceed the limit, and for all lists from then on.
bool budget_make_room(budget *self, void *list, size_t *room, size_t count, size_t item_size);

#endif
