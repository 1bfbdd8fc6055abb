#!/bin/sh
# Prints the version of everything that is released together: version.sh
set -eu
sed -n 's/^#define OPVIZ_VERSION "\(.*\)"$/\1/p' "$(dirname "$0")/../Sources/CLogFormat/include/OpvizVersion.h"
