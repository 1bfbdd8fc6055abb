#!/bin/sh
# Builds the library that `opviz record` loads into programs: C alone, which needs nothing but the C library, and
# is never unloaded. The Makefile and the plugin call it. record-library.sh OUTPUT [CLANG [OPTION…]]
set -eu
output=$1 clang=${2:-clang}
shift "$(($# > 2 ? 2 : $#))"
cd "$(dirname "$0")/.."
sources=
for source in Sources/CRecorder/*.c Sources/CRecorderPreload/*.c; do
    case ${source##*/} in
        # Inside other programs it writes nothing to standard error, and it is the log that the other file finds.
        standard_error.c | host_log.c) ;;
        *) sources="$sources $source" ;;
    esac
done
# A name of its own first: another process may be loading the library.
# shellcheck disable=SC2086
"$clang" -std=gnu11 -O2 -g -fno-omit-frame-pointer -fPIC -shared -fvisibility=hidden -pthread "$@" \
    -I Sources/CRecorder/include -I Sources/CLogFormat/include -Wl,-z,nodelete -Wl,--as-needed \
    -o "$output.$$" $sources
mv "$output.$$" "$output"
