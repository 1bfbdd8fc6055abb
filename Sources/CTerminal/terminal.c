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

/// The most severe first: `terminal_signal` reports them in this order.
static const int caught[] = {SIGHUP, SIGTERM, SIGQUIT, SIGINT, SIGTSTP, SIGCONT, SIGWINCH};
/// Signals that end a program at once, because of its own fault or because somebody sent them.
static const int fatal[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,
#ifdef __linux__
    SIGPWR, SIGSTKFLT,
#endif
};

enum { CAUGHT = sizeof caught / sizeof *caught, FATAL = sizeof fatal / sizeof *fatal };

static struct termios before;
static int in = -1, out = -1;
static int wake[2] = {-1, -1};
/// Whether this code has taken over the terminal. A handler may run between any two steps.
static atomic_bool is_taken;
static atomic_bool has_come[CAUGHT];
/// The actions for each signal before the terminal was taken over.
static struct sigaction previous[NSIG];

static void say(const char *sequence) {
    // A terminal that is gone, or whose buffer is full, accepts nothing. This must not wait for it.
    int flags = fcntl(out, F_GETFL);
    fcntl(out, F_SETFL, flags | O_NONBLOCK);
    ssize_t written = write(out, sequence, strlen(sequence));
    (void)written;
    fcntl(out, F_SETFL, flags);
}

static void release(const int *numbers, int count) {
    for (int index = 0; index < count; index++) sigaction(numbers[index], &previous[numbers[index]], NULL);
}

void terminal_leave(void) {
    if (!atomic_exchange(&is_taken, false)) return;
    int error = errno;
    // Do not wait for pending output. Resume output that Control-S stopped.
    tcflow(out, TCOON);
    tcsetattr(in, TCSANOW, &before);
    say("\033[?7h\033[?25h\033[?1049l");
    // Nobody reads the flags any more: restore the previous actions.
    release(caught, CAUGHT);
    release(fatal, FATAL);
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
    sigaction(number, &previous[number], NULL);
    // The signal is blocked while this runs. It is delivered when this returns, with the previous action.
    raise(number);
}

/// Signals that the program was told to ignore, for example by nohup, stay ignored.
static void install(const int *numbers, int count, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    // A call that waits must return after a signal: no SA_RESTART.
    action.sa_flags = handler == crash ? SA_ONSTACK : 0;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < count; index++) {
        int number = numbers[index];
        sigaction(number, NULL, &previous[number]);
        if (previous[number].sa_handler != SIG_IGN || number == SIGTSTP) sigaction(number, &action, NULL);
    }
}

/// Runs once for the process.
static int prepare(void) {
    if (wake[0] >= 0) return 0;
    if (pipe(wake) != 0) return errno;
    for (int end = 0; end < 2; end++) {
        fcntl(wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(wake[end], F_SETFL, O_NONBLOCK);
    }
    signal(SIGPIPE, SIG_IGN);
    atexit(terminal_leave);
    return 0;
}

int terminal_enter(int input, int output) {
    if (atomic_load(&is_taken)) return 0;
    int failure = prepare();
    if (failure) return failure;
    // The parent process may have blocked them.
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
    install(caught, CAUGHT, note);
    install(fatal, FATAL, crash);
    atomic_store(&is_taken, true);
    if (tcsetattr(input, TCSANOW, &raw) != 0) {
        failure = errno;
        terminal_leave();
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
        // More signals may be pending: make the next call return at once.
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
    raise(SIGTSTP);
}

bool terminal_size(int output, int *columns, int *lines) {
    struct winsize size;
    if (ioctl(output, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
    *columns = size.ws_col;
    *lines = size.ws_row;
    return true;
}
