import ArgumentParser
import MapState
import MapSystem

/// The command that times the work that users wait for, on files made by `Scripts/benchmark`.
@main struct BenchmarksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "MapStateBenchmarks",
    abstract: "Times workloads by name; Scripts/benchmark makes the data.")

  @Option(help: "Folder with the data.") var data: String
  @Option(help: "Timed runs of each workload after one warm-up run.") var runs = 5
  @Option(help: "Threads for painting and counting.") var threads = 2
  @Option(help: "Folder for images; none by default.") var pictures: String?
  @Argument(help: "Workloads: R1, R1b, R2, R2b, R3, R4, C1, C2, C3, S1, L1, M1, M2, P1, A1 or V1.")
  var workloads: [String]

  func validate() throws {
    for name in workloads where Workload.named(name) == nil {
      throw ValidationError(
        "no workload named \"\(name)\"; available: \(Workload.all.map(\.name).joined(separator: ", "))")
    }
    guard runs >= 1, threads >= 1 else { throw ValidationError("--runs and --threads must be at least 1.") }
  }

  func run() async throws {
    // The tool does the same.
    FreedMemory.keepForReuse()
    let setting = BenchmarkSetting(folder: data, runs: runs, threads: threads, pictures: pictures)
    for workload in workloads.compactMap(Workload.named) {
      for line in try await workload.run(setting) { print(line.json.text()) }
    }
  }
}

/// A workload: a name and the work to time.
struct Workload: Sendable {
  let name: String
  let run: @Sendable (BenchmarkSetting) async throws -> [Timing]

  static let all = pictures + numbers + manyMaps + [loading, encoding, expressions, vectorTiles]
  static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
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
