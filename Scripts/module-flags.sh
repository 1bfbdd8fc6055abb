# To be sourced, in the root of the package: module_flags finds the modules of its last debug build outside
# the package manager. shellcheck shell=bash
# CRecorder.h includes a header of CLogFormat's.
module_flags=(-I .build/debug/Modules -Xcc -ISources/CLogFormat/include)
for map in .build/debug/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap \
    Sources/CGraphviz/module.modulemap; do
    [ -f "$map" ] && module_flags+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags-only-I libgvc); do module_flags+=(-Xcc "$flag"); done
