// Users of a module also see the modules below it.
@_exported public import InspectorText
