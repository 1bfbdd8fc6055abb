#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A group of tasks, in a program without Foundation; or none, or with a status, as the argument says. With
/// `yield`, one task that gives way very often; with `lost`, one that awaits a continuation within
/// functions, until the program ends a second later.
@main
enum Tasks {
    static func main() {
        if CommandLine.arguments.contains("none") { return print("none") }
        Task.detached {
            if CommandLine.arguments.contains("yield") {
                for _ in 0..<50_000 { await Task.yield() }
            }
            if CommandLine.arguments.contains("lost") { await page() }
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 1...3 { group.addTask { number } }
                var sum = 0
                for await number in group { sum += number }
                return sum
            }
            print(sum)
            exit(CommandLine.arguments.contains("exit") ? 3 : 0)
        }
        while true {
            sleep(1)
            if CommandLine.arguments.contains("lost") { exit(4) }
        }
    }

    @inline(never) static func page() async {
        await load()
        print("never")
    }

    @inline(never) static func load() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        print("never")
    }
}
