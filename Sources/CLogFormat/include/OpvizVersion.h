#ifndef OPVIZ_VERSION_H
#define OPVIZ_VERSION_H

/// Of all that is released together. `opviz --version`, the manual, logs and the Debian package have it from
/// here.
#define OPVIZ_VERSION "0.1.0"

#endif
