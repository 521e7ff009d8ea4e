import Foundation
import MapTestSupport
import Testing

/// Files as they lie on disks: what they do not say, what they mix, and what of them is lost.
@Suite("Plain data")
struct PlainDataTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: String...) async throws -> Tool.Run {
    try await Tool.run(words, folder: folder.root)
  }

  private func count(_ words: String...) async throws -> Tool.Run {
    try await Tool.run(["count"] + words + ["--everywhere"], folder: folder.root)
  }

  @Test("Coordinate columns and their spatial reference are named by options, steps and cases")
  func columns() async throws {
    try folder.write("easting,northing,name\n500000,5600000,a\n510000,5610000,b\n", to: "p.csv")
    let bare = try await run("inspect", "p.csv", "--format", "json")
    #expect(bare.out.contains(#""geometryType": null"#), "\(bare)")
    let named = try await run(
      "query", "p.csv", "--x", "easting", "--y", "Northing", "--source-reference", "25832", "--extent-only",
      "--format", "json")
    // UTM zone 32 has its central meridian, of easting 500,000, at 9 degrees: 1,001,875.4 m in Web Mercator.
    #expect(named.out.contains("1001875.41"), "\(named)")
    #expect(named.err == "", "\(named)")
    let guessed = try await count("p.csv", "--x", "easting", "--y", "northing")
    #expect(guessed.err.contains("coordinates were read as Web Mercator (3857)"), "\(guessed)")
    let misspelt = try await count("p.csv", "--x", "eastin", "--y", "northing")
    #expect(misspelt.code == 2)
    #expect(misspelt.err.contains(#"no column named "eastin"; did you mean "easting"?"#), "\(misspelt)")
    #expect(try await count("p.csv", "--x", "easting").code == 64)
    let steps = [
      #"{"step":"open","source":"p.csv","x":"easting","y":"northing","sourceReference":25832}"#,
      #"{"step":"count","extent":"8.9,50,9.05,51","expect":1}"#,
    ]
    let session = try await Tool.run(
      ["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(session.code == 0, "\(session)")
  }

  @Test("Ids that are numbers of rows have a note beside a field of a usual name for ids")
  func idsOfRows() async throws {
    try folder.write("lon,lat,OBJECTID\n1,2,7\n3,4,8\n", to: "a.csv")
    let found = try await run("query", "a.csv", "--everywhere", "--object-ids", "2", "--format", "ndjson")
    #expect(found.out.contains("\"OBJECTID\":8"), "\(found)")
    #expect(
      found.err.contains(
        "note: ids of features are numbers of rows here; the condition \"OBJECTID IN (2)\" asks for the field OBJECTID"
      ),
      "\(found)")
    #expect(try await count("a.csv", "--where", "OBJECTID IN (8)").err == "")
    #expect(try await count("a.csv", "--object-ids", "2,99").err.contains("note: no row has the id 99"))
  }

  @Test(
    "A column of numbers that is text is reported with its cause, and so is a header of numbers")
  func textColumns() async throws {
    try folder.write("lon,lat,v,w,x\n1,2,9,n/a,5 km\n3,4, 10,7,6\n", to: "n.csv")
    let found = try await run("inspect", "n.csv")
    #expect(
      (found.out + found.err).contains(
        "field v: read as text, because there are blanks around numbers, as in \" 10\""),
      "\(found)")
    #expect(
      (found.out + found.err).contains(
        "field w: read as text, because a value is \"n/a\"; CAST reads the others as numbers"),
      "\(found)")
    #expect(!(found.out + found.err).contains("field x"), "\(found)")
    try folder.write("A,11.5,48.1\nB,11.6,48.2\n", to: "h.csv")
    #expect(
      try await count("h.csv").err.contains("header: \"11.5\" is a number; the first line has the names"))
  }

  @Test("A name that several fields have in other cases finds none of them")
  func sharedNames() async throws {
    try folder.write("lon,lat,Name,name\n1,2,a,b\n", to: "c.csv")
    #expect(try await count("c.csv", "--where", "name = 'b'").out == "1\n")
    #expect(try await count("c.csv", "--where", "LON = 1").out == "1\n")
    let refused = try await count("c.csv", "--where", "NAME = 'b'")
    #expect(
      refused.code == 2 && refused.err.contains("unknown field 'NAME'; did you mean 'Name'?"), "\(refused)")
  }

  @Test("Date-times without seconds and with short zones are timestamps; their days are compared as advised")
  func shortTimes() async throws {
    try folder.write(
      "lon,lat,t\n1,2,2024-01-02 10:30\n3,4,2024-01-02T23:30+0200\n5,6,2024-01-03 00:15:30-03\n", to: "t.csv")
    #expect(try await count("t.csv", "--where", "t = TIMESTAMP '2024-01-02 21:30:00'").out == "1\n")
    let refused = try await count("t.csv", "--where", "t = '2024-01-02'")
    #expect(refused.code == 2)
    #expect(refused.err.contains("; write CAST(t AS DATE) = DATE '2024-01-02'\n"), "\(refused)")
    #expect(try await count("t.csv", "--where", "CAST(t AS DATE) = DATE '2024-01-02'").out == "2\n")
  }

  @Test("A document names the coordinate columns of a CSV layer")
  func locationInfo() async throws {
    try folder.write("east,north,v\n8,50,1\n9,51,2\n", to: "p.csv")
    func document(_ info: String) -> String {
      #"{"operationalLayers":[{"id":"c","title":"C","layerType":"CSV","url":"p.csv","locationInfo":\#(info)}]}"#
    }
    try folder.write(
      document(#"{"locationType":"coordinates","longitudeFieldName":"east","latitudeFieldName":"north"}"#),
      to: "map.json")
    let found = try await run("count", "map.json", "--bounds", "7,49,8.5,50.5")
    #expect(found.out == "1\n", "\(found)")
    #expect(found.err == "", "\(found)")
    try folder.write(
      document(#"{"locationType":"coordinates","longitudeFieldName":"est","latitudeFieldName":"north"}"#),
      to: "map.json")
    let wrong = try await count("map.json")
    #expect(wrong.err.contains(#"no column named "est"; did you mean "east"?"#), "\(wrong)")
    try folder.write(document(#"{"locationType":"address","addressTemplate":"{v}"}"#), to: "map.json")
    let address = try await count("map.json")
    #expect(address.err.contains("addresses are not located"), "\(address)")
  }

  @Test("Texts in another encoding than UTF-8 are read with the name of the encoding, or refused")
  func encodings() async throws {
    let text = "name,lon,lat\nZürich,8.5,47.4\n"
    try folder.write(try #require(text.data(using: .isoLatin1)), to: "l.csv")
    try folder.write(Data([0xFF, 0xFE]) + (try #require(text.data(using: .utf16LittleEndian))), to: "u.csv")
    let refused = try await count("l.csv")
    #expect(refused.code == 2)
    #expect(refused.err.contains("--encoding latin1"), "\(refused)")
    for (name, options) in [
      ("l.csv", ["--encoding", "Latin-1"]), ("l.csv", ["--encoding", "1252"]), ("u.csv", []),
    ] {
      let read = try await Tool.run(
        ["query", name, "--out-fields", "name", "--no-geometry"] + options, folder: folder.root)
      #expect(read.out.contains("Zürich"), "\(name) \(read)")
      #expect(read.err == "", "\(name) \(read)")
    }
    let unknown = try await count("l.csv", "--encoding", "latin99")
    #expect(unknown.code == 64)
    #expect(unknown.err.contains("unknown encoding"), "\(unknown)")
    let utf8 = try await count("l.csv", "--encoding", "utf-8")
    #expect(utf8.code == 2)
  }

  @Test("A shapefile in another encoding is refused, and read with the name of the encoding")
  func shapefileEncoding() async throws {
    for ending in ["shp", "shx", "dbf", "prj"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent("Tests/CommandLineTests/Surface/latin1.\(ending)"),
        to: folder.url("latin1.\(ending)"))
    }
    let refused = try await run("inspect", "latin1.shp")
    #expect(refused.code == 2)
    #expect(refused.err.contains("--encoding latin1"), "\(refused)")
    let read = try await run("query", "latin1.shp", "--encoding", "latin1", "--format", "csv")
    #expect(read.code == 0)
    #expect(!read.out.contains("\u{FFFD}"), "\(read)")
    #expect(read.out.contains { !$0.isASCII }, "\(read)")
    #expect(read.err == "", "\(read)")
  }

  @Test("Rows that cannot be read are left out with one warning that counts them")
  func badRows() async throws {
    try folder.write("a,lon,lat\n1,2,3\nx\n2,y,4\n3,5,6\n\"4,7\n5,8,9\n", to: "b.csv")
    #expect(try await count("b.csv").code == 2)
    let csv = try await count("b.csv", "--skip-bad-rows")
    #expect(csv.out == "3\n", "\(csv)")
    #expect(csv.err.split(separator: "\n").count == 1, "\(csv)")
    #expect(csv.err.contains("3 rows that cannot be read were left out; the first: line 3"), "\(csv)")
    let rows = [
      #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
      #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1]}}"#,
      "garbage", #"{"type":"Feature","properties":{"a":3},"geometry":null}"#,
    ]
    try folder.write(rows.joined(separator: "\n"), to: "b.ndjson")
    let lines = try await count("b.ndjson", "--skip-bad-rows")
    #expect(lines.out == "2\n", "\(lines)")
    #expect(lines.err.contains("2 rows that cannot be read were left out; the first: line 2"), "\(lines)")
    try folder.write(
      #"{"type":"FeatureCollection","features":["# + [rows[0], rows[1], rows[3]].joined(separator: ",\n")
        + "]}",
      to: "b.geojson")
    let collection = try await count("b.geojson", "--skip-bad-rows")
    #expect(collection.out == "2\n", "\(collection)")
    #expect(collection.err.contains("1 row that cannot be read was left out"), "\(collection)")
  }

  @Test("A format is recognised by its content, under any name and from standard input")
  func content() async throws {
    let files = [
      ("Styles/data/world-cities.csv", 10_020), ("Tests/MapGeospatialTests/Cases/places.gpkg#points", 0),
      ("Tests/MapGeospatialTests/Cases/points.fgb", 0),
    ]
    var asked = 0
    for (name, expected) in files {
      let parts = name.split(separator: "#").map(String.init)
      let file = Tool.project.appendingPathComponent(parts[0])
      let known = try await Tool.run([
        "count", Tool.project.appendingPathComponent(name).path, "--everywhere",
      ])
      if expected > 0 { #expect(known.out == "\(expected)\n", "\(known)") }
      try? FileManager.default.removeItem(at: folder.url("h"))
      try FileManager.default.copyItem(at: file, to: folder.url("h"))
      let layer = parts.count > 1 ? "#\(parts[1])" : ""
      let unnamed = try await count("h\(layer)")
      #expect(unnamed.out == known.out, "\(name) \(unnamed)")
      let piped = try await Tool.run(
        ["-c", "'\(Tool.url.path)' count '-\(layer)' --everywhere < h"], folder: folder.root,
        program: URL(fileURLWithPath: "/bin/sh"))
      #expect(piped.out == known.out, "\(name) \(piped)")
      asked += 1
    }
    #expect(asked == 3)
  }

  @Test("A table of several kinds of geometry is drawn by kinds and counted as one")
  func kinds() async throws {
    try FileManager.default.copyItem(
      at: Tool.project.appendingPathComponent("Tests/CommandLineTests/Surface/mixed.geojson"),
      to: folder.url("mixed.geojson"))
    let counted = try await count("mixed.geojson")
    #expect(counted.out == "4\n", "\(counted)")
    #expect(counted.err.split(separator: "\n").filter { $0.contains("collections") }.count == 1, "\(counted)")
    let listed = try await run("inspect", "mixed.geojson")
    #expect(listed.out.contains("mixed (polyline)  (polyline, 2 features)"), "\(listed)")
    #expect(listed.out.contains("mixed (multipoint)  (multipoint, 2 features)"), "\(listed)")
    let rows = try await run("query", "mixed.geojson", "--out-fields", "a")
    #expect(rows.out.components(separatedBy: "\"Feature\"").count == 5, "\(rows)")
    #expect(rows.out.contains("LineString") && rows.out.contains("MultiPoint"), "\(rows)")
    let inside = try await run("count", "mixed.geojson", "--bounds", "3.9,51.9,4.1,52.1")
    #expect(inside.out == "3\n", "\(inside)")
    let condition = try await count("mixed.geojson", "--cql2", "geometry IS NULL")
    #expect(condition.out == "1\n", "\(condition)")
    let defined = try await count("mixed.geojson", "--definition", "a = '1'")
    #expect(defined.out == "1\n", "\(defined)")
    let summed = try await run(
      "statistics", "mixed.geojson", "--everywhere", "--statistic", "count:a", "--format", "csv")
    #expect(summed.out.hasSuffix("3\n"), "\(summed)")
    let one = try await count("mixed.geojson#polyline")
    #expect(one.out == "2\n", "\(one)")
    try folder.write(#"{"operationalLayers":[{"id":"a","url":"mixed.geojson"}]}"#, to: "map.json")
    let document = try await count("map.json")
    #expect(document.code == 2)
    #expect(document.err.contains("mixed.geojson#polyline"), "\(document)")
    let funnel = try await run(
      "count", "mixed.geojson", "--funnel", "--in-view", "--bounds", "3,51,6,54", "--format", "json")
    #expect(funnel.out.contains(#""total": 4"#) || funnel.out.contains(#""total":4"#), "\(funnel)")
    let drawn = try await run("render", "mixed.geojson", "-o", "x.png", "--report", "r.json")
    #expect(drawn.code == 0, "\(drawn)")
  }

  @Test("Well-known text of several kinds, with collections, is one table")
  func wellKnownText() async throws {
    try folder.write(
      """
      id,wkt
      1,POINT (1 2)
      2,"LINESTRING (0 0, 1 1)"
      3,"GEOMETRYCOLLECTION (POINT (1 2), POINT (3 4))"
      4,"GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))"
      5,

      """, to: "k.csv")
    let counted = try await count("k.csv")
    #expect(counted.out == "5\n", "\(counted)")
    #expect(
      counted.err.contains("line 5: collections of several kinds of geometry were read as rows"), "\(counted)"
    )
    let bare = try await count("k.csv", "--cql2", "geometry IS NULL")
    #expect(bare.out == "2\n", "\(bare)")
    for ending in ["csv", "geojson", "gpkg"] {
      let written = try await run("query", "k.csv", "-o", "w.\(ending)")
      #expect(written.code == 0, "\(written)")
      let read = try await run("count", "w.\(ending)", "--bounds", "0.5,0.5,3.5,4.5")
      #expect(read.out == "3\n", "\(ending) \(read)")
    }
  }

  @Test("Every row and field of KML is read")
  func kml() async throws {
    func place(_ name: String, _ geometry: String) -> String {
      """
      <Placemark><name>\(name)</name><ExtendedData><Data name="pop"><value>12</value></Data></ExtendedData>
      \(geometry)</Placemark>
      """
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      \(place("a", "<Point><coordinates>1,2</coordinates></Point>"))\(place("b", ""))
      \(place("c", "<LineString><coordinates>1,2 3,4</coordinates></LineString>"))
      </Document></kml>
      """, to: "k.kml")
    let counted = try await count("k.kml")
    #expect(counted.out == "3\n", "\(counted)")
    let rows = try await count("k.kml", "--where", "pop = '12'")
    #expect(rows.out == "3\n", "\(rows)")
  }

  @Test("Features of Esri JSON and of TopoJSON are read from files of their own")
  func otherJSON() async throws {
    try folder.write(
      """
      {"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
       "fields":[{"name":"n","type":"esriFieldTypeInteger"}],
       "features":[{"attributes":{"n":1},"geometry":{"x":1,"y":2}},{"attributes":{"n":2},"geometry":{"x":3,"y":4}}]}
      """, to: "e.json")
    #expect(try await count("e.json", "--where", "n = 2").out == "1\n")
    let table =
      #"{"layerDefinition":{"name":"NAME","geometryType":"esriGeometryPoint"},"featureSet":{"features":[{"attributes":{"n":1},"geometry":{"x":1,"y":2}}]}}"#
    try folder.write(
      #"{"layers":[\#(table.replacing("NAME", with: "A")),\#(table.replacing("NAME", with: "B"))]}"#,
      to: "f.json")
    #expect(try await count("f.json").out == "A\t1\nB\t1\n")
    let unnamed = try await run("query", "f.json")
    #expect(unnamed.code == 64, "\(unnamed)")
    #expect(unnamed.err.contains("--layer"), "\(unnamed)")
    #expect(try await run("query", "f.json", "--layer", "B", "--count-only").out == "1\n")
    try folder.write(
      """
      {"type":"Topology","objects":{"example":{"type":"GeometryCollection","geometries":[
      {"type":"Point","properties":{"p":"v"},"coordinates":[102,0.5]},
      {"type":"Polygon","properties":{"p":"w"},"arcs":[[0]]}]}},
      "arcs":[[[100,0],[101,0],[101,1],[100,1],[100,0]]]}
      """, to: "t.json")
    let topology = try await count("t.json", "--where", "p = 'w'")
    #expect(topology.out == "1\n", "\(topology)")
  }

  @Test("Several tables in a file are several layers")
  func tables() async throws {
    let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/places.gpkg")
    let counted = try await Tool.run(["count", file.path, "--everywhere"])
    #expect(counted.out.split(separator: "\n").count > 1, "\(counted)")
    let asked = try await Tool.run(["query", file.path, "--count-only"])
    #expect(asked.code == 64, "\(asked)")
    #expect(asked.err.contains("--layer"), "\(asked)")
  }

  @Test("Hostile and odd files end with a clear error, or are read")
  func hostile() async throws {
    try folder.write("", to: "empty.csv")
    try folder.write(Data([0xFF, 0xFE]), to: "mark.csv")
    try folder.write(Array(repeating: "a", count: 1_000_000).joined(separator: ",") + "\n", to: "wide.csv")
    let nest = String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 5000)
    try folder.write(nest, to: "deep.json")
    let folders = String(repeating: "<Folder>", count: 50_000)
    try folder.write(
      "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(folders)",
      to: "deep.kml")
    for name in ["empty.csv", "mark.csv", "wide.csv", "deep.json", "deep.kml"] {
      let run = try await count(name)
      #expect(!run.isSignal, "\(name) \(run)")
      #expect(run.code == 2, "\(name) \(run.code) \(run.err.prefix(300))")
      #expect(run.errors.count == 1, "\(name) \(run.err.prefix(300))")
    }
  }

  @Test("Nothing is said about numbers that lost nothing")
  func exactNumbers() async throws {
    try folder.write("n\n1e16\n20000000000000000\n", to: "n.csv")
    #expect(try await count("n.csv").err == "")
    try folder.write("n\n1.5\n9007199254740993\n", to: "m.csv")
    #expect(try await count("m.csv", "--where", "n > 1").err.contains("rounded"))
  }
}
