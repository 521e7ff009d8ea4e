import Glibc

/// The five samples of the ArcGIS Maps SDK that this project's types follow, without a display and offline.
///
/// Each sample builds its model, does what its view would do, and prints what its view would show.
@main
struct MapStateSamples {
  private static let samples: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("statistics", QueryTableStatistics.run), ("statistics-100", StatisticalQuery.run),
    ("group-and-sort", GroupAndSort.run), ("filters", DefinitionOrDisplayFilter.run),
    ("cql", QueryWithCQL.run),
  ]

  static func main() async throws {
    let asked = CommandLine.arguments.dropFirst()
    if let unknown = asked.first(where: { name in !samples.contains { $0.name == name } }) {
      print("no sample named \"\(unknown)\"; available: \(samples.map(\.name).joined(separator: ", "))")
      exit(64)
    }
    for sample in samples where asked.isEmpty || asked.contains(sample.name) {
      print("# \(sample.name)")
      try await sample.run()
      print("")
    }
  }
}
