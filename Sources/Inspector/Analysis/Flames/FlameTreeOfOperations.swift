import InspectorColumns

extension FlameTree {
    /// Which operations a tree is of.
    package enum Scope: Hashable, Sendable {
        /// All, with a node for each kind below the root.
        case all
        /// Those of a kind, by its number in `Trace.kinds`.
        case kind(Int)
        /// One, by its index.
        case operation(Int)
        /// Several, by their indices, and what they are called together.
        case operations(Set<Int>, name: String)
    }

    /// The tree of what some operations calculated, or of what blocked them, and for each sample its node: -1
    /// if the sample is not in the tree.
    ///
    /// Cost: linear in samples and in the nodes of their stacks.
    package static func of(
        _ profile: StackProfile, _ scope: Scope = .all, isBlocked: Bool = false
    ) -> (tree: FlameTree, nodeOfSample: [Int32]) {
        var growth = Growth(profile, scope, isBlocked: isBlocked)
        let drafts = profile.attributed.map { growth.add($0) }
        if !isBlocked { growth.addKernel() }
        let isTime = isBlocked ? profile.hasBlockedTimes : profile.period != nil
        let tree = FlameTree(growth.builder, isTime: isTime)
        return (tree, drafts.map { $0 < 0 ? -1 : tree.places[Int($0)] })
    }

    private struct Growth {
        /// A stack below a group. The same stack ends elsewhere if its operation is nested.
        private struct Stack: Hashable {
            let group: Int32
            let node: Int32
            let isNested: Bool
        }

        private let profile: StackProfile
        private let scope: Scope
        private let isBlocked: Bool
        private let kinds: [Int32]
        private let trimming: StackTrimming
        /// The labels of frames, -1 for those that no stack had yet.
        private var labels: [Int32]
        private var known: [Stack: (node: Int32, place: StackTrimming.Place)] = [:]
        private var groups: [Int32: Int32] = [:]
        /// For each kind, the time of its samples.
        private var sampled: [Int32: Int64] = [:]
        var builder: FlameTreeBuilder

        init(_ profile: StackProfile, _ scope: Scope, isBlocked: Bool) {
            self.profile = profile
            self.scope = scope
            self.isBlocked = isBlocked
            kinds = profile.timings.trace.operations.store.columns.kinds
            trimming = StackTrimming(profile.samples.frames)
            labels = Array(repeating: -1, count: profile.samples.frames.count)
            let trace = profile.timings.trace
            let name =
                switch scope {
                case .all: "all operations"
                case .kind(let kind): trace.kinds.indices.contains(kind) ? trace.kinds[kind] : "?"
                case .operation(let index):
                    trace.operations.indices.contains(index) ? trace.operations[index].displayName : "?"
                case .operations(_, let name): name
                }
            builder = FlameTreeBuilder(root: Label(role: .group, name: name, module: nil))
        }

        /// The node of a sample, -1 if it is not in the tree.
        mutating func add(_ sample: StackProfile.Attributed) -> Int32 {
            guard sample.isBlocked == isBlocked, let operation = sample.operation, isInScope(Int(operation))
            else { return -1 }
            let group = group(key(of: Int(operation)))
            let end = node(of: Stack(group: group, node: sample.stack, isNested: sample.isNested))
            var node = end.node
            if !end.place.isBody {
                // Foundation's or libdispatch's own work.
                node = builder.child(
                    of: group, label(ofFrame: profile.samples.nodes[Int(sample.stack)].frame))
            }
            if sample.isInKernel { node = builder.child(of: node, builder.number(.kernel)) }
            builder.add(sample.weight, to: node)
            let kind = key(of: Int(operation))
            sampled[kind, default: 0] = sampled[kind, default: 0].saturatingAdd(sample.weight)
            return node
        }

        private func isInScope(_ operation: Int) -> Bool {
            switch scope {
            case .all: true
            case .kind(let kind): Int(kinds[operation]) == kind
            case .operation(let index): operation == index
            case .operations(let indices, _): indices.contains(operation)
            }
        }

        /// The operation's kind; -1 if the tree has no node for each kind.
        private func key(of operation: Int) -> Int32 { scope == .all ? kinds[operation] : -1 }

        private mutating func group(_ kind: Int32) -> Int32 {
            if kind < 0 { return 0 }
            if let known = groups[kind] { return known }
            let name = profile.timings.trace.kinds[Int(kind)]
            let group = builder.child(
                of: 0, builder.number(Label(role: .group, name: name, module: nil)))
            groups[kind] = group
            return group
        }

        /// Follows a stack to a part that is known, and makes the rest.
        private mutating func node(of stack: Stack) -> (node: Int32, place: StackTrimming.Place) {
            let nodes = profile.samples.nodes
            var path: [Int32] = []
            var current = stack.node
            var result = (node: stack.group, place: StackTrimming.Place.thread)
            while current >= 0 {
                if let found = known[Stack(group: stack.group, node: current, isNested: stack.isNested)] {
                    result = found
                    break
                }
                path.append(current)
                current = nodes[Int(current)].parent
            }
            for index in path.reversed() {
                let frame = nodes[Int(index)].frame
                result.place = trimming.place(
                    after: result.place, frame: frame, isNested: stack.isNested)
                if !result.place.isBody {
                    result.node = stack.group
                } else if !trimming.isOfRecorder(frame) {
                    result.node = builder.child(of: result.node, label(ofFrame: frame))
                }
                known[Stack(group: stack.group, node: index, isNested: stack.isNested)] = result
            }
            return result
        }

        private mutating func label(ofFrame frame: Int32) -> Int32 {
            if labels[Int(frame)] < 0 {
                let named = profile.samples.frames[Int(frame)]
                let module = String(named.libraryName)
                labels[Int(frame)] = builder.number(
                    Label(role: .function, name: named.function, module: module.isEmpty ? nil : module))
            }
            return labels[Int(frame)]
        }

        /// Adds the time on processors that samples do not cover, where it is more than chance explains, and
        /// the kernel was not sampled.
        mutating func addKernel() {
            guard let onCPU = profile.ownOnCPU, let period = profile.period,
                !profile.attributed.contains(where: \.isInKernel)
            else { return }
            var sums: [Int32: (time: Int64, bodies: Int)] = [:]
            for operation in onCPU.indices where onCPU[operation] > 0 && isInScope(operation) {
                let kind = key(of: operation)
                let sum = sums[kind] ?? (0, 0)
                sums[kind] = (sum.time.saturatingAdd(onCPU[operation]), sum.bodies + 1)
            }
            for (kind, sum) in sums.sorted(by: { $0.key < $1.key }) {
                let rest = sum.time - (sampled[kind] ?? 0)
                // A body of any length contains one sample more or less by chance: a variance of at most a
                // quarter. Less than two standard deviations prove nothing.
                guard Double(rest) >= Double(period) * max(1, Double(sum.bodies).squareRoot()) else {
                    continue
                }
                builder.add(rest, to: builder.child(of: group(kind), builder.number(.kernel)))
            }
        }
    }
}
