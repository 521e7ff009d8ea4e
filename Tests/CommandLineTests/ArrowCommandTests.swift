import Foundation
import MapTestSupport
import Testing

/// Arrow data written and read by the tool: files, streams and pipes.
@Suite struct ArrowCommandTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: String...) async throws -> Tool.Run {
    try await Tool.run(words, folder: folder.root)
  }

  /// Runs a line of the shell with the tool in its path.
  private func shell(_ line: String) async throws -> Tool.Run {
    try await Tool.run(
      ["-c", "set -o pipefail; PATH=\"\(Tool.builtFolder.path):$PATH\"; \(line)"], folder: folder.root,
      program: URL(fileURLWithPath: "/bin/bash"))
  }

  @Test("Features written as an Arrow file are read as the same features, under any name")
  func files() async throws {
    for source in [Tool.cityData, Tool.riverData] {
      let original = try await run("query", source, "--format", "csv")
      #expect(try await run("query", source, "-o", "a.arrow").code == 0)
      #expect(try await run("query", source, "-o", "b.arrow", "--format", "arrow").code == 0)
      #expect(try Data(contentsOf: folder.url("a.arrow")) == Data(contentsOf: folder.url("b.arrow")))
      let again = try await run("query", "a.arrow", "--format", "csv", "--strict")
      #expect(again.out == original.out && again.code == 0, "\(again.err)")
      for name in ["a.csv", "a.json", "a"] {
        try? FileManager.default.removeItem(at: folder.url(name))
        try FileManager.default.copyItem(at: folder.url("a.arrow"), to: folder.url(name))
        #expect(try await run("query", name, "--format", "csv").out == original.out, "\(name)")
      }
    }
  }

  @Test("A stream is read from a pipe, a gzip file and a file, and keeps the spatial reference")
  func streams() async throws {
    let count = try await run("count", Tool.cityData, "--where", "POP > 1000000")
    let piped = try await shell(
      "mapstate query '\(Tool.cityData)' --where 'POP > 1000000' --format arrow | tee s.arrows | mapstate count -"
    )
    #expect(piped.out == count.out && piped.code == 0, "\(piped)")
    #expect(try await shell("gzip -k s.arrows; mapstate count s.arrows.gz").out == count.out)
    #expect(try await shell("mapstate query s.arrows -o t.arrows; cmp s.arrows t.arrows").code == 0)
    let projected = try await shell(
      "mapstate query s.arrows --out-wkid 3857 --format arrow | mapstate inspect - --format json")
    #expect(projected.out.contains("3857"), "\(projected)")
    let cut = try await shell("head -c 20000 s.arrows | mapstate count -")
    #expect(cut.code == 2 && cut.err.contains("ends in the middle of a message, after 0 rows"), "\(cut)")
  }

  @Test("Fields of coordinates are named by options for Arrow data, as for other tables")
  func namedCoordinates() async throws {
    try folder.write("e,n,t\n500000,5600000,a\n,,b\n", to: "p.csv")
    #expect(try await run("query", "p.csv", "-o", "p.arrow").code == 0)
    let named = try await run(
      "count", "p.arrow", "--x", "e", "--y", "N", "--source-reference", "32632", "--bounds", "8.9,50,9.1,51")
    #expect(named.out == "1\n" && named.err == "", "\(named)")
    let misspelt = try await run("count", "p.arrow", "--x", "ee", "--y", "n")
    #expect(
      misspelt.code == 2 && misspelt.err.contains(#"no field named "ee"; did you mean "e"?"#), "\(misspelt)")
  }

  @Test("A format that contradicts the ending, or cannot hold the answer, is refused")
  func contradictions() async throws {
    #expect(try await run("query", Tool.cityData, "--format", "arrow", "-o", "x.csv").code == 64)
    #expect(try await run("query", Tool.cityData, "--format", "csv", "-o", "x.arrow").code == 64)
    #expect(try await run("query", Tool.cityData, "--format", "arrow", "--ids").code == 64)
    #expect(try await run("query", Tool.cityData, "-o", "x.feather").err.contains(".arrow .arrows .parquet"))
  }
}
