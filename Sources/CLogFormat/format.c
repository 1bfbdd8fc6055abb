// The numbers are in the header. A package target needs something to compile.
#include "CLogFormat.h"

_Static_assert(LOG_HEADER_END <= LOG_HEADER_SIZE, "the header holds what it has");
