extension HelpTopic {
    static let settings = HelpTopic(
        name: "settings", summary: "variables, files and exit codes",
        text: """
            OPVIZ_TRACE        where a program with the library Ops writes its log:
                               trace.json, trace.optrace, or a folder such as traces/, for
                               a log of each process that it starts
            OPVIZ_TRACE_LIMIT  how large a log may become: 64M, 2G; "64M latest" keeps the
                               latest events, not the first; also for opviz record
            OPVIZ_OBSERVE      passive: replace no methods in classes outside Ops; their
                               transitions become intervals
            OPVIZ_CPU          auto, switches, clocks, off: how opviz record splits
                               executions into CPU time and waiting; off: recorders read
                               no thread clocks
            OPVIZ_PROFILE      1 to 10000: how often a second opviz record samples stacks
            OPVIZ_TASKS        1: opviz record also records Swift's tasks, as with --tasks
            OPVIZ_AWAIT_STACKS 1: recorders of tasks record in which functions each task
                               waits, as with --await-stacks
            NO_COLOR           any value turns colours off

                $ OPVIZ_TRACE=traces/ OPVIZ_TRACE_LIMIT="64M latest" ./app

            While a program runs, its log is NAME.optrace, and every command can read it.
            Events that do not fit are dropped and counted, and every command reports the
            count.

            -o creates missing folders.

            If the reader of a pipeline ends first (opviz --help | head), opviz ends without
            an error, with its usual exit code.

            Exit codes. opviz record exits with the program's status once the program runs.

            \(ExitStatus.text)
            """)

    static let naming = HelpTopic(
        name: "names", summary: "how to name operations, groups, findings and steps",
        text: """
            What opviz prints can be given to opviz again:

            0x1f               an operation or Swift task by its ID
            client.0x1f        the same, of a process of a merged trace
            page 7             by name, or else by kind
            kind:Resize        the operations of a kind
            queue:network      the operations of a queue
            executor:Cache     the tasks that ran on an executor
            outcome:failed     also succeeded, cancelled, unfinished, unobserved
            finding:3          the operations of a finding of opviz lint
            step:2             the operation of a step of opviz critical-path

            Names are case-sensitive and whole; one that ends in … may be copied as it is
            printed. In quotation marks, a name is never read as something else:
            '"kind:Resize"'.

            These take all of them. opviz explain takes the operation with the longest
            lifetime, and of a finding the first, and prints the IDs of the others:

                $ opviz explain trace.json kind:StorePage
                $ opviz trace.json --focus step:2 --depth 1 -o step.svg
                $ opviz timeline trace.json --operation queue:import
                $ opviz lint stuck.json finding:1

            opviz lint takes findings only, and opviz flame --operation needs samples.
            --kind, --queue, and --scale and --slots of opviz whatif take names with or
            without the word before the colon.

            IDs, findings and steps are numbers of one trace: in a trace of another run they
            name something else.
            """)

    static let words = HelpTopic(
        name: "words", summary: "what the words in tables and pictures mean",
        text: """
            lifetime         from enqueue to finish: the sum of the waits, the execution
                             time, and what is unknown
            dependency wait  from enqueue to ready
            suspended wait   ready, in a suspended queue
            slot wait        ready, while every slot of the queue was taken
            dispatch wait    had a slot; waited for a thread
            execution time   from start to finish, also after main() has returned
            unknown          time that the log does not explain; always shown
            edge             predecessor → successor: the successor waits
            parent           the operation in whose body this one was added
            makespan         from the first enqueue to the last finish
            work             the sum of all execution times
            critical path    the longest chain of dependent operations; more slots cannot
                             make it shorter
            parallelism      work ÷ critical path: the highest average concurrency that
                             more slots can give
            slack            how much later an operation could finish without moving the
                             end of the run
            hazard           a finding of opviz lint, with its evidence
            drift            how far a replay is from the recorded run

            Most of them appear in the output of opviz table and opviz explain:

                $ opviz table trace.json --by kind
                $ opviz explain trace.json report
            """)
}
