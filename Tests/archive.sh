#!/usr/bin/env bash
# Unpacks a release's archive in an empty folder, and runs opviz there: its version, its demonstration, and a recording of
# PROGRAM. archive.sh ARCHIVE.tar.gz PROGRAM
set -euo pipefail
archive=$(realpath "$1") program=$(realpath "$2")
name=$(basename "$archive" .tar.gz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "archive: $1" >&2; exit 1; }

(cd "$(dirname "$archive")" && sha256sum --check --quiet SHA256SUMS) || fail "SHA256SUMS is of another archive"
[ "$(tar --list --file "$archive" | cut -d / -f 1 | sort -u)" = "$name" ] || fail "it unpacks elsewhere than into $name"
[ "$(tar --list --verbose --numeric-owner --file "$archive" | awk '{ print $2 }' | sort -u)" = 0/0 ] || fail "its files have an owner"
[ "$(tar --list --file "$archive")" = "$(tar --list --file "$archive" | tr / '\1' | LC_ALL=C sort | tr '\1' /)" ] ||
    fail "its files are not sorted"

tar --extract --directory "$folder" --file "$archive"
cd "$folder"
for file in LICENSE lib/opviz/libopviz-record.so share/man/man1/opviz.1 share/man/man1/opviz-record.1 share/opviz/SKILL.md share/opviz/schemas/why.schema.json \
    share/bash-completion/completions/opviz share/zsh/site-functions/_opviz share/fish/vendor_completions.d/opviz.fish; do
    [ -s "$name/$file" ] || fail "there is no $file"
done

# Without what the environment says about Swift.
opviz() { env -i PATH=/usr/bin:/bin HOME="$folder" "./$name/bin/opviz" "$@"; }
version=$(opviz --version)
[[ $name == "opviz-$version-linux-$(uname -m)" ]] || fail "it contains version $version"
opviz demo >demo.txt || fail "demo exits with $?"
opviz record -o program.json -- "$program" >program.txt 2>&1 || fail "record exits with $?: $(tail -n 1 program.txt)"
opviz lint program.json >/dev/null || fail "lint of the recorded program exits with $?"
[ "$(opviz table program.json --format csv | wc -l)" -gt 1 ] || fail "no operation of $program was recorded"
echo "archive: $name runs, and records $(basename "$program")"
