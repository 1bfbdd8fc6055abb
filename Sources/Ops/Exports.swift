// Lets programs name the operations and outcomes of a log without importing a second module.
@_exported public import EventLog
