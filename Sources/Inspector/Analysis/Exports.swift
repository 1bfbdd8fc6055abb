@_exported public import InspectorTraces
