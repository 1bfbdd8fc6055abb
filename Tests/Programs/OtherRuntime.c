// Loaded before Swift's library of tasks, this makes it look like one of a later version.
unsigned _swift_concurrency_debug_internal_layout_version = 1000;
