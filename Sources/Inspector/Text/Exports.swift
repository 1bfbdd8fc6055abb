// Files of this module may use the event log without importing it.
@_exported public import EventLog
