// Loads a library and calls its function `work`. With another argument, the library is visible to all others.
#include <dlfcn.h>

int main(int count, char **arguments) {
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | (count > 2 ? RTLD_GLOBAL : RTLD_LOCAL)) : 0;
    void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : 0;
    if (!work) return 1;
    work();
    return 0;
}
