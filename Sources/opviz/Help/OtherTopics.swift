extension HelpTopic {
    static let ci = HelpTopic(
        name: "ci", summary: "timings and findings in continuous integration",
        text: """
            Limits that hold without a baseline, in a file of the project (see
            Documentation/Budgets.md); exit code 1 where one is broken:

                $ printf -- '- makespan: 2s\\n- no unfinished\\n' > budgets.yml
                $ opviz check trace.json --budgets budgets.yml

            Findings that fail a build, or stand beside the lines of a pull request:

                $ opviz lint trace.json --strict
                $ opviz lint trace.json --format github

            A comparison as a comment, as a test result, and as annotations at once:

                $ opviz check new/ --baseline old/ -o check.md -o check.xml --format github

            The graph and its figures as a comment:

                $ opviz trace.json -o run.md

            A pipeline hides the exit code unless set -o pipefail is on; -o writes files
            instead.
            """)

    static let elsewhere = HelpTopic(
        name: "elsewhere",
        summary: "Perfetto, OpenTelemetry, speedscope, databases, and back",
        text: """
            The trace itself opens in the Perfetto UI. With threads, waits and counters:

                $ opviz export trace.json --format chrome -o run.json

            Spans, with links for dependencies, for any collector of OpenTelemetry; a
            profile for speedscope; tables for databases:

                $ opviz export trace.json -o run.otlp.json
                $ opviz export trace.json -o run.speedscope.json
                $ opviz export trace.json --format jsonl -o tables/

            Chrome traces and OTLP's JSON of other programs are read by every command:

                $ opviz run.otlp.json -o spans.svg

            The tables of many traces, with what is known of each run, in one set of files;
            Documentation/Fleet.md asks ClickHouse and DuckDB about them:

                $ opviz export old/ --format jsonl -o fleet/ --label version=1.4.2

            The logs of several processes, which OPVIZ_TRACE=traces/ leaves, as one trace:

                $ opviz merge traces/ -o merged.json

            The binary form, which the recorder writes, and the JSON are lossless to each
            other; a log that is kept becomes small.

                $ opviz convert trace.json -o trace.optrace
                $ opviz compact trace.optrace -o kept.optrace
            """)

    static let settings = HelpTopic(
        name: "settings", summary: "variables, files and exit codes",
        text: """
            OPVIZ_TRACE        where a program with the library Ops writes its log:
                               trace.json, trace.optrace, or a folder, traces/, into which
                               each process of a tree writes its own
            OPVIZ_TRACE_LIMIT  how large a log becomes: 64M, 2G; "64M latest" keeps the
                               latest events instead of the first; also of opviz record
            OPVIZ_OBSERVE      passive: replaces no methods in foreign classes
            NO_COLOR           any value turns colors off

                $ OPVIZ_TRACE=traces/ OPVIZ_TRACE_LIMIT="64M latest" ./app

            While a program runs, its log is NAME.optrace, and can be read. What found no
            room was dropped and counted, and every command says so.

            -o creates the missing folders of its name.

            A command whose reader goes away (opviz --help | head) ends quietly, with its
            usual exit code.

            Exit codes. opviz record exits with the program's status once the program runs.

            \(ExitStatus.text)
            """)

    static let words = HelpTopic(
        name: "words", summary: "what the words in tables and pictures mean",
        text: """
            lifetime         from the addition to a queue until the end: exactly the waits,
                             the execution time, and what is unknown
            dependency wait  until the last dependency had finished
            suspended wait   ready, while the queue was suspended
            slot wait        ready, while others had every slot of the queue
            dispatch wait    ready with a free slot, but without a thread
            execution time   from the start until the finish, not only in main()
            unknown          not in the log; always shown
            edge             successor waits for predecessor
            parent           the operation on whose thread or task this one was added
            makespan         from the first addition to the last finish
            work             the sum of all execution times
            critical path    the chain that more slots cannot shorten
            parallelism      work ÷ critical path: the upper limit with more slots
            slack            how much later it could finish without moving the end
            hazard           a finding of opviz lint, with what proves it
            drift            difference of an unchanged replay from the record

            Each of them is a column of opviz table, or a line of opviz explain:

                $ opviz table trace.json --by kind
                $ opviz explain trace.json report
            """)
}
