#ifndef OPVIZ_VERSION_H
#define OPVIZ_VERSION_H

/// The version of everything that is released together. `opviz --version`, the manual, logs and the Debian
/// package take it from here.
#define OPVIZ_VERSION "0.2.0"

#endif
