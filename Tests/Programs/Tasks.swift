#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A group of tasks, in a program without Foundation; or none, or with a status, as the argument says.
@main
enum Tasks {
    static func main() {
        if CommandLine.arguments.contains("none") { return print("none") }
        Task.detached {
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 1...3 { group.addTask { number } }
                var sum = 0
                for await number in group { sum += number }
                return sum
            }
            print(sum)
            exit(CommandLine.arguments.contains("exit") ? 3 : 0)
        }
        while true { sleep(1) }
    }
}
