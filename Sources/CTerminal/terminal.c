#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// The gravest first: that is the order in which they are told.
static const int caught[] = {SIGHUP, SIGTERM, SIGQUIT, SIGINT, SIGTSTP, SIGCONT, SIGWINCH};
/// What a program dies of through a mistake of its own.
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

enum { CAUGHT = sizeof caught / sizeof *caught, FATAL = sizeof fatal / sizeof *fatal };

static struct termios before;
static int in = -1, out = -1;
static int wake[2] = {-1, -1};
/// Whether the terminal is ours. A handler may come between any two steps.
static atomic_bool is_taken;
static atomic_bool has_come[CAUGHT];
static struct sigaction before_fatal[FATAL];
static bool is_prepared;

static void say(const char *sequence) {
    // A terminal that is gone takes nothing, and nothing can be done about it.
    ssize_t written = write(out, sequence, strlen(sequence));
    (void)written;
}

void terminal_leave(void) {
    if (!atomic_exchange(&is_taken, false)) return;
    int error = errno;
    // What is waiting to be shown is not waited for: a terminal that was stopped would hold this up.
    tcsetattr(in, TCSANOW, &before);
    say("\033[?7h\033[?25h\033[?1049l");
    errno = error;
}

static void note(int number) {
    int error = errno;
    for (int index = 0; index < CAUGHT; index++) {
        if (caught[index] == number) atomic_store(&has_come[index], true);
    }
    ssize_t written = write(wake[1], "", 1);
    (void)written;
    errno = error;
}

static void crash(int number) {
    terminal_leave();
    for (int index = 0; index < FATAL; index++) {
        if (fatal[index] == number) sigaction(number, &before_fatal[index], NULL);
    }
    // Blocked while this runs: it comes when this returns, to whoever would have had it.
    raise(number);
}

/// Signals that the program was told to ignore, by nohup say, stay so.
static void install(int number, void (*handler)(int), struct sigaction *old) {
    struct sigaction action, previous;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    // A call that waits is to come back: no SA_RESTART.
    action.sa_flags = handler == crash ? SA_ONSTACK : 0;
    sigemptyset(&action.sa_mask);
    sigaction(number, NULL, &previous);
    if (old) *old = previous;
    if (previous.sa_handler == SIG_IGN && (number == SIGHUP || number == SIGINT || number == SIGQUIT)) return;
    sigaction(number, &action, NULL);
}

static int prepare(void) {
    if (is_prepared) return 0;
    if (pipe(wake) != 0) return errno;
    for (int end = 0; end < 2; end++) {
        fcntl(wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(wake[end], F_SETFL, O_NONBLOCK);
    }
    for (int index = 0; index < CAUGHT; index++) install(caught[index], note, NULL);
    for (int index = 0; index < FATAL; index++) install(fatal[index], crash, &before_fatal[index]);
    signal(SIGPIPE, SIG_IGN);
    atexit(terminal_leave);
    is_prepared = true;
    return 0;
}

int terminal_enter(int input, int output) {
    if (atomic_load(&is_taken)) return 0;
    int failure = prepare();
    if (failure) return failure;
    // Whoever started this may have blocked them.
    sigset_t all;
    sigemptyset(&all);
    for (int index = 0; index < CAUGHT; index++) sigaddset(&all, caught[index]);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    if (tcgetattr(input, &before) != 0) return errno;
    in = input;
    out = output;
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    atomic_store(&is_taken, true);
    if (tcsetattr(input, TCSANOW, &raw) != 0) {
        failure = errno;
        atomic_store(&is_taken, false);
        return failure;
    }
    say("\033[?1049h\033[?25l\033[?7l\033[H\033[2J");
    return 0;
}

int terminal_wake_descriptor(void) { return wake[0]; }

int terminal_signal(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) {}
    for (int index = 0; index < CAUGHT; index++) {
        if (!atomic_exchange(&has_come[index], false)) continue;
        // Others may be left: the next call is to be made at once.
        ssize_t written = write(wake[1], "", 1);
        (void)written;
        return caught[index];
    }
    return 0;
}

void terminal_die(int number) {
    terminal_leave();
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number);
}

void terminal_stop(void) {
    terminal_leave();
    struct sigaction handler;
    sigaction(SIGTSTP, NULL, &handler);
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &handler, NULL);
}

bool terminal_size(int output, int *columns, int *lines) {
    struct winsize size;
    if (ioctl(output, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
    *columns = size.ws_col;
    *lines = size.ws_row;
    return true;
}
