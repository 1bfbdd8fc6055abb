// Pairs of threads that hand a byte to and fro as fast as they can, so that they switch all the time. Prints
// how often in a second. They begin a fifth of a second after the program, so that a test can be ready.
//
//     Storm PAIRS SECONDS

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PAIRS = 64 };

typedef struct {
    int there[2], back[2];
    double end;
    long count;
} pair;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *begin(void *argument) {
    pair *self = argument;
    char byte = 1;
    while (self->count % 64 != 0 || now() < self->end) {
        if (write(self->there[1], &byte, 1) != 1 || read(self->back[0], &byte, 1) != 1) break;
        self->count++;
    }
    close(self->there[1]);
    return NULL;
}

static void *answer(void *argument) {
    pair *self = argument;
    char byte;
    while (read(self->there[0], &byte, 1) == 1 && write(self->back[1], &byte, 1) == 1) {}
    return NULL;
}

int main(int count, char **arguments) {
    static pair pairs[MOST_PAIRS];
    pthread_t threads[2 * MOST_PAIRS];
    int number = count > 2 ? atoi(arguments[1]) : 0;
    if (number < 1 || number > MOST_PAIRS) return 64;
    usleep(200000);
    double seconds = atof(arguments[2]), start = now();
    for (int index = 0; index < number; index++) {
        if (pipe(pairs[index].there) != 0 || pipe(pairs[index].back) != 0) return 71;
        pairs[index].end = start + seconds;
        pthread_create(&threads[2 * index], NULL, begin, &pairs[index]);
        pthread_create(&threads[2 * index + 1], NULL, answer, &pairs[index]);
    }
    for (int index = 0; index < 2 * number; index++) pthread_join(threads[index], NULL);
    long sum = 0;
    for (int index = 0; index < number; index++) sum += pairs[index].count;
    printf("%.0f\n", (double)sum / (now() - start));
}
