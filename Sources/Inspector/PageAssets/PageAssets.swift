/// The page's own files, in their order on the page.
package enum PageAssets {
    /// A single script inside one function, so that only what it exports is visible from outside.
    package static let script: [UInt8] =
        Array("(() => {\n\"use strict\";\n".utf8)
        + [
            PackageResources.data_js, PackageResources.format_js, PackageResources.state_js,
            PackageResources.dom_js, PackageResources.chain_js, PackageResources.relations_js,
            PackageResources.story_js, PackageResources.surface_js, PackageResources.graph_model_js,
            PackageResources.graph_js, PackageResources.graph_pane_js, PackageResources.lanes_js,
            PackageResources.timeline_js,
            PackageResources.overview_js, PackageResources.timeline_pane_js, PackageResources.details_js,
            PackageResources.table_js,
            PackageResources.tables_js, PackageResources.summary_js, PackageResources.search_js,
            PackageResources.main_js,
        ].joined()
        + Array("})();\n".utf8)

    package static let style: [UInt8] = PackageResources.page_css

    package static let body: [UInt8] = PackageResources.page_html
}
