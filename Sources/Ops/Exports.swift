// An embedder names operations and outcomes of a log without importing a second module.
@_exported public import EventLog
