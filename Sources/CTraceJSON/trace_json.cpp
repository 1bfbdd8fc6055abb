// One translation unit: each further one would compile simdjson's header again, which takes longer than the rest.
#include "chrome.hpp"
#include "otlp.hpp"
#include "read.hpp"
