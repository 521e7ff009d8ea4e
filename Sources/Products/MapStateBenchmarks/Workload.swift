import MapState

/// A workload: a name and the work to time.
struct Workload: Sendable {
  let name: String
  let run: @Sendable (BenchmarkSetting) async throws -> [Timing]
}

/// The settings of a run.
struct BenchmarkSetting: Sendable {
  let folder: String
  let runs: Int
  let threads: Int
  let pictures: String?

  /// Times a body in milliseconds: one warm-up run, then the runs that count.
  func time(_ body: () async throws -> Void) async throws -> [Double] {
    try await body()
    var times: [Double] = []
    for _ in 0..<runs {
      let start = ContinuousClock.now
      try await body()
      times.append(start.duration(to: .now) / .milliseconds(1))
    }
    return times
  }
}

/// The times of one workload in milliseconds, with the facts that explain them.
struct Timing {
  let workload: String
  let what: String
  let times: [Double]
  var facts: [(String, JSONValue)] = []

  var json: JSONValue {
    let sorted = times.sorted()
    var object: JSONObject = ["peer": "mapstate", "wl": .string(workload), "what": .string(what)]
    object["min"] = .number(sorted.first ?? 0)
    object["med"] = .number(sorted[sorted.count / 2])
    object["max"] = .number(sorted.last ?? 0)
    for (name, value) in facts { object[name] = value }
    return .object(object)
  }
}

/// An error for an answer that differs from the known one.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}
