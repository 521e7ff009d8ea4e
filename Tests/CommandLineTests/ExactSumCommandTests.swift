import MapTestSupport
import Testing

@Suite struct ExactSumCommandTests {
  @Test("A sum near the limit of doubles is independent of row order and overflows only past it")
  func sumsNearTheLimit() async throws {
    let folder = try ScratchFolder()
    let sum = ["--statistic", "sum:a", "--format", "json"]
    for rows in [["1e308", "1e308", "-1e308"], ["1e308", "-1e308", "1e308"], ["-1e308", "1e308", "1e308"]] {
      let path = try folder.write((["a"] + rows).joined(separator: "\n") + "\n", to: "sums.csv")
      let run = try await Tool.run(["statistics", path] + sum)
      #expect(run.code == 0, "\(run.out)\(run.err)")
      #expect(run.out.contains(#""SUM_a":1e+308"#), "\(run.out)\(run.err)")
    }
    let path = try folder.write("a\n1e308\n1e308\n", to: "sums.csv")
    let run = try await Tool.run(["statistics", path] + sum)
    #expect(run.code == 2)
    #expect(run.err.contains("the sum of 'a' is beyond the range of doubles"))
  }
}
