import Inspector

let trace = try TraceReader(path: "import.json").read()
print("\(trace.header.process): operations \(trace.operations.count), edges \(trace.edges.count)")
for loss in trace.losses { print("missing: \(loss)") }
