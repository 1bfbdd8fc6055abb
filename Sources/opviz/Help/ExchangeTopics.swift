extension HelpTopic {
    static let ci = HelpTopic(
        name: "ci", summary: "timings and findings in continuous integration",
        text: """
            Check limits that need no baseline, from a file (Documentation/Budgets.md). The
            exit code is 1 if one is broken:

                $ printf -- '- makespan: 2s\\n- no unfinished\\n' > budgets.yml
                $ opviz check trace.json --budgets budgets.yml

            Fail a build on findings, or show them in a pull request:

                $ opviz lint trace.json --strict
                $ opviz lint trace.json --format github

            Write a comparison as a comment, as a test result, and as annotations at once:

                $ opviz check new/ --baseline old/ -o check.md -o check.xml --format github

            Write the graph and its figures as a comment:

                $ opviz trace.json -o run.md

            A pipeline hides the exit code unless set -o pipefail is on; -o writes files
            instead.
            """)

    static let elsewhere = HelpTopic(
        name: "elsewhere",
        summary: "Perfetto, OpenTelemetry, speedscope, databases, and back",
        text: """
            The trace opens in the Perfetto UI as it is. To add threads, waits and counters:

                $ opviz export trace.json --format chrome -o run.json

            Write spans for any OpenTelemetry collector, with links for dependencies; a
            profile for speedscope; tables for databases:

                $ opviz export trace.json -o run.otlp.json
                $ opviz export trace.json -o run.speedscope.json
                $ opviz export trace.json --format jsonl -o tables/

            Every command reads Chrome traces and OTLP's JSON of other programs:

                $ opviz run.otlp.json -o spans.svg

            Export many traces into one set of tables, with a label such as the version.
            Documentation/Fleet.md queries them in ClickHouse and DuckDB:

                $ opviz export old/ --format jsonl -o fleet/ --label version=1.4.2

            Merge the logs of several processes, which OPVIZ_TRACE=traces/ writes:

                $ opviz merge traces/ -o merged.json

            Convert a trace between JSON and the binary form of the recorder, without loss,
            or compress a trace that you want to keep:

                $ opviz convert trace.json -o trace.optrace
                $ opviz compact trace.optrace -o kept.optrace
            """)
}
