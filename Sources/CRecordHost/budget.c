#include "budget.h"

#include <stdlib.h>
#include <string.h>

bool budget_make_room(budget *self, void *list, size_t *room, size_t count, size_t item_size) {
    if (self->is_over) return false;
    if (count == *room) {
        size_t more = count ? count * 2 : 1024;
        void *items;
        memcpy(&items, list, sizeof items);
        void *moved = realloc(items, more * item_size);
        if (!moved) self->left = 0;
        if (moved) {
            memcpy(list, &moved, sizeof moved);
            *room = more;
        }
    }
    self->is_over = self->left < item_size;
    if (!self->is_over) self->left -= item_size;
    return !self->is_over;
}
