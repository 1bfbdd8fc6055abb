// A terminal that is taken for a screen of its own, and that is given back whatever happens: at the end, by a
// signal, and by a crash. In C, because what a signal handler does has to be safe there.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>

/// Takes the terminal: keys come at once and unechoed, from `input`, and `output` shows the alternate screen,
/// without a cursor and without wrapping lines. Signals that end or stop a program are caught; see
/// `terminal_signal`. To be called again after `terminal_leave`, by the one thread that does all this.
///
/// Returns 0, or the `errno` of what failed; then nothing was changed.
int terminal_enter(int input, int output);

/// Gives it back as it was. Does nothing where that was done. Also called at exit and, on the way down, by
/// signals that end the process at once.
void terminal_leave(void);

/// A descriptor to wait for beside the keys: there is something to read while a signal has come. -1 before
/// the first `terminal_enter`.
int terminal_wake_descriptor(void);

/// What has come since the last call: 0 for nothing, `SIGTERM` and others that are to end the program,
/// `SIGTSTP` where it is to stop, `SIGCONT` where it was stopped and goes on, `SIGWINCH` where the terminal
/// has another size. The gravest first.
int terminal_signal(void);

/// Ends the process by the signal, as if it had not been caught.
void terminal_die(int signal) __attribute__((noreturn));

/// Stops the process as `SIGTSTP` does; returns when it goes on.
void terminal_stop(void);

/// Columns and lines of the terminal; false where it does not say.
bool terminal_size(int output, int *columns, int *lines);

#endif
