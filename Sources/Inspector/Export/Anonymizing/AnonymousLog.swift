package import EventLog
package import InspectorTraces

/// A log whose texts are made up. Times, numbers and who waits for whom are those of the original.
package final class AnonymousLog {
    /// The same text of the same sort. A function also by the file that it is in.
    private struct Original: Hashable {
        let text: InternedTexts.Number
        let sort: EventSchema.TextSort
        let module: InternedTexts.Number?
    }

    package let header: LogHeader
    private let log: SurveyedLog
    private var madeUp = MadeUpTexts()
    private var contexts: MadeUpContexts
    private var made: [Original: InternedTexts.Number] = [:]
    private var texts = InternedTexts()

    /// - Throws: `TraceError` if the log cannot be read a second time.
    package init(_ original: SurveyedLog) throws(TraceError) {
        log = original
        header = Self.header(log.log.header, &madeUp)
        // Contexts are rare, and otherwise nobody asks for spans.
        let found = OperationSpans(log.log.header, anonymous: header)
        if log.hasReceivedContexts { try log.pass(to: found) }
        contexts = MadeUpContexts(log.log.header, anonymous: header, spans: found.spans)
    }

    /// How many different texts were replaced. After ``pass(to:)``, like the following.
    package var replacedCount: Int { madeUp.count }

    /// Those that stayed, in alphabetical order, apart from functions.
    package var kept: [String] { madeUp.kept.sorted() }

    /// How many functions of Swift, the system and opviz stayed.
    package var keptFunctionCount: Int { madeUp.keptFunctions.count }

    /// Passes the events on with their new texts. Linear in events.
    ///
    /// - Throws: `TraceError` if the log cannot be read again.
    package func pass(to consumer: any EventConsumer) throws(TraceError) {
        try log.pass(to: Replacing(self, before: consumer))
    }

    private final class Replacing: EventConsumer {
        private let anonymous: AnonymousLog
        private let next: any EventConsumer

        init(_ anonymous: AnonymousLog, before next: any EventConsumer) {
            self.anonymous = anonymous
            self.next = next
        }

        func consume(_ event: EventFields, _ texts: InternedTexts) {
            var event = event
            anonymous.replaceTexts(of: &event, texts)
            next.consume(event, anonymous.texts)
        }
    }

    private func replaceTexts(of event: inout EventFields, _ source: InternedTexts) {
        // Only a frame has a function, and its name is that of the file.
        let module = event.name
        event.mapTexts { number, sort in
            if number == InternedTexts.empty { return number }
            let original = Original(text: number, sort: sort, module: sort == .function ? module : nil)
            if let known = made[original] { return known }
            let new = texts.number(of: replacement(source[number], sort, module.map { source[$0] }))
            made[original] = new
            return new
        }
    }

    private func replacement(_ text: String, _ sort: EventSchema.TextSort, _ module: String?) -> String {
        switch sort {
        case .kind: madeUp.text(text, "Kind")
        case .taskKind: madeUp.taskCode(text)
        case .operation: madeUp.text(text, "operation")
        case .task: madeUp.text(text, "task")
        case .queue: madeUp.text(text, "queue")
        case .executor: madeUp.text(text, "executor")
        case .message: madeUp.text(text, "message")
        case .mark: madeUp.mark(text)
        case .context: contexts.text(text) ?? madeUp.text(text, "context")
        case .function: madeUp.function(text, in: module)
        case .module: madeUp.module(text)
        case .code: madeUp.taskCode(text)
        case .place: madeUp.place(text)
        case .holder: madeUp.holder(text)
        case .obstacle: madeUp.text(text, "obstacle")
        }
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
