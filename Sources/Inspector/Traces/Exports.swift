// Whoever uses a module sees those below it.
@_exported public import InspectorText
