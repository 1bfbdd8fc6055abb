extension HelpTopic {
    static let start = HelpTopic(
        name: "start", summary: "a first trace, and a first look at it",
        text: """
            A program that nobody changed (Linux) is run by opviz; its summary follows on
            standard error, and trace.json is left:

                $ opviz record -- ./app

            A program with the library Ops in it, and InstrumentedQueue in place of
            OperationQueue, needs only its environment:

                $ OPVIZ_TRACE=own.json ./app

            Then look at it: the graph with the critical path, when what ran, all of it as
            a web page, and how long each kind took and waited for what.

                $ opviz trace.json -o graph.svg
                $ opviz timeline trace.json
                $ opviz report trace.json -o report.html
                $ opviz table trace.json

            Next: opviz help stuck, opviz help slow.
            """)

    static let stuck = HelpTopic(
        name: "stuck", summary: "a queue does not go on: what everything waits for",
        text: """
            Run the program with opviz record, end it with Control-C where it is stuck, and
            read the first line; or ask the log of one that runs with OPVIZ_TRACE, while it
            runs or after it was killed. Nothing that was recorded is lost by the kill.

                $ opviz lint stuck.json --severity error
                error: deadlock: page 1 blocks its thread until download of page 1 finishes,
                    download of page 1 needs a slot of queue imports (limit 2), and page 1 has
                    one; stuck behind it: 2 operations (page 2, download of page 2)
                    [self-wait-deadlock]
                …

            Each finding has what proves it, and what to change. What an operation waits
            for, back to the start, and what waits for it, is told by its name, its kind or
            its ID:

                $ opviz explain stuck.json "download of page 1"
                download of page 1 (BlockOperation, 0x4) has not finished after 301 ms: 301 ms of it waiting \
            for a slot; page 1 held one for 301 ms of that, the longest of 2 that held one.
                It waits in a circle: download of page 1 → page 1 → …
                …

            In the graph, what never finished stands out; --focus draws it with its
            neighbours alone.

                $ opviz stuck.json --focus "page 1" --depth 1 -o stuck.svg

            opviz watch shows in a second terminal what a running program is executing,
            and what everything in it is waiting for; --once prints it a single time.

                $ opviz watch stuck.optrace --once

            In the program itself, print(queue.snapshot()) names the same deadlock, and
            shows what the queue holds, at any moment and from any thread. Blocked threads
            are known while a recorder records.
            """)

    static let slow = HelpTopic(
        name: "slow", summary: "a run takes long: what delayed it, and what would help",
        text: """
            What delayed the end of the run, step by step, through dependencies, slots,
            threads and parents:

                $ opviz critical-path trace.json
                The run took 200 ms. What it waited for, step by step: 190 ms executing, 9.61 ms waiting for \
            threads, after 115 µs until the first of them was added, for an unknown reason.
                …

            Why one operation was late, and what it cost the run:

                $ opviz explain trace.json report

            What more slots, or a faster kind of operation, would give. The drift in the
            first line says how far the replay can be trusted:

                $ opviz whatif trace.json --slots 4,8,unlimited --scale DownloadPage=0.5

            Which kinds take and wait longest, and what was wasted:

                $ opviz table trace.json
                $ opviz lint trace.json

            What differs between two runs (one run against one is no verdict: opviz help
            compare):

                $ opviz diff before.json after.json
            """)

    static let compare = HelpTopic(
        name: "compare", summary: "whether a change made a program slower, with how much certainty",
        text: """
            What to trust: both programs, run in turn on the same machine. Twenty runs a
            side see a change of some 15 %, fifty one of 10 %.

                $ opviz check --interleave 20 -- ./old-app -- ./app

            Runs that are there already, of several sessions; or a small file made of them:

                $ opviz check new/ --baseline old/
                $ opviz baseline old/ -o baseline.json
                $ opviz check new/ --baseline baseline.json --threshold 3% -o check.md

            Every run kept, a line each, and where a metric changed:

                $ opviz history add new/ --file history.jsonl --label v1.2
                $ opviz history show --file history.jsonl -o trend.svg

            The verdict is regressed, improved, unchanged or inconclusive; the exit code is
            1 for regressed, and 2 for inconclusive with --strict.
            """)
}
