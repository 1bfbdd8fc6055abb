// A library for programs to load while they run.

static unsigned long step(unsigned long value) {
    value ^= value << 13;
    value ^= value >> 7;
    return value ^ value << 17;
}

__attribute__((noinline)) unsigned long calculate(long rounds) {
    unsigned long value = 88172645463325252;
    for (long round = 0; round < rounds; round++) value = step(value);
    return value;
}
