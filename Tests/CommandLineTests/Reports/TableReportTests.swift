import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Tables as people send them: CSV with other signs, dates as Esri writes them, and answers that a service cut.
@Suite("Reports: tables")
struct TableReportTests {
  private static let cases = Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases")

  private static func run(_ folder: String, _ arguments: String...) async throws -> Tool.Run {
    try await Tool.run(arguments, folder: cases.appendingPathComponent(folder))
  }

  private static let guess =
    "no spatial reference is given: coordinates were read as Web Mercator (3857); name another with --source-reference"

  // MARK: CSV

  @Test("Values beyond degrees in columns x and y cause the warning of a shapefile without .prj")
  func metresInXAndY() async throws {
    let folder = try ScratchFolder()
    let render = try await Self.run(
      "people", "render", "utmxy.csv", "-o", folder.url("a.png").path, "--strict")
    #expect(render.code == 1, "\(render)")
    #expect(render.err.contains(Self.guess), "\(render)")
    let known = try await Self.run(
      "people", "count", "utmxy.csv", "--source-reference", "25832", "--bounds", "11,48,12,49", "--strict")
    #expect(known.out == "1\n" && known.code == 0, "\(known)")
    for words in [["inspect", "lam.csv"], ["count", "lam.csv", "--bounds", "0,43,5,47"]] {
      let run = try await Tool.run(
        words, folder: Self.cases.appendingPathComponent("10-csv-xy-metres-silent"))
      #expect((run.out + run.err).contains(Self.guess), "\(run)")
    }
    let lambert = try await Self.run(
      "10-csv-xy-metres-silent", "count", "lam.csv", "--bounds", "0,43,5,47", "--source-reference", "2154")
    #expect(lambert.out == "2\n" && lambert.err == "", "\(lambert)")
  }

  @Test("Decimal commas between semicolons are read, with one warning that --decimal makes silent")
  func decimalCommas() async throws {
    let rows = try await Self.run(
      "people", "query", "dez.csv", "--out-fields", "Station,Wert", "--format", "csv")
    #expect(rows.out.contains("München,12.5,11.5755,48.1374"), "\(rows)")
    #expect(rows.out.contains("Augsburg,1234.5,10.8978,48.3705"), "\(rows)")
    #expect(rows.err.contains("fields Länge, Breite: numbers with a decimal comma were read"), "\(rows)")
    let named = ["--x", "Länge", "--y", "Breite", "--decimal", ",", "--strict", "--bounds", "11,48,12,49"]
    for (file, more) in [("dez.csv", []), ("dez1252.csv", ["--encoding", "windows-1252"])] {
      let count = try await Tool.run(
        ["count", file] + named + more, folder: Self.cases.appendingPathComponent("people"))
      #expect(count.out == "1\n" && count.code == 0, "\(count)")
    }
    let undecoded = try await Self.run("people", "count", "dez1252.csv")
    #expect(undecoded.code == 2 && undecoded.err.contains("--encoding windows-1252"), "\(undecoded)")
    let classes = try await Self.run(
      "people", "count", "dez4.csv", "--everywhere", "--color-by", "Wert", "--by-class", "--format", "json")
    // Of 1.5, 3.25 and 12.5.
    for label in ["1.5–2.2", "2.3–5.1", "5.2–12.5"] {
      #expect(classes.out.contains("\"label\":\"\(label)\",\"count\":1"), "\(classes)")
    }
    #expect(classes.err.contains("field Wert: numbers with a decimal comma were read"), "\(classes)")
  }

  @Test("The first line that Excel writes and angles in degrees, minutes and seconds are read")
  func excelAndAngles() async throws {
    let excel = try await Self.run("people", "count", "sep.csv", "--bounds", "11,48,12,49")
    #expect(excel.out == "1\n", "\(excel)")
    let angles = try await Self.run("people", "query", "dms.csv", "--extent-only", "--strict")
    #expect(angles.code == 0, "\(angles)")
    #expect(angles.out.contains("10.89777777") && angles.out.contains("48.1375"), "\(angles)")
  }

  @Test("Columns of an unknown plane are named in the warning, and placed with a stated spatial reference")
  func likelyColumns() async throws {
    let folder = try ScratchFolder()
    let render = try await Self.run("people", "render", "gk.csv", "-o", folder.url("a.png").path)
    let warning = render.err.split(separator: "\n").first { $0.contains("Rechtswert, Hochwert") } ?? ""
    #expect(
      warning.contains("--x") && warning.contains("--y") && warning.contains("--source-reference"),
      "\(render)")
    let placed = try await Self.run(
      "people", "count", "gk.csv", "--source-reference", "31468", "--bounds", "11.5,48,11.6,48.2", "--strict")
    #expect(placed.out == "1\n" && placed.code == 0, "\(placed)")
  }

  @Test("Delimiter and decimal sign are options, fields of steps, and errors for sources that are no CSV")
  func dialectOptions() async throws {
    let folder = try ScratchFolder()
    try folder.write("n|x|y\n1|1,5|2,5\n2|3|4\n", to: "p.txt")
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":null}]}"#,
      to: "p.geojson")
    try folder.write(
      """
      {"operationalLayers":[{"id":"a","title":"A","layerType":"GeoJSON","url":"p.geojson"},
      {"id":"b","title":"B","layerType":"CSV","url":"p.txt"}]}
      """, to: "map.json")
    let count = try await Tool.run(
      "count", "p.txt", "--delimiter", "|", "--decimal", ",", "--bounds", "1,2,2,3", "--strict",
      folder: folder.root)
    #expect(count.out == "1\n" && count.code == 0, "\(count)")
    let steps = try await Tool.run(
      ["run", "-"],
      input: """
        {"step": "open", "source": "p.txt", "delimiter": "|", "decimal": ","}
        {"step": "count", "everywhere": true, "where": "x = 1.5", "expect": 1}
        """, folder: folder.root)
    #expect(steps.code == 0, "\(steps)")
    for option in [["--delimiter", "|"], ["--decimal", ","]] {
      let refused = try await Tool.run(["count", "p.geojson"] + option, folder: folder.root)
      #expect(refused.code == 64 && refused.err.contains("\(option[0]) has no use"), "\(refused)")
    }
    let document = try await Tool.run(
      "count", "map.json", "--everywhere", "--delimiter", "|", "--decimal", ",", folder: folder.root)
    #expect(document.code == 0 && document.err.contains("--delimiter is not applied"), "\(document)")
    let piped = try await Tool.run(
      ["count", "-", "--delimiter", "|", "--everywhere"], input: "n|x\n1|2\n", folder: folder.root)
    #expect(piped.out == "1\n", "\(piped)")
    let unknown = try await Tool.run(
      ["count", "-", "--everywhere"], input: "n|x\n1|2\n", folder: folder.root)
    #expect(unknown.code == 2 && unknown.err.contains("write --delimiter \"|\""), "\(unknown)")
    let undivided = try await Tool.run("count", "p.txt", "--everywhere", folder: folder.root)
    #expect(undivided.err.contains("--delimiter \"|\" divides it into 3"), "\(undivided)")
    for words in [["--delimiter", "ab"], ["--delimiter", "1"], ["--decimal", "x"]] {
      #expect(try await Tool.run(["count", "p.txt"] + words, folder: folder.root).code == 64)
    }
  }

  // MARK: Dates

  /// The literals of the report and of the same kind, with the count of `seen >=` each.
  private static let literals: [(literal: String, count: Int)] = [
    ("date '2024-04-01 00:00:00'", 2), ("DATE '2024-04-01'", 2), ("TIMESTAMP '2024-03-31 01:00'", 3),
    ("TIMESTAMP '2024-4-1 00:00:00'", 2), ("TIMESTAMP '2024-04-01 00:00:00+02:00'", 2),
    ("TIMESTAMP '2024-04-01T00:00:00Z'", 2), ("timestamp '2024-04-01 02:30 +0200'", 1),
    ("TIMESTAMP '2024-03-31 00:30:00-01'", 3), ("TIMESTAMP '2024-04-01'", 2),
    ("TIMESTAMP '2024-04-01 00:00:00.2500001'", 2), ("DATE '2024-3-31 0:30:00'", 4),
  ]

  @Test("Filters and definition expressions read dates as Esri writes them")
  func dateLiterals() async throws {
    let folder = try ScratchFolder()
    let data = Self.cases.appendingPathComponent("15-esri-date-literal/obs.geojson")
    try FileManager.default.copyItem(at: data, to: folder.url("obs.geojson"))
    for (literal, expected) in Self.literals {
      let filtered = try await Tool.run(
        "count", "obs.geojson", "--everywhere", "--where", "seen >= \(literal)", folder: folder.root)
      #expect(filtered.out == "\(expected)\n", "\(literal) \(filtered)")
      let expression = "seen >= \(literal)"
      try folder.write(
        """
        {"operationalLayers":[{"id":"a","title":"A","layerType":"GeoJSON","url":"obs.geojson",
        "layerDefinition":{"definitionExpression":"\(expression)"}}]}
        """, to: "map.json")
      let defined = try await Tool.run("count", "map.json", "--everywhere", folder: folder.root)
      #expect(defined.out.hasSuffix("\(expected)\n"), "\(literal) \(defined)")
    }
    #expect(Self.literals.count == 11)
    for literal in [
      "DATE '2024-13-01'", "TIMESTAMP '2024-04-01 24:00'", "DATE '1/4/2024'", "DATE '2024-04-01 1'",
    ] {
      let refused = try await Tool.run(
        "count", "obs.geojson", "--everywhere", "--where", "seen >= \(literal)", folder: folder.root)
      #expect(refused.code == 2 && refused.err.contains("is not a valid date"), "\(literal) \(refused)")
    }
  }

  @Test("Other languages get a literal that they understand, in UTC")
  func writtenLiterals() async throws {
    let sql = try await Tool.run("filter", "seen >= date '2024-4-1 2:00 +02:00'", "--to", "sql")
    #expect(sql.out == "seen >= TIMESTAMP '2024-04-01 00:00:00'\n", "\(sql)")
    let cql2 = try await Tool.run("filter", "seen >= date '2024-4-1 2:00 +02:00'", "--to", "cql2-text")
    #expect(cql2.out == "seen >= TIMESTAMP('2024-04-01T00:00:00Z')\n", "\(cql2)")
  }

  @Test("Options of time read the dates of filters")
  func timeOptions() async throws {
    let folder = Self.cases.appendingPathComponent("15-esri-date-literal")
    for (time, expected) in [
      ("2024-4-1/..", 2), ("2024-04-01 00:00/..", 2), ("2024-03-31T01:00/2024-4-1", 3),
      ("2024-04-01T00:00:00+02:00/..", 2),
    ] {
      let run = try await Tool.run("count", "obs.geojson", "--everywhere", "--time", time, folder: folder)
      #expect(run.out == "\(expected)\n", "\(time) \(run)")
    }
    let now = try await Tool.run(
      "count", "obs.geojson", "--everywhere", "--where", "seen >= CURRENT_TIMESTAMP", "--now",
      "2024-4-1 0:00",
      folder: folder)
    #expect(now.out == "2\n", "\(now)")
  }

  @Test(
    "Times finer than a microsecond are cut in every format, with one warning",
    arguments: ["ns.csv", "ns.geojson", "ns-esri.json"])
  func fineTimes(file: String) async throws {
    let run = try await Self.run(
      "numbers", "count", file, "--where", "EXTRACT(YEAR FROM t) = 2024", "--everywhere")
    #expect(run.out == "1\n", "\(run)")
    #expect(run.err.split(separator: "\n").count == 1, "\(run)")
    #expect(run.err.contains("field t: 1 timestamp was rounded down to microseconds"), "\(run)")
  }

  // MARK: Partial answers

  @Test("A feature set that a service cut is reported, in a file, in a collection and in a document")
  func cutAnswers() async throws {
    let folder = try ScratchFolder()
    let file = Self.cases.appendingPathComponent("people/fsx.json")
    let set = try String(contentsOf: file, encoding: .utf8)
    let whole = set.replacing(#""exceededTransferLimit":true,"#, with: "")
    try folder.write(set, to: "set.json")
    let layer = { (set: String, mark: String) in
      #"{"layers":[{\#(mark)"layerDefinition":{"geometryType":"esriGeometryPoint"},"featureSet":\#(set)}]}"#
    }
    let mark = #""exceededTransferLimit":true,"#
    try folder.write(layer(set, ""), to: "collection.json")
    try folder.write(layer(whole, mark), to: "beside.json")
    try folder.write("{\(mark)" + layer(whole, "").dropFirst(), to: "around.json")
    try folder.write(
      #"{"operationalLayers":[{"id":"a","title":"A","featureCollection":\#(layer(set, ""))}]}"#,
      to: "map.json")
    for name in ["set.json", "collection.json", "beside.json", "around.json", "map.json"] {
      for command in [["count", name, "--everywhere"], ["query", name]] {
        let run = try await Tool.run(command + ["--strict"], folder: folder.root)
        #expect(run.code == 1, "\(command) \(run)")
        let warnings = run.err.split(separator: "\n").filter { $0.contains("some features are missing") }
        #expect(warnings.count == 1, "\(command) \(run)")
      }
    }
    try folder.write(layer(whole, ""), to: "whole.json")
    #expect(
      try await Tool.run("count", "whole.json", "--everywhere", "--strict", folder: folder.root).code == 0)
  }

  // MARK: Spatial references

  #if Geospatial
    /// Transverse Mercator with a false easting that no registered spatial reference has.
    private static let unregistered =
      #"PROJCS["Own",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],"#
      + #"PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],"#
      + #"PARAMETER["False_Easting",123456.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],"#
      + #"PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#

    @Test("A feature set with well-known text alone is placed, and a stated spatial reference replaces it")
    func wellKnownText() async throws {
      for options in [
        [], ["--source-reference", "103079"], ["--source-reference", "ESRI:103079"],
        ["--source-reference", "esri:103079"],
      ] {
        let run = try await Tool.run(
          ["query", "emich.json", "--format", "csv"] + options,
          folder: Self.cases.appendingPathComponent("12-wkt-spatial-reference"))
        let place = run.out.split(separator: "\n").last?.split(separator: ",").compactMap { Double($0) } ?? []
        try #require(place.count == 3, "\(options) \(run)")
        #expect(abs(place[1] + 84.36667) < 1e-5 && abs(place[2] - 42.87202) < 1e-5, "\(options) \(run)")
      }
    }

    @Test(
      "Spatial references are written as numbers, codes and well-known text, in files, options and documents")
    func spellings() async throws {
      let folder = try ScratchFolder()
      let utm =
        #"PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989","#
        + #"SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],"#
        + #"PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],"#
        + #"PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],"#
        + #"UNIT["Meter",1.0]]"#
      let quoted = utm.replacing("\"", with: "\\\"")
      let point = #""geometry":{"x":500000,"y":5500000}"#
      let set =
        #"{"geometryType":"esriGeometryPoint","spatialReference":{"wkt":"\#(quoted)"},"fields":[],"#
        + #""features":[{"attributes":{},\#(point)}]}"#
      try folder.write(set, to: "set.json")
      try folder.write(
        #"{"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":"#
          + #"{"geometryType":"esriGeometryPoint"},"featureSet":\#(set)}]}}]}"#, to: "map.json")
      let feature =
        #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[500000,5500000]}}"#
      for (name, crs) in [("name", #""name""#), ("wkt", #""wkt""#)] {
        try folder.write(
          #"{"type":"FeatureCollection","crs":{"type":"name","properties":{\#(crs):"\#(quoted)"}},"features":[\#(feature)]}"#,
          to: "\(name).geojson")
      }
      try folder.write("x,y\n500000,5500000\n", to: "p.csv")
      var runs = ["set.json", "map.json", "name.geojson", "wkt.geojson"].map { ["count", $0] }
      for text in ["25832", "EPSG:25832", "epsg:25832", "urn:ogc:def:crs:EPSG::25832", utm] {
        runs.append(["count", "p.csv", "--source-reference", text])
      }
      for words in runs {
        let run = try await Tool.run(
          words + ["--bounds", "8.99,49,9.01,50", "--strict"], folder: folder.root)
        #expect(run.code == 0 && run.out == "1\n", "\(words.prefix(3)) \(run)")
      }
      #expect(runs.count == 9)
      for text in ["EPSG:x", "25832x", "-1", "PROJCS[", Self.unregistered] {
        let run = try await Tool.run("count", "p.csv", "--source-reference", text, folder: folder.root)
        #expect(run.code == 64 || run.code == 2, "\(text) \(run)")
        #expect(run.errors.count == 1, "\(text) \(run)")
      }
    }

    @Test("A spatial reference in an option is refused with the text and the reason")
    func impossibleReferences() async throws {
      let folder = try ScratchFolder()
      try folder.write("x,y\n9,48\n", to: "p.csv")
      for option in ["--source-reference", "--out-wkid", "--reference"] {
        for (text, reason) in [
          ("ESRI:99999", "WKID 99999 is not a spatial reference known to PROJ"),
          ("EPSG:4978", "is geocentric"), ("5703", "has only heights"),
        ] {
          let run = try await Tool.run("query", "p.csv", option, text, folder: folder.root)
          #expect(run.code == 64 && run.errors.count == 1, "\(run)")
          for part in [text, option, reason] { #expect(run.err.contains(part), "\(run)") }
        }
      }
      let codes = try await Tool.run(
        "query", "p.csv", "--out-wkid", "ESRI:103079", "--format", "csv", folder: folder.root)
      let numbers = try await Tool.run(
        "query", "p.csv", "--out-wkid", "103079", "--format", "csv", folder: folder.root)
      #expect(codes.code == 0 && codes.out == numbers.out && codes.out.contains("\n"), "\(codes)")
      let step = try await Tool.run(
        ["run", "-"],
        input: """
          {"step": "open", "source": "p.csv"}
          {"step": "query", "everywhere": true, "extentOnly": true, "outWkid": "EPSG:25832"}
          """, folder: folder.root)
      #expect(step.code == 0 && step.out.contains("25832"), "\(step)")
    }

    @Test("Coordinates in an unregistered spatial reference are projected to WGS 84, with a warning")
    func unregisteredReference() async throws {
      let folder = try ScratchFolder()
      let quoted = Self.unregistered.replacing("\"", with: "\\\"")
      try folder.write(
        #"{"geometryType":"esriGeometryPoint","spatialReference":{"wkt":"\#(quoted)"},"fields":[],"#
          + #""features":[{"attributes":{},"geometry":{"x":123456,"y":5500000}}]}"#, to: "set.json")
      let run = try await Tool.run("count", "set.json", "--bounds", "8.99,49,9.01,50", folder: folder.root)
      #expect(run.out == "1\n", "\(run)")
      #expect(run.err.contains("has no code: coordinates were projected to WGS 84"), "\(run)")
    }
  #endif
}
