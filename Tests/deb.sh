#!/usr/bin/env bash
# Installs the package into a root that contains only the packages that it depends on: no Swift, no shell.
# Then draws a trace there. deb.sh PACKAGE.deb
set -euo pipefail
package=$1
trace=$(dirname "$0")/OpvizTests/Traces/quotes.json
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() { echo "deb: $1" >&2; exit 1; }

names() { # what a list of dependencies names
    tr ',' '\n' <<<"$1" | sed -E 's/\|.*//; s/\(.*\)//; s/ //g; s/:any//' | sort -u
}

declare -A seen=()
queue=$(names "$(dpkg-deb --field "$package" Depends)")
while [ -n "$queue" ]; do
    next=
    for name in $queue; do
        [ -z "${seen[$name]:-}" ] || continue
        seen[$name]=1
        # A virtual package is provided by another package, which is also named.
        dpkg-query --status "$name" >/dev/null 2>&1 || continue
        dpkg-query --listfiles "$name" | while read -r file; do
            case $file in
            /lib/* | /lib64/* | /usr/lib/* | /usr/sbin/libgvc*) [ -d "$file" ] || (cd / && cp --parents -d ".$file" "$root") ;;
            esac
        done
        next="$next $(dpkg-query --show -f '${Depends},${Pre-Depends}' "$name")"
    done
    queue=$(names "$next")
done
# /lib is a link to /usr/lib if packages were installed.
for link in lib lib64; do
    [ -L "/$link" ] || continue
    if [ -d "$root/$link" ]; then
        mkdir -p "$root/usr/$link" && cp -a "$root/$link/." "$root/usr/$link/" && rm -rf "${root:?}/$link"
    fi
    ln -s "usr/$link" "$root/$link"
done

dpkg-deb --extract "$package" "$root"
mkdir -p "$root/proc"
cp "$trace" "$root/quotes.json"
# Swift reads a program's arguments from /proc.
inside() { unshare --map-root-user --pid --fork --mount-proc --root "$root" "$@"; }

# As Graphviz's package does when it is installed: lists its plugins.
inside /usr/sbin/libgvc6-config-update -c || fail "Graphviz's plugins cannot be listed"

[ "$(inside /usr/bin/opviz --version)" = "$(dpkg-deb --field "$package" Version)" ] || fail "its version is not the package's"
inside /usr/bin/opviz lint /quotes.json >/dev/null || fail "lint exits with $?"
inside /usr/bin/opviz graph /quotes.json -o /quotes.svg >/dev/null || fail "graph exits with $?"
grep -q '</svg>' "$root/quotes.svg" || fail "the picture is not whole"
[ -s "$root/usr/share/man/man1/opviz.1" ] || [ -s "$root/usr/share/man/man1/opviz.1.gz" ] || fail "there is no manual page"
[ -s "$root/usr/share/opviz/SKILL.md" ] || fail "there is no SKILL.md"
[ -s "$root/usr/share/opviz/schemas/why.schema.json" ] || fail "there are no schemas"
echo "deb: $(basename "$package") runs without Swift, with ${#seen[@]} packages: $(names "$(dpkg-deb --field "$package" Depends)" | tr '\n' ' ')"
