#if os(Linux)
    import Foundation
    import Inspector
    import Ops
    import Testing

    @Suite(
        "The class of an operation",
        .whereClassesAreObserved)
    struct OperationClassTests {
        private final class Import: Operation, @unchecked Sendable { override func main() {} }
        private final class Export: Operation, @unchecked Sendable { override func main() {} }
        private final class Send: AsynchronousOperation, @unchecked Sendable {
            override func main() { finish() }
        }

        /// A place where classes come and go, as in the memory of a plugin that is unloaded and of another
        /// one after it.
        private final class Place {
            private static let wordsBefore = 2
            private let words = UnsafeMutablePointer<UInt>.allocate(capacity: 4096)

            deinit { words.deallocate() }

            /// The class as its file has it: to be called before any operation of it was added anywhere.
            static func image(of type: AnyClass) -> [UInt] {
                // Sound because the value of a class's metatype is the address of its metadata.
                let address = unsafeBitCast(type, to: UnsafeRawPointer.self)
                let size = address.load(fromByteOffset: 32, as: UInt32.self)
                let before = address.load(fromByteOffset: 36, as: UInt32.self)
                let count = Int(size - before) / 8
                return Array(
                    UnsafeBufferPointer(
                        start: address.assumingMemoryBound(to: UInt.self) - wordsBefore,
                        count: wordsBefore + count))
            }

            func load(_ image: [UInt]) { for (index, word) in image.enumerated() { words[index] = word } }

            /// Makes `operation` one of the class that is loaded.
            func adopt(_ operation: Operation) {
                Unmanaged.passUnretained(operation).toOpaque()
                    .storeBytes(of: UInt(bitPattern: words + Self.wordsBefore), as: UInt.self)
            }
        }

        @Test("the class of an operation is found again after a plugin takes another's place, with its kind")
        func reloaded() throws {
            let images = [
                Place.image(of: Import.self), Place.image(of: Export.self), Place.image(of: Send.self),
            ]
            let makers: [() -> Operation] = [{ Import() }, { Export() }, { Send() }]
            let place = Place()
            let trace = try recorded { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                for index in [0, 1, 2, 1, 0] {
                    place.load(images[index])
                    run(makers[index], in: place, on: queue)
                }
            }
            #expect(trace.operations.map(\.kind) == ["Import", "Export", "Send", "Export", "Import"])
            for operation in trace.operations {
                #expect(operation.executing?.isExact == true, "\(operation)")
                #expect(operation.finished?.isExact == true, "\(operation)")
            }
        }

        private func run(_ make: () -> Operation, in place: Place, on queue: InstrumentedQueue) {
            weak var gone: Operation?
            do {
                let operation = make()
                gone = operation
                place.adopt(operation)
                queue.addOperation(operation)
                queue.drain()
            }
            // Foundation lets go of it on another thread, and its class must be there until then.
            #expect(soon { gone == nil })
        }
    }
#endif
