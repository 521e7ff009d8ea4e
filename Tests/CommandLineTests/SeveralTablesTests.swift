import Foundation
import MapTestSupport
import Testing

/// Files with several tables or kinds of geometry, files under other names, and files whose statements disagree.
@Suite("Several tables, other names")
struct SeveralTablesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let mixed = """
    {"type":"FeatureCollection","features":[
     {"type":"Feature","properties":{"v":1},"geometry":{"type":"Point","coordinates":[1,1]}},
     {"type":"Feature","properties":{"v":9},"geometry":{"type":"Point","coordinates":[2,2]}},
     {"type":"Feature","properties":{"v":4},"geometry":{"type":"LineString","coordinates":[[0,0],[3,3]]}},
     {"type":"Feature","properties":{"v":6},"geometry":{"type":"Polygon","coordinates":[[[0,0],[3,0],[3,3],[0,0]]]}}]}
    """

  @Test("A GeoPackage with several tables is recognised under any name", arguments: ["x.bin", "x.zip", "x"])
  func otherNames(name: String) async throws {
    let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/places.gpkg")
    let expected = try await Tool.run("count", file.path)
    #expect(expected.code == 0 && expected.out.contains("points\t300"), "\(expected)")
    try FileManager.default.copyItem(at: file, to: folder.url(name))
    let run = try await Tool.run("count", folder.path(name))
    #expect(run.code == 0 && run.out == expected.out, "\(run)")
  }

  @Test("All layers of a table with several kinds are coloured by one classification")
  func classes() async throws {
    let file = try folder.write(Self.mixed, to: "m.geojson")
    let counts = try await Tool.run("count", file, "--by-class", "--color-by", "v", "--breaks", "3,6")
    #expect(
      counts.out == "1–3\t1\n4–6\t2\n7–9\t1\nNo data\t0\n(no class)\t0\n", "\(counts)")
    let report = folder.path("r.json")
    let drawn = try await Tool.run(
      "render", file, "-o", folder.path("m.png"), "--color-by", "v", "--report", report)
    #expect(drawn.code == 0, "\(drawn)")
    let text = try String(contentsOfFile: report, encoding: .utf8)
    for kind in ["point", "polyline", "polygon"] { #expect(text.contains("m (\(kind))"), "\(text)") }
    let one = try await Tool.run(
      "render", file, "-o", folder.path("p.png"), "--color-by", "v", "--layer", "m (polygon)")
    #expect(one.code == 0, "\(one)")
  }

  @Test("Layers of one table list the classes of their own features under one title, also when saved")
  func legend() async throws {
    let file = try folder.write(Self.mixed, to: "town_map.geojson")
    let saved = folder.path("m.json")
    func texts(_ words: [String]) async throws -> [Substring] {
      let image = folder.path("m.svg")
      let run = try await Tool.run(["render", "-o", image, "--legend", "--svg-text"] + words)
      #expect(run.code == 0, "\(run)")
      let lines = try String(contentsOfFile: image, encoding: .utf8).split(separator: "</text>")
      return lines.dropLast().compactMap { $0.split(separator: ">").last }
    }
    let expected: [Substring] = ["v", "4–6", "4–6", "1–3", "7–9"]
    let style = ["--color-by", "v", "--breaks", "3,6"]
    let drawn = try await texts([file, "--save-document", saved] + style)
    #expect(drawn.sorted() == expected.sorted(), "\(drawn)")
    #expect(try await texts([saved]) == drawn)
    // Without a field, the names are those of the file in words.
    #expect(try await texts([file]).contains("Town map (polygon)"))
  }

  @Test("A field that some tables lack leaves their symbols, and one that all lack is an error")
  func lackingFields() async throws {
    try folder.write("lon,lat,v\n1,1,5\n2,2,6\n", to: "z/a.csv")
    let file = try folder.write(Self.mixed, to: "m.geojson")
    let sized = try await Tool.run("render", file, "-o", folder.path("m.png"), "--size-by", "v")
    #expect(sized.code == 0, "\(sized)")
    #expect(sized.err.contains("layer \"m (polygon)\" keeps its symbols: --size-by: areas have no"))
    let none = try await Tool.run("render", file, "-o", folder.path("n.png"), "--color-by", "w")
    #expect(none.code == 2 && none.errors.count == 1, "\(none)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("n.png")))
  }

  @Test("Bounds that the user gives are written with all their digits")
  func exactBounds() async throws {
    let file = try folder.write("lon,lat,v\n1,1,1\n2,2,1\n3,3,2\n4,4,9\n", to: "l.csv")
    let run = try await Tool.run("count", file, "--by-class", "--color-by", "v", "--breaks", "0.5,2.25,7")
    #expect(run.out.hasPrefix("up to 0.50\t0\n0.51–2.25\t3\n2.26–7.00\t0\n7.01–9.00\t1\n"), "\(run)")
  }

  @Test("XML under the name of a CSV file is not read as lines", arguments: ["k.csv", "k.txt"])
  func markup(name: String) async throws {
    let kml = """
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark>
      </kml>
      """
    let run = try await Tool.run("count", try folder.write(kml, to: name))
    #expect(run.code == 0 && run.out == "1\n", "\(run)")
    let page = try await Tool.run("count", try folder.write("<html>\n<p>\n</html>\n", to: name))
    #expect(page.code == 2 && page.errors.count == 1, "\(page)")
  }

  @Test("An SRID after records without one is refused, and before them it is theirs, too")
  func someReferences() async throws {
    let rows = ["1,POINT(10 50)\n", "2,SRID=3857;POINT(0 0)\n"]
    let first = try folder.write("id,wkt\n" + rows.reversed().joined(), to: "f.csv")
    let moved = try await Tool.run("query", first, "--format", "csv", "--out-wkid", "3857")
    #expect(moved.code == 0 && moved.out.contains("1,10.0,50.0"), "\(moved)")
    let file = try folder.write("id,wkt\n" + rows.joined(), to: "s.csv")
    let run = try await Tool.run("count", file)
    #expect(run.code == 2 && run.err.contains("line 3") && run.err.contains("SRID"), "\(run)")
    let given = try await Tool.run("count", file, "--source-reference", "4326")
    #expect(given.code == 0 && given.out == "2\n", "\(given)")
  }

  @Test("A KML track with other numbers of times and places is a line")
  func tracks() async throws {
    let kml = """
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track>
      <gx:coord>1 2 3</gx:coord><gx:coord>2 2 3</gx:coord></gx:Track></Placemark></kml>
      """
    let run = try await Tool.run("count", try folder.write(kml, to: "t.kml"), "--bounds", "0,0,3,3")
    #expect(run.code == 0 && run.out == "1\n" && run.err.contains("1 track was read as a line"), "\(run)")
  }

  @Test("KML fields keep their names, types and values, in each folder")
  func fields() async throws {
    let place = { (value: String) in
      """
      <Placemark><name>n</name><ExtendedData><Data name="Name"><value>other</value></Data>
      <SchemaData schemaUrl="#s"><SimpleData name="t\u{e4}g">\(value)</SimpleData></SchemaData></ExtendedData>
      <Point><coordinates>1,1</coordinates></Point></Placemark>
      """
    }
    let kml = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Schema id="s"><SimpleField name="t\u{e4}g" type="bool"/></Schema>
      <Folder><name>A</name>\(place("true"))\(place("0"))</Folder><Folder><name>B</name>\(place("1"))</Folder>
      </Document></kml>
      """
    let file = try folder.write(kml, to: "f.kml")
    let run = try await Tool.run("count", file)
    #expect(run.code == 0 && run.out == "A\t2\nB\t1\n", "\(run)")
    let rows = try await Tool.run("query", file + "#A", "--format", "csv", "--no-geometry")
    #expect(rows.out.contains("n,other,true") && rows.out.contains("n,other,false"), "\(rows)")
    #expect(rows.out.contains("kml_name,Name,t\u{e4}g"), "\(rows)")
  }

  @Test("Values of a GeoPackage that are not of their field's type are null, with their number")
  func misfits() async throws {
    let csv = try folder.write(
      "lon,lat,n,r,b\n1,1,1,1.5,true\n2,2,2,2.5,false\n3,3,3,3.5,true\n4,4,,,\n", to: "m.csv")
    let file = folder.path("m.gpkg")
    let written = try await Tool.run("query", csv, "-o", file)
    try #require(written.code == 0, "\(written)")
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      table = db.execute("SELECT table_name FROM gpkg_contents").fetchone()[0]
      for name in [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]:
          db.execute(f'DROP TRIGGER "{name}"')
      db.execute(f'UPDATE "{table}" SET n = ?, r = ? WHERE fid = 1', ("abc", "x"))
      db.execute(f'UPDATE "{table}" SET n = 2.5, b = 7 WHERE fid = 2')
      db.commit()
      """
    let changed = try await Tool.run(
      ["python3", "-c", script, file], program: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(changed.code == 0, "\(changed)")
    let run = try await Tool.run("query", file, "--format", "csv", "--no-geometry", "--out-fields", "n,r,b")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out.split(whereSeparator: \.isNewline).dropFirst() == [
        "1,,,true", "2,,2.5,", "3,3,3.5,true", "4,,,",
      ],
      "\(run)")
    #expect(run.err.contains("field n: 2 values that are not whole numbers were read as null"), "\(run)")
    #expect(run.err.contains("field r: 1 value that is not a number was read as null"), "\(run)")
    #expect(run.err.contains("field b: 1 value that is not a boolean was read as null"), "\(run)")
    #expect(try await Tool.run("count", file, "--where", "n = 0").out == "0\n")
  }

  @Test("An extent of several tables, one without geometry, is the same error for the command and the step")
  func tableAmongLayers() async throws {
    let json = """
      {"layers":[{"layerDefinition":{"name":"P","geometryType":"esriGeometryPoint"},"featureSet":{"features":
      [{"attributes":{"n":1},"geometry":{"x":1,"y":2}}]}},
      {"layerDefinition":{"name":"T"},"featureSet":{"features":[{"attributes":{"n":1}}]}}]}
      """
    let file = try folder.write(json, to: "two.json")
    let command = try await Tool.run("count", file, "--bounds", "0,0,3,3")
    let steps = #"{"step":"open","source":"\#(file)"}"# + "\n" + #"{"step":"count","bounds":[0,0,3,3]}"#
    let step = try await Tool.run(["run", "-"], input: steps)
    for run in [command, step] {
      #expect(run.code == 2 && run.err.contains("layer \"T\": the table has no geometry"), "\(run)")
      #expect(run.err.contains("--layer \"P\""), "\(run)")
    }
    #expect(try await Tool.run("count", file, "--bounds", "0,0,3,3", "--layer", "P").out == "1\n")
  }

  @Test("Formats that are recognised and not read are named, with what to do")
  func unreadFormats() async throws {
    let files = [
      ("a.osm", "<?xml version='1.0'?><osm version=\"0.6\"></osm>", "OpenStreetMap XML")
    ]
    for (name, text, word) in files {
      let run = try await Tool.run("count", try folder.write(text, to: name))
      #expect(run.code == 2 && run.errors.count == 1, "\(run)")
      #expect(run.err.contains("is \(word)"), "\(run)")
      #expect(run.err.contains("ogr2ogr"), "\(run)")
    }
    let script =
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('CREATE TABLE a (b)'); d.commit()"
    let made = try await Tool.run(
      ["python3", "-c", script, folder.path("a.sqlite")], program: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(made.code == 0, "\(made)")
    let run = try await Tool.run("count", folder.path("a.sqlite"))
    #expect(run.code == 2 && run.err.contains("such as SpatiaLite, which is not read"), "\(run)")
  }

  @Test("A file name that two files of an archive have is an error with their paths")
  func ambiguousFiles() async throws {
    try folder.write("lon,lat\n1,1\n", to: "x/a.csv")
    try folder.write("lon,lat\n1,1\n2,2\n", to: "y/a.csv")
    let made = try await Tool.run(
      ["python3", "-m", "zipfile", "-c", folder.path("d.zip"), folder.path("x"), folder.path("y")],
      program: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(made.code == 0, "\(made)")
    let run = try await Tool.run("count", folder.path("d.zip") + "#a")
    #expect(run.code == 2 && run.err.contains("x/a.csv") && run.err.contains("y/a.csv"), "\(run)")
    let one = try await Tool.run("count", folder.path("d.zip") + "#y/a.csv")
    #expect(one.code == 0 && one.out == "2\n", "\(one)")
  }

  @Test("A name of a spatial reference does not count if its numbers are others")
  func namedReference() async throws {
    for part in ["shp", "shx", "dbf", "cpg"] {
      let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/points.\(part)")
      if FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.copyItem(at: file, to: folder.url("p.\(part)"))
      }
    }
    func west(_ meridian: Int) async throws -> String {
      try folder.write(
        """
        PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,
        298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],
        PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",\(meridian)],
        PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
        """.replacingOccurrences(of: "\n", with: ""), to: "p.prj")
      let run = try await Tool.run("query", folder.path("p.shp"), "--extent-only")
      #expect(run.code == 0, "\(run)")
      return run.out
    }
    let (right, moved) = (try await west(9), try await west(15))
    #expect(right != moved)
  }

  @Test("A GPX file is drawn as its lines and waypoints; its track points are hidden until they are shown")
  func hiddenTrackPoints() async throws {
    let points = "<trkpt lat=\"48\" lon=\"11\"/><trkpt lat=\"48.01\" lon=\"11.02\"/>"
    let head = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
    let file = try folder.write("\(head)<trk><trkseg>\(points)</trkseg></trk></gpx>", to: "a.gpx")
    func drawn(_ options: String...) async throws -> [String: Int] {
      let run = try await Tool.run(
        ["render", file, "-o", folder.path("a.png"), "--report", folder.path("r.json"), "--strict"] + options)
      #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
      let report = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("r.json")))
      let layers = (report as? [String: Any])?["layers"] as? [[String: Any]] ?? []
      return layers.reduce(into: [:]) { counts, layer in
        let funnel = layer["funnel"] as? [String: Any]
        counts[layer["layer"] as? String ?? "", default: 0] += funnel?["drawn"] as? Int ?? 0
      }
    }
    #expect(try await drawn().filter { $0.value > 0 } == ["tracks": 1])
    #expect(
      try await drawn("--show", "track_points").filter { $0.value > 0 } == ["tracks": 1, "track_points": 2])
    let count = try await Tool.run("count", file, "--everywhere")
    #expect(count.out.contains("tracks\t1") && count.out.contains("track_points\t2"), "\(count)")
    let waypoints = try folder.write("\(head)<wpt lat=\"48\" lon=\"11\"/></gpx>", to: "b.gpx")
    let alone = try await Tool.run("render", waypoints, "-o", folder.path("b.png"), "--strict")
    #expect(alone.code == 0, "\(alone)")
  }
}
