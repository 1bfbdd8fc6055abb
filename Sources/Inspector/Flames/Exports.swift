@_exported public import InspectorAnalysis
