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

extension Workload {
  fileprivate static let all = pictures + numbers + manyMaps + [loading, encoding, expressions, vectorTiles]
  fileprivate static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}
