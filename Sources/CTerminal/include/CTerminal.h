// Takes over a terminal as a full screen, and always restores it: at the end, after a signal, and after a
// crash. In C, because a signal handler may only do what is safe there.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>

/// Takes over the terminal. Keys arrive from `input` at once and without echo. `output` shows the alternate
/// screen, without a cursor and without wrapping lines. Signals that end or stop a program are caught; see
/// `terminal_signal`. Call this again after `terminal_leave`. Use one thread for all these functions.
///
/// Returns 0, or an `errno`; then nothing was changed.
int terminal_enter(int input, int output);

/// Restores the terminal. Does nothing if it is already restored. Also called at exit, and by signals that
/// end the process at once.
void terminal_leave(void);

/// A descriptor to poll beside the keys. It is readable after a signal has arrived. -1 before the first
/// `terminal_enter`.
int terminal_wake_descriptor(void);

/// The next signal that arrived since the last call, the most severe first; 0 for none. `SIGTERM` and others
/// ask the program to end. `SIGTSTP` asks it to stop. `SIGCONT` says that it was stopped and continues.
/// `SIGWINCH` says that the terminal has another size.
int terminal_signal(void);

/// Ends the process by the signal, as if it had not been caught.
void terminal_die(int signal) __attribute__((noreturn));

/// Stops the process as `SIGTSTP` does; returns when it goes on.
void terminal_stop(void);

/// Columns and lines of the terminal; false if it does not report them.
bool terminal_size(int output, int *columns, int *lines);

#endif
