#!/usr/bin/env bash
# Packs everything that `make install` installs, and LICENSE, as opviz-VERSION-linux-ARCHITECTURE.tar.gz, with
# SHA256SUMS beside it. The same files give the same archive. release-archive.sh FOLDER
set -euo pipefail
folder=$1
[ "$(uname)" = Linux ] || { echo "release-archive: this system is $(uname); archives are made on Linux" >&2; exit 1; }
name=opviz-$(sh Scripts/version.sh)-linux-$(uname -m)
rm -rf "$folder"
mkdir -p "$folder"
root=$(cd "$folder" && pwd)/$name

make install DESTDIR="$root" PREFIX=
install -m 644 LICENSE "$root/LICENSE"

# The time of the commit. In a container, the folder often belongs to another user, whose repository git would not read.
time=${SOURCE_DATE_EPOCH:-$(git -c safe.directory='*' log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)}
tar --create --directory "$folder" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --mtime="@$time" "$name" | gzip -9 --no-name >"$folder/$name.tar.gz"
rm -rf "$root"
(cd "$folder" && sha256sum "$name.tar.gz" >SHA256SUMS)
echo "$folder/$name.tar.gz"
