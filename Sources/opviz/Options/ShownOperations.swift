import ArgumentParser

/// `--window`, `--queue`, `--kind` and `--operation`: which operations a picture shows.
struct ShownOperations: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only this interval: 1.2s..3.4s, 250ms.., ..2min.", valueName: "from..to"),
        transform: TimeWindow.init)
    var window: TimeWindow?

    @Option(help: "Show only operations of this queue (name or ID).")
    var queue: String?

    @OptionGroup var ofKind: KindOption

    @OptionGroup var named: OperationOption
}
