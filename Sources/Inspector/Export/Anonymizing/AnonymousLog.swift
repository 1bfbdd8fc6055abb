package import EventLog
import InspectorTraces

/// A log whose texts are made up. Times, numbers and who waits for whom are those of the original.
package struct AnonymousLog {
    package let contents: EventLogContents
    /// How many different texts were replaced.
    package let replacedCount: Int
    /// Those that stayed, in alphabetical order, apart from functions.
    package let kept: [String]
    /// How many functions of Swift, the system and opviz stayed.
    package let keptFunctionCount: Int

    /// Linear in events. Changes them in place if nobody else has them.
    package init(_ original: consuming EventLogContents) {
        var log = original
        var texts = MadeUpTexts()
        let header = Self.header(log.header, &texts)
        var contexts = MadeUpContexts(log, anonymous: header)
        for index in log.events.indices {
            var module: String?
            if case .frame(_, _, _, let file) = log.events[index].body { module = file }
            log.events[index].replaceTexts { text, sort in
                switch sort {
                case .kind: texts.text(text, "Kind")
                case .taskKind: texts.taskCode(text)
                case .operation: texts.text(text, "operation")
                case .task: texts.text(text, "task")
                case .queue: texts.text(text, "queue")
                case .executor: texts.text(text, "executor")
                case .message: texts.text(text, "message")
                case .mark: texts.mark(text)
                case .context: contexts.text(text) ?? texts.text(text, "context")
                case .function: texts.function(text, in: module)
                case .module: texts.module(text)
                case .code: texts.taskCode(text)
                case .place: texts.place(text)
                case .holder: texts.holder(text)
                case .obstacle: texts.text(text, "obstacle")
                }
            }
        }
        contents = EventLogContents(header: header, events: log.events)
        replacedCount = texts.count
        kept = texts.kept.sorted()
        keptFunctionCount = texts.keptFunctions.count
    }

    /// The day that the log begins, at 0:00 UTC.
    package static let date = "2000-01-01"
    /// The same in nanoseconds since 1970.
    private static let start: Int64 = 946_684_800_000_000_000

    /// Builds a new header instead of changing the old one: what is added to headers later stays out of it
    /// until it is listed here. The boot of the machine is left out, because it identifies the machine.
    private static func header(_ header: LogHeader, _ texts: inout MadeUpTexts) -> LogHeader {
        var new = LogHeader(
            process: texts.text(header.process, "program"), processID: header.processID,
            host: texts.text(header.host, "host"), start: moved(header.start, from: header.start),
            droppedEvents: header.droppedEvents, isClosed: header.isClosed, lastAlive: header.lastAlive)
        new.processes = header.processes.map { process in
            var new = LogProcess(
                process: texts.text(process.process, "program"), processID: process.processID,
                host: texts.text(process.host, "host"), start: moved(process.start, from: header.start),
                offset: process.offset, shift: process.shift, operationsBefore: process.operationsBefore,
                droppedEvents: process.droppedEvents, isClosed: process.isClosed,
                lastAlive: process.lastAlive)
            new.processors = process.processors
            return new
        }
        // A version consists of three small numbers; a file may contain anything.
        new.recorder = header.recorder.flatMap { version in
            version.wholeMatch(of: /[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}/) == nil ? nil : version
        }
        new.processorTimes = header.processorTimes
        new.processors = header.processors
        new.endingSignal = header.endingSignal
        new.isOfAnotherProgram = header.isOfAnotherProgram
        return new
    }

    /// Processes of a merged log keep their distance. 0 is an unknown time, and stays.
    private static func moved(_ time: Int64, from first: Int64) -> Int64 {
        time == 0 ? 0 : Self.start &+ (first == 0 ? 0 : time &- first)
    }
}
