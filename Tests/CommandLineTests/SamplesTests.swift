import Foundation
import MapTestSupport
import Testing

/// The samples run offline and print the numbers that other programs find in the same files.
@Suite struct SamplesTests {
  @Test("The samples print the statistics and counts that pandas computes from the same files")
  func runAndTellWhatIsThere() async throws {
    let program = Tool.builtFolder.appendingPathComponent("MapStateSamples")
    let run = try await Tool.run([], program: program)
    #expect(run.code == 0, "\(run)")
    #expect(run.err == "", "\(run)")
    let lines = run.out.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines.filter { $0.hasPrefix("# ") } == [
        "# statistics", "# statistics-100", "# group-and-sort", "# filters", "# cql",
      ])
    // By pandas 2, from the files that replace the services.
    for line in [
      "AVG_POP: 9672534.421052631", "COUNT_POP: 57", "SUM_POP: 551334462.0", "STDDEV_POP: 3969800.3838625634",
      "VAR_POP: 15759315087715.355", "AVG_unemployment_rate: 6.039130434782609", "51 states",
      "populated 1000 feature(s)", "populated 365 feature(s)", "populated 170 feature(s)",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    // A display filter limits the drawn features and not the count.
    #expect(lines.contains("8603 feature(s), 666 drawn"))
    #expect(try await Tool.run([], program: program).out == run.out)
  }
}
