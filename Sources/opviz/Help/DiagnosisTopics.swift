extension HelpTopic {
    static let start = HelpTopic(
        name: "start", summary: "a first trace, and a first look at it",
        text: """
            To record an unmodified program (Linux), run it under opviz. It leaves
            trace.json, and prints a summary on standard error:

                $ opviz record -- ./app

            A program that uses the library Ops, with InstrumentedQueue instead of
            OperationQueue, needs only its environment:

                $ OPVIZ_TRACE=own.json ./app

            Then draw the graph with the critical path, print the timeline, make a web page
            with everything, or print how long each kind took and waited:

                $ opviz trace.json -o graph.svg
                $ opviz timeline trace.json
                $ opviz report trace.json -o report.html
                $ opviz table trace.json

            Next: opviz help stuck, opviz help slow.
            """)

    static let stuck = HelpTopic(
        name: "stuck", summary: "a queue is stuck: what everything is waiting for",
        text: """
            Run the program under opviz record, press Control-C when it is stuck, and read
            the first line. Or read the log of a program that runs with OPVIZ_TRACE, while
            it runs or after a kill: a kill loses nothing that was recorded.

                $ opviz lint stuck.json finding:1
                error: deadlock: page 1 blocks its thread until download of page 1 finishes,
                    download of page 1 needs a slot of queue imports (limit 2), and page 1 has
                    one; stuck behind it: 2 operations (page 2, download of page 2)
                    [self-wait-deadlock, finding:1]
                …

            Each finding has its evidence, and what to change. To see what an operation
            waits for, back to the start, and what waits for it, give its name or ID:

                $ opviz explain stuck.json "download of page 1"
                download of page 1 (BlockOperation, 0x4) has not finished after 301 ms: 301 ms of it waiting \
            for a slot; of 2 holders, page 1 held one longest, 301 ms.
                A circle of waits that never resolved: download of page 1 → page 1 → download of page 1 \
            (each waits for the next).
                …

            In the graph, unfinished operations stand out; --focus draws one with its
            neighbours:

                $ opviz stuck.json --focus "page 1" --depth 1 -o stuck.svg

            opviz watch shows in a second terminal what a running program is executing,
            and what everything in it is waiting for; --once prints it a single time.

                $ opviz watch stuck.optrace --once

            In the program itself, call print(queue.snapshot()), at any moment and from any
            thread. It names the same deadlock, and shows what is in the queue. It knows
            which threads are blocked only while a recorder is on.
            """)

    static let slow = HelpTopic(
        name: "slow", summary: "a run takes long: what delayed it, and what would help",
        text: """
            See what delayed the end of the run, step by step, through dependencies, slots,
            threads and parents:

                $ opviz critical-path trace.json
                The run took 200 ms. What delayed it, step by step: 190 ms executing, 9.61 ms waiting for \
            threads.
                …

            Find out why an operation was late, and what it cost the run:

                $ opviz explain trace.json report

            Replay the run with more slots, or with a faster kind of operation. The drift in
            the first line shows how exact the replay is:

                $ opviz whatif trace.json --slots 4,8,unlimited --scale DownloadPage=0.5

            If opviz record recorded the run, --cpus 1,2,4 replays it on other numbers of
            CPUs.

            See which kinds take and wait longest, and what was wasted:

                $ opviz table trace.json
                $ opviz lint trace.json

            See what differs between two runs (two single runs prove nothing: opviz help
            compare):

                $ opviz diff before.json after.json
            """)

    static let compare = HelpTopic(
        name: "compare", summary: "whether a change made a program slower, with how much certainty",
        text: """
            Run both programs alternately on the same machine. Twenty runs a side reveal a
            change of about 15 %, fifty a change of 10 %:

                $ opviz check --interleave 20 -- ./old-app -- ./app

            Compare existing runs of several sessions, or a small file made of them:

                $ opviz check new/ --baseline old/
                $ opviz baseline old/ -o baseline.json
                $ opviz check new/ --baseline baseline.json --threshold 3% -o check.md

            Keep every run, one line each, and see where a metric changed:

                $ opviz history add new/ --file history.jsonl --label v1.2
                $ opviz history show --file history.jsonl -o trend.svg

            The verdict is regressed, improved, unchanged or inconclusive; the exit code is
            1 for regressed, and 2 for inconclusive with --strict.
            """)
}
