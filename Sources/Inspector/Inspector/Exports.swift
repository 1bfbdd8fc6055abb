// The modules of the Inspector as one, for those who use it.
@_exported public import InspectorComparison
@_exported public import InspectorExport
@_exported public import InspectorFlames
@_exported public import InspectorLive
@_exported public import InspectorRegression
@_exported public import InspectorReports
