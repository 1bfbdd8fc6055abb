@_exported public import InspectorHazards
