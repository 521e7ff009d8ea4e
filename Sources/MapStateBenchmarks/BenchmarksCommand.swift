import ArgumentParser
import MapState

/// Times the work that users wait for, on files of `Scripts/benchmark`, and checks the answers.
@main struct BenchmarksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "MapStateBenchmarks",
    abstract: "Times workloads by name and checks their answers; Scripts/benchmark makes the data.")

  @Option(help: "The folder with the data.") var data: String
  @Option(help: "How often each is run after one run to warm up.") var runs = 5
  @Option(help: "How many threads paint and count.") var threads = 2
  @Option(help: "Where pictures are written; none by default.") var pictures: String?
  @Argument(help: "R1, R1b, R2, R3, R4, C1, C2, C3, S1, L1 or P1.") var workloads: [String]

  func validate() throws {
    for name in workloads where Workload.named(name) == nil {
      throw ValidationError(
        "there is no workload \(name); there are \(Workload.all.map(\.name).joined(separator: ", "))")
    }
    guard runs >= 1, threads >= 1 else { throw ValidationError("--runs and --threads are at least 1.") }
  }

  func run() async throws {
    // As the tool does.
    FreedMemory.keepForReuse()
    let setting = BenchmarkSetting(folder: data, runs: runs, threads: threads, pictures: pictures)
    for workload in workloads.compactMap(Workload.named) {
      for line in try await workload.run(setting) { print(line.json.text()) }
    }
  }
}

/// One piece of work.
struct Workload: Sendable {
  let name: String
  let run: @Sendable (BenchmarkSetting) async throws -> [Timing]

  static let all = pictures + numbers + [loading, encoding]
  static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

/// What a run is given.
struct BenchmarkSetting: Sendable {
  let folder: String
  let runs: Int
  let threads: Int
  let pictures: String?

  /// Times a body: one run to warm up, then the runs that count.
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

/// The times of one workload, in milliseconds, with what explains them.
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

/// An answer that is not the one known to be right.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}
