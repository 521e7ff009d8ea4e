import Foundation
import MapTestSupport
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

  /// Writes a folder of two Parquet files with places, in folders named by the half of the alphabet.
  private func table() async throws -> String {
    for (half, clause) in [("first", "CITY_NAME < 'M'"), ("second", "CITY_NAME >= 'M'")] {
      try FileManager.default.createDirectory(
        at: folder.url("cities/half=\(half)"), withIntermediateDirectories: true)
      let path = folder.path("cities/half=\(half)/part.parquet")
      let written = try await Tool.run("query", Tool.cityData, "--where", clause, "-o", path)
      #expect(written.code == 0, "\(written)")
    }
    try folder.write("not data", to: "cities/_SUCCESS")
    return folder.path("cities")
  }

  @Test("A folder and a pattern are one table with the values of the folders, also for steps and documents")
  func severalFiles() async throws {
    let path = try await table()
    let rows = try await Tool.run("count", Tool.cityData).out
    for source in [path, path + "/*/part.parquet", path + "/**/*.parquet", path + "/half=*/par?.parquet"] {
      #expect(try await Tool.run("count", source).out == rows, "\(source)")
    }
    let first = try await Tool.run("count", Tool.cityData, "--where", "CITY_NAME < 'M'").out
    #expect(try await Tool.run("count", path, "--where", "half = 'first'").out == first)
    #expect(try await Tool.run("count", path + "/half=first").out == first)
    let groups = try await Tool.run(
      "statistics", path, "--statistic", "count", "--group-by", "half", "--format", "csv")
    #expect(groups.out.contains("first,\(first)"), "\(groups)")
    let steps = #"{"step":"open","source":"\#(path)"}"# + "\n" + #"{"step":"count"}"#
    #expect(try await Tool.run(["run", "-"], input: steps).code == 0)
    let document = try folder.write(
      #"{"operationalLayers":[{"id":"a","layerType":"ArcGISFeatureLayer","url":"cities"}]}"#, to: "map.json")
    #expect(try await Tool.run("count", document).out.contains(rows.dropLast()))
    let missing = try await Tool.run("count", path + "/*.parquet")
    #expect(missing.code == 2 && missing.err == "error: \(path)/*.parquet: names no file\n", "\(missing)")
    let names = FileManager.default
    try names.createDirectory(at: folder.url("cities/_old"), withIntermediateDirectories: true)
    try names.copyItem(
      at: folder.url("cities/half=first/part.parquet"), to: folder.url("cities/_old/part.parquet"))
    try names.copyItem(
      at: folder.url("cities/half=first/part.parquet"), to: folder.url("cities/.part.parquet"))
    let some = try await Tool.run("count", path)
    #expect(
      some.out == rows
        && some.err.contains(
          ".part.parquet and 1 more are left out, as names that begin with _ or . are; name them to read them"
        ),
      "\(some)")
    #expect(try await Tool.run("count", path + "/_old/part.parquet").out == first)
    let named = try await Tool.run("count", path + "/**/_old/part.parquet")
    #expect(named.out == first && !named.err.contains("_old"), "\(named)")
    try names.moveItem(at: folder.url("cities/_old"), to: folder.url("cities/CITY_NAME=X"))
    let key = try await Tool.run("count", path, "--where", "CITY_NAME = 'X'")
    #expect(
      key.out == "0\n"
        && key.err.contains(
          "field CITY_NAME: its values are those of the files, not those of the folders' names"),
      "\(key)")
    let other = try await Tool.run("count", path + "/_*")
    #expect(other.err.contains("_SUCCESS: is not a Parquet file"), "\(other)")
  }

  @Test("A document reads no file of a folder that leads out of the document's folder")
  func linkedFile() async throws {
    let path = try await table()
    try FileManager.default.createDirectory(at: folder.url("a/data"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/data/x.parquet"), withDestinationPath: path + "/half=first/part.parquet")
    for url in ["data", "data/*.parquet"] {
      let document = try folder.write(
        #"{"operationalLayers":[{"id":"a","layerType":"ArcGISFeatureLayer","url":"\#(url)"}]}"#,
        to: "a/map.json")
      let run = try await Tool.run("count", document)
      #expect(run.code == 2 && run.err.contains("is outside the folder of the document"), "\(run)")
    }
  }

  @Test("Shares of the row groups have the answers of the whole table")
  func shares() async throws {
    let path = try await table()
    let question = try folder.write(
      #"{"count": {"where": "POP > 100000"}, "statistics": {"statistic": ["count", "sum:POP"], "groupBy": "half"}}"#,
      to: "q.json")
    func answer(_ shares: Int) async throws -> String {
      var states: [String] = []
      for index in 0..<shares {
        states.append(folder.path("\(shares)-\(index).state"))
        let run = try await Tool.run(
          "partial", path, "--question", question, "--ordinal", "\(index)", "--of", "\(shares)", "-o",
          states[index])
        #expect(run.code == 0 && run.err.isEmpty, "\(run)")
      }
      return try await Tool.run(["merge", "--expect-partitions", "\(shares)"] + states).out
    }
    let one = try await answer(1)
    #expect(one.contains("first"))
    #expect(try await answer(2) == one)
    let beyond = try await Tool.run(
      "partial", path, "--question", question, "--ordinal", "2", "--of", "2", "-o", folder.path("x"))
    #expect(beyond.code == 64, "\(beyond)")
  }

  @Test("inspect describes the storage, and --explain prints what was read")
  func storage() async throws {
    let path = file("pages")
    let inspected = try await Tool.run("inspect", path)
    #expect(
      inspected.out.contains(
        "  storage     Parquet by parquet-cpp-arrow version 26.0.1, 2 row groups of 192 rows\n")
        && inspected.out.contains("  column      s  utf8, plain + RLE + dictionary, Zstandard, "),
      "\(inspected)")
    let json = try await Tool.run("inspect", path, "--format", "json")
    #expect(json.out.contains(#""rowGroups""#), "\(json)")
    let explained = try await Tool.run("count", path, "--where", "n = 100", "--explain")
    #expect(
      explained.out == "1\n" && explained.err.contains("\(path): read 2 of 2 row groups, ")
        && explained.err.contains(" of 8 columns, "), "\(explained)")
  }

  @Test("A damaged Parquet file is an error that names the file and the fault")
  func damagedFile() async throws {
    let path = try folder.write("PAR1\0\0", to: "a.parquet")
    let run = try await Tool.run("count", path)
    #expect(run.code == 2 && run.err == "error: \(path): ends before its footer\n", "\(run)")
  }
}
