import Foundation
import Testing

/// Parquet files read by the tool.
@Suite struct ParquetCommandTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Returns the path of a file of `Cases/make_parquet.py`.
  private func file(_ name: String) -> String {
    Tool.project.appending(path: "Tests/MapFeaturesTests/Cases/Parquet/\(name).parquet").path
  }

  @Test("A Parquet file is counted, queried, inspected and rendered under any name")
  func commands() async throws {
    let copy = folder.path("polygons.csv")
    try FileManager.default.copyItem(atPath: file("001-geopandas"), toPath: copy)
    for path in [file("001-geopandas"), copy] {
      #expect(try await Tool.run("count", path).out == "3\n")
      #expect(try await Tool.run("count", path, "--where", "n > 0").out == "2\n")
      let inspected = try await Tool.run("inspect", path)
      #expect(
        inspected.out.contains("EPSG:2056") && inspected.out.contains("polygon, 3 features"), "\(inspected)")
      let rendered = try await Tool.run("render", path, "-o", folder.path("map.png"))
      #expect(rendered.code == 0, "\(rendered)")
      let rows = try await Tool.run("query", path, "--out-fields", "s", "--format", "csv")
      #expect(rows.code == 0 && rows.out.contains("prefix/of/a/path/1"), "\(rows)")
    }
  }

  @Test("Steps, states of partitions and standard input read Parquet files")
  func otherWays() async throws {
    let path = file("018-column")
    let rows = try await Tool.run("count", path).out
    let steps = #"{"step":"open","source":"\#(path)"}"# + "\n" + #"{"step":"count"}"#
    let run = try await Tool.run(["run", "-"], input: steps)
    #expect(run.code == 0, "\(run)")
    let question = try folder.write(#"{"count": {}}"#, to: "q.json")
    let state = folder.path("a.state")
    let partial = try await Tool.run("partial", path, "--question", question, "--ordinal", "0", "-o", state)
    #expect(partial.code == 0, "\(partial)")
    let merged = try await Tool.run("merge", "--expect-partitions", "1", state)
    #expect(merged.out == rows, "\(merged)")
    let piped = try await Tool.run(
      ["-c", "'\(Tool.builtFolder.path)/mapstate' count - < '\(path)'"],
      program: URL(fileURLWithPath: "/bin/bash"))
    #expect(piped.out == rows, "\(piped)")
  }

  @Test("Features written as a Parquet file are read as the same, in the spatial reference of the data")
  func writing() async throws {
    for (source, name, wkid) in [
      (Tool.cityData, "CITY_NAME", nil), (Tool.riverData, "NAME", nil), (Tool.cityData, "CITY_NAME", "2056"),
    ] {
      let options = wkid.map { ["--out-wkid", $0] } ?? []
      let fields = ["--order-by", name]
      let original = try await Tool.run(["query", source, "--format", "csv"] + options + fields)
      let path = folder.path("a.parquet")
      let written = try await Tool.run(["query", source, "-o", path] + options + fields)
      #expect(written.code == 0 && written.err == original.err, "\(written)")
      let again = try await Tool.run(["query", path, "--format", "csv", "--strict"] + options)
      // The ids are those of the rows in the file.
      func values(_ run: Tool.Run) -> [Substring] {
        run.out.split(separator: "\n").map { $0.drop { $0 != "," } }
      }
      #expect(values(again) == values(original) && again.code == 0, "\(again.err)")
    }
    let inspected = try await Tool.run("inspect", folder.path("a.parquet"))
    #expect(inspected.out.contains("EPSG:2056"), "\(inspected)")
  }

  @Test("A damaged Parquet file is an error that names the file and the fault")
  func damagedFile() async throws {
    let path = try folder.write("PAR1\0\0", to: "a.parquet")
    let run = try await Tool.run("count", path)
    #expect(run.code == 2 && run.err == "error: \(path): ends before its footer\n", "\(run)")
  }
}
