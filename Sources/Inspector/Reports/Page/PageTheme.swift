import InspectorFlames

/// The colours of all pictures, for the page's script.
enum PageTheme {
    static func object(_ theme: PictureTheme) -> JSONObject {
        var object = JSONObject()
        object.add("background", theme.background)
        object.add("text", theme.text)
        object.add("mutedText", theme.mutedText)
        object.add("edge", theme.edge)
        object.add("spawn", theme.spawn)
        object.add("critical", theme.critical)
        object.add("blocked", theme.blocked)
        object.add("grid", theme.grid)
        object.add("border", theme.clusterBorder)
        object.add("panel", theme.clusterFills[0])
        object.add("panelDeep", theme.clusterFills[1])
        object.add("fills", OperationEnding.allCases.map(theme.fill))
        object.add("borders", OperationEnding.allCases.map(theme.border))
        object.add("parts", LifetimeParts.Part.allCases.map(theme.color))
        object.add("taskParts", TaskPart.allCases.map { theme.color($0) })
        object.add("families", CodeFamily.allCases.map(theme.fill))
        // The first is that of all kinds after the last colour.
        object.add("groups", [theme.otherFill] + theme.groupFills)
        object.add("executionParts", ExecutionParts.Part.allCases.map(theme.color))
        object.add("executionHatch", theme.executionHatch)
        return object
    }
}
