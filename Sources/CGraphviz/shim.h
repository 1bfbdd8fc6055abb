// Graphviz, and a way to read graphs whose pictures do not depend on where their names lie in memory.
#include <gvc.h>
#include <string.h>

/// The rest of a text that Graphviz reads as a graph.
typedef struct {
    const char *text;
    size_t count;
} numbered_graph_text;

static inline int numbered_graph_read(void *channel, char *buffer, int size) {
    numbered_graph_text *rest = (numbered_graph_text *)channel;
    size_t count = rest->count < (size_t)size ? rest->count : (size_t)size;
    memcpy(buffer, rest->text, count);
    rest->text += count;
    rest->count -= count;
    return (int)count;
}

static inline void *numbered_graph_open(Agraph_t *graph, Agdisc_t *discipline) {
    (void)graph, (void)discipline;
    // The number of the last object. Graphviz is not thread-safe, so callers hold a lock.
    static IDTYPE last;
    last = 0;
    return &last;
}

/// Gives objects the next number. Names are left to Graphviz's own table: it takes 0 as "not mapped".
static inline long numbered_graph_map(void *state, int type, char *name, IDTYPE *number, int creates) {
    (void)type;
    if (name || !creates) return 0;
    *number = ++*(IDTYPE *)state;
    return 1;
}

static inline long numbered_graph_allocate(void *state, int type, IDTYPE number) {
    (void)state, (void)type, (void)number;
    return 0;
}

static inline void numbered_graph_free(void *state, int type, IDTYPE number) {
    (void)state, (void)type, (void)number;
}

static inline char *numbered_graph_print(void *state, int type, IDTYPE number) {
    (void)state, (void)type, (void)number;
    return NULL;
}

static inline void numbered_graph_close(void *state) { (void)state; }

static inline void numbered_graph_register(void *state, int type, void *object) {
    (void)state, (void)type, (void)object;
}

/// Reads a graph. Graphviz draws clusters in the order of their numbers, which are the addresses of their
/// names if it numbers them itself: pictures of the same graph then differ now and then.
static inline Agraph_t *numbered_graph(const char *text) {
    static Agiddisc_t numbers = {
        numbered_graph_open, numbered_graph_map, numbered_graph_allocate, numbered_graph_free,
        numbered_graph_print, numbered_graph_close, numbered_graph_register,
    };
    static Agiodisc_t reading;
    static Agdisc_t discipline;
    reading = AgIoDisc;
    reading.afread = numbered_graph_read;
    discipline.mem = &AgMemDisc;
    discipline.id = &numbers;
    discipline.io = &reading;
    numbered_graph_text rest = {text, strlen(text)};
    return agread(&rest, &discipline);
}
