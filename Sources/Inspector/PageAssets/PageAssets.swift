/// The page's own files, in their order on the page.
package enum PageAssets {
    /// A single script inside one function, so that only what it exports is visible from outside.
    package static let script = Array("(() => {\n\"use strict\";\n\(scripts.joined())})();\n".utf8)

    package static let style = Array(PageFiles.page_css.utf8)

    package static let body = Array(PageFiles.page_html.utf8)

    /// The script inside the picture of a flame graph.
    package static let flameScript = Array(
        "(() => {\n\"use strict\";\n\(PageFiles.flame_js)\(PageFiles.flame_picture_js)})();\n".utf8)

    private static let scripts = [
        PageFiles.data_js, PageFiles.format_js, PageFiles.comparison_js, PageFiles.patterns_js,
        PageFiles.tasks_js,
        PageFiles.executions_js,
        PageFiles.state_js, PageFiles.dom_js,
        PageFiles.chain_js, PageFiles.relations_js, PageFiles.story_js, PageFiles.layout_js,
        PageFiles.surface_js,
        PageFiles.graph_model_js,
        PageFiles.graph_edges_js, PageFiles.graph_js, PageFiles.graph_changes_js, PageFiles.graph_hover_js,
        PageFiles.graph_pane_js,
        PageFiles.lanes_js, PageFiles.other_bars_js, PageFiles.other_lanes_js,
        PageFiles.timeline_axis_js, PageFiles.timeline_bars_js, PageFiles.timeline_selection_js,
        PageFiles.timeline_circles_js,
        PageFiles.timeline_js, PageFiles.overview_js, PageFiles.range_js, PageFiles.timeline_pane_js,
        PageFiles.histogram_js,
        PageFiles.details_js,
        PageFiles.flame_js,
        PageFiles.flame_pane_js, PageFiles.table_js,
        PageFiles.comparison_pane_js, PageFiles.tables_js, PageFiles.whatif_js, PageFiles.summary_js,
        PageFiles.search_js,
        PageFiles.marks_js,
        PageFiles.legend_js,
        PageFiles.tooltip_js, PageFiles.panel_picture_js, PageFiles.share_js,
        PageFiles.main_js,
    ]
}
