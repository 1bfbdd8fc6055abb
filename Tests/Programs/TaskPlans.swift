import Foundation

// Does what a seed says, in Swift tasks that calculate, sleep, take actors and await each other: the same on
// any number of processors, so that the replay of a run can be held against another one.
//
//     TaskPlans SEED [in-turn]
//
// With `in-turn`, it awaits the members of each group one after the other.

/// Vigna's SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// About as long on a processor of 2020.
@inline(never) func calculate(milliseconds: Double) {
    var value: UInt64 = 88_172_645_463_325_252
    for _ in 0..<Int(milliseconds * 600_000) {
        value ^= value << 13
        value ^= value >> 7
        value ^= value << 17
    }
    if value == 0 { print("never") }
}

actor Store {
    func work(_ milliseconds: Double) { calculate(milliseconds: milliseconds) }
}

actor Index {
    func work(_ milliseconds: Double) { calculate(milliseconds: milliseconds) }
}

let store = Store()
let index = Index()
let isInTurn = CommandLine.arguments.dropFirst(2).first == "in-turn"

enum Step {
    case calculate(Double)
    case sleep(Double)
    case store(Double)
    case index(Double)
    case group([Plan])
    case both(Plan, Plan)
}

struct Plan {
    var steps: [Step] = []

    init(_ random: inout Seeded, depth: Int) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let time = Double.random(in: 0.2..<8, using: &random)
            switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
            case 0, 1: steps.append(.calculate(time))
            case 2: steps.append(.sleep(2 * time))
            case 3: steps.append(.store(time / 2))
            case 4: steps.append(.index(time))
            case 5: steps.append(.both(Plan(&random, depth: depth - 1), Plan(&random, depth: depth - 1)))
            default:
                let count = Int.random(in: 2...6, using: &random)
                steps.append(.group((0..<count).map { _ in Plan(&random, depth: depth - 1) }))
            }
        }
    }

    @inline(never) static func inTurn(_ plans: [Plan]) async {
        for plan in plans { await Task { await plan.run() }.value }
    }

    static func together(_ plans: [Plan]) async {
        await withTaskGroup(of: Void.self) { group in
            for plan in plans { group.addTask { await plan.run() } }
        }
    }

    func run() async {
        for step in steps {
            switch step {
            case .calculate(let time): calculate(milliseconds: time)
            case .sleep(let time): try? await Task.sleep(for: .milliseconds(time))
            case .store(let time): await store.work(time)
            case .index(let time): await index.work(time)
            case .group(let plans):
                if isInTurn { await Self.inTurn(plans) } else { await Self.together(plans) }
            case .both(let first, let second):
                async let left: Void = first.run()
                async let right: Void = second.run()
                _ = await (left, right)
            }
        }
    }
}

@main
enum TaskPlans {
    static func main() async {
        var random = Seeded(state: UInt64(CommandLine.arguments[1]) ?? 0)
        let plans = (0..<4).map { _ in Plan(&random, depth: 2) }
        await Plan.together(plans)
    }
}
