#!/usr/bin/env bash
# Builds the Debian package of opviz: everything that `make install` installs, below /usr, with dependencies
# on the packages of its libraries. deb.sh FOLDER
set -euo pipefail
folder=$1
version=$(sh Scripts/version.sh)
architecture=$(dpkg --print-architecture)
root=$folder/opviz_${version}_$architecture
rm -rf "$folder"
mkdir -p "$root/DEBIAN" "$folder/debian"

make install DESTDIR="$root" PREFIX=/usr

# Looks up the packages of the libraries, with the versions whose symbols are used. This requires the control
# file of a source package.
printf 'Source: opviz\n\nPackage: opviz\nArchitecture: any\n' >"$folder/debian/control"
depends=$(cd "$folder" && dpkg-shlibdeps -O "$(basename "$root")/usr/bin/opviz" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ]

cat >"$root/DEBIAN/control" <<CONTROL
Package: opviz
Version: $version
Architecture: $architecture
Maintainer: The opviz authors <opviz@localhost>
Section: devel
Priority: optional
Depends: $depends
Recommends: fonts-dejavu-core, libgvc6-plugins-gtk
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Description: inspector and visualizer of operation queues
 Shows what the operations of a program waited for: reads the traces of programs that use
 Foundation's operation queues, records programs as they are, and draws graphs, timelines
 and tables of them.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$root.deb" >/dev/null
rm -rf "$root" "$folder/debian"
echo "$root.deb"
