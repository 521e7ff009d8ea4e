import Foundation
import MapTestSupport
import Testing

/// Cases of shapefiles and KML files as people send them.
@Suite("Reports: formats")
struct FormatReportTests {
  private static let cases = Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases")

  private static func path(_ name: String) -> String { cases.appendingPathComponent(name).path }

  // MARK: Encodings (04-cpg-1258-loses-last-letter)

  @Test(
    "A shapefile in windows-1258 keeps the last letters of its fields and values, with and without a .cpg file"
  )
  func lastLetters() async throws {
    let folder = try ScratchFolder()
    for ending in ["shp", "shx", "dbf", "prj"] {
      try FileManager.default.copyItem(
        at: Self.cases.appendingPathComponent("04-cpg-1258-loses-last-letter/asc1258.\(ending)"),
        to: folder.url("asc1258.\(ending)"))
    }
    for arguments in [
      [Self.path("04-cpg-1258-loses-last-letter/asc1258.shp")],
      [folder.path("asc1258.shp"), "--encoding", "windows-1258"],
    ] {
      let inspected = try await Tool.run(["inspect"] + arguments)
      #expect(inspected.code == 0 && inspected.err == "", "\(inspected)")
      #expect(inspected.out.contains("field       ID    integer, 1 to 2"), "\(inspected)")
      #expect(inspected.out.contains("field       NAME  text, \"ARENC\", \"BELSUNCE\""), "\(inspected)")
      let counted = try await Tool.run(["count"] + arguments + ["--where", "NAME = 'ARENC'", "--everywhere"])
      #expect(counted.code == 0 && counted.out == "1\n", "\(counted)")
    }
  }

  // MARK: Shapefiles without .shx

  @Test(
    "A shapefile without a .shx file is counted as with it, and a truncated one is refused with its record")
  func withoutIndex() async throws {
    let folder = try ScratchFolder()
    for ending in ["shp", "dbf", "prj"] {
      try FileManager.default.copyItem(
        at: Self.cases.appendingPathComponent("04-cpg-1258-loses-last-letter/asc1258.\(ending)"),
        to: folder.url("a.\(ending)"))
    }
    let counted = try await Tool.run("count", folder.path("a.shp"), "--everywhere", "--strict")
    #expect(counted.code == 0 && counted.out == "2\n" && counted.err == "", "\(counted)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.shx")))
    try Data(try Data(contentsOf: folder.url("a.shp")).prefix(140)).write(to: folder.url("a.shp"))
    let cut = try await Tool.run("count", folder.path("a.shp"), "--everywhere")
    #expect(cut.code == 2, "\(cut)")
    #expect(cut.err.contains("a.shp: is truncated at record 2: it has 140 of 156 bytes"), "\(cut)")
    #expect(!cut.err.contains("SHAPE_RESTORE_SHX"))
  }

  // MARK: KML of Google Earth (people/ge.kml)

  private static let earth = path("people/ge.kml")

  @Test(
    "A placemark of a point and a line is a row in the layer of each kind, under the names that inspect prints"
  )
  func severalKinds() async throws {
    let inspected = try await Tool.run("inspect", Self.earth)
    #expect(inspected.code == 0, "\(inspected)")
    let counts = ["point": 1, "polyline": 2, "polygon": 1]
    for (kind, count) in counts {
      #expect(inspected.out.contains("\nUnterordner (\(kind))  (\(kind), \(count) feature"), "\(inspected)")
      for fragment in ["Unterordner (\(kind))", "Unterordner/\(kind)"] {
        let counted = try await Tool.run("count", "\(Self.earth)#\(fragment)", "--everywhere")
        #expect(counted.code == 0 && counted.out == "\(count)\n", "\(fragment): \(counted)")
      }
    }
    // The warnings of a folder with several kinds name it, and no layer of one kind.
    let kinds =
      "layer \"Unterordner\": 1 placemark has several kinds of geometry: a row of each kind was read"
    #expect(inspected.out.contains(kinds), "\(inspected)")
    #expect(!inspected.out.contains("layer \"Unterordner ("), "\(inspected)")
    let lines = try await Tool.run("count", "\(Self.earth)#Unterordner/polyline", "--everywhere")
    #expect(lines.err.contains("1 placemark has several kinds of geometry"), "\(lines)")
    let mixed = try await Tool.run(
      "count", "\(Self.earth)#Unterordner", "--everywhere", "--where", "Name = 'Gemischt'")
    #expect(mixed.out == "2\n", "\(mixed)")
  }

  @Test("Styles of Google Earth are the symbols of the layers, and what is not drawn is reported by name")
  func styles() async throws {
    let inspected = try await Tool.run("inspect", Self.earth)
    #expect(inspected.code == 0, "\(inspected)")
    #expect(inspected.out.contains("elements that are not read: 1 <GroundOverlay>"), "\(inspected)")
    #expect(inspected.out.contains("the images of icons are not drawn"), "\(inspected)")
    #expect(inspected.out.contains("1 track was read as a line: the times"), "\(inspected)")
    let folder = try ScratchFolder()
    let view = ["--bounds", "11.54,48.1,11.6,48.15", "--size", "300x250"]
    let legend = try await Tool.run(
      ["render", "\(Self.earth)#Unterordner (polyline)", "-o", folder.path("l.svg")] + view)
    #expect(legend.code == 0, "\(legend)")
    let drawing = try String(contentsOf: folder.url("l.svg"), encoding: .utf8)
    #expect(drawing.contains("#ff0000") || drawing.contains("rgb(100%, 0%, 0%)"), "\(drawing.prefix(2000))")
  }

  // MARK: Spreadsheets

  /// The rows of the made-up sheet, which openpyxl and odfpy wrote.
  private static let rows = #"""
    OBJECTID,name,lon,lat,since,checked at,open,count,code
    1,"Brücke, Nord",11.5745,48.1372,1972-03-01,2026-05-01T08:30:00Z,true,12.0,007
    2,"Steg ""Süd""",11.5602,48.1103,1931-12-24,,false,-3.0,x
    3,Wehr,11.5,48.1,1900-01-15,1969-12-31T23:59:59Z,true,2.5,

    """#

  @Test(
    "Sheets of XLSX and ODS files are tables with points from the coordinate columns of CSV",
    arguments: ["xlsx", "ods"])
  func spreadsheets(_ ending: String) async throws {
    let file = Self.path("formats/places.\(ending)")
    let several = try await Tool.run("count", file)
    #expect(
      several.code == 0 && several.out == "Orte 2026\t3\nZahlen\t1\n", "\(several)")
    let read = try await Tool.run("query", "\(file)#Orte 2026", "--everywhere", "--format", "csv")
    #expect(read.code == 0 && read.out == Self.rows, "\(read)")
    #expect(read.err.contains("1 row above the header was left out"), "\(read)")
    let near = try await Tool.run("count", "\(file)#Orte 2026", "--bounds", "11.57,48.13,11.58,48.14")
    #expect(near.out == "1\n", "\(near)")
    let utm = try await Tool.run(
      "count", "\(file)#Orte 2026", "--everywhere", "--x", "count", "--y", "lat", "--source-reference",
      "25832")
    #expect(utm.code == 0 && utm.out == "3\n", "\(utm)")
    let comma = try await Tool.run(
      "query", "\(file)#Orte 2026", "--everywhere", "--format", "csv", "--decimal", ",")
    #expect(comma.code == 0 && comma.out == Self.rows, "\(comma)")
    let delimiter = try await Tool.run("count", file, "--delimiter", ";")
    #expect(delimiter.code == 64 && delimiter.err.contains("--delimiter has no use"), "\(delimiter)")
    let unknown = try await Tool.run("count", "\(file)#leer")
    #expect(unknown.code == 2 && unknown.errors.count == 1, "\(unknown)")
    let formula = try await Tool.run("count", "\(file)#Zahlen", "--everywhere")
    #expect(formula.out == "1\n", "\(formula)")
    #expect(
      formula.err.contains("1 formula without a stored result was read as null") == (ending == "xlsx"),
      "\(formula)")
  }

  @Test("A file of Excel before 2007 is named, with what to do")
  func oldExcel() async throws {
    let folder = try ScratchFolder()
    let head: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    try Data(head + [UInt8](repeating: 0, count: 600)).write(to: folder.url("a.xls"))
    let run = try await Tool.run("count", folder.path("a.xls"))
    #expect(
      run.code == 2 && run.err.contains("before 2007, such as .xls, which is not read; convert it"), "\(run)")
  }

  // MARK: GML

  /// A collection of a point and a line.
  private static func gml(
    _ location: String = "", reference: String = "urn:ogc:def:crs:EPSG::4326", link: String = ""
  ) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <o:FeatureCollection xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="\(location)"
      xmlns:o="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
    <o:featureMember><o:places gml:id="p.0"><o:shape><gml:Point srsName="\(reference)" gml:id="g"><gml:pos>48.1 11.5</gml:pos>
    </gml:Point></o:shape><o:name>Süd</o:name><o:n>3</o:n><o:ref xlink:href="\(link)"/></o:places></o:featureMember>
    </o:FeatureCollection>
    """
  }

  @Test("A GML file is read with its axes in their order, and nothing is written beside it")
  func gmlRows() async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.gml(), to: "a.gml")
    let read = try await Tool.run("query", folder.path("a.gml"), "--everywhere", "--format", "csv")
    #expect(read.code == 0 && read.err == "", "\(read)")
    #expect(
      read.out.contains("name,n,longitude,latitude\n") && read.out.contains("Süd,3,11.5,48.1\n"), "\(read)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.gfs")))
    let empty = "<w:FeatureCollection xmlns:w='w' xmlns:gml='http://www.opengis.net/gml/3.2'/>"
    let none = try await Tool.run("count", try folder.write(empty, to: "b.gml"))
    #expect(none.code == 2 && none.errors.count == 1, "\(none)")
  }

  @Test("A GML file reaches no server and no other file by its schema, spatial reference or links")
  func hostileGML() async throws {
    let folder = try ScratchFolder()
    let file = folder.path("connections")
    let server = try TestServer(
      Tool.project.appendingPathComponent("Tests/CommandLineTests/counting_server.py"), [file])
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.address.split(separator: ":").last ?? "")"
    let locations = [
      "\(url)/a.xsd", "\(url)/a?SERVICE=WFS&amp;REQUEST=DescribeFeatureType", "/vsicurl/\(url)/a.xsd",
      "/vsicurl/\(url)/a",
      "pipe.xsd", "/dev/zero", "file:///dev/zero",
    ]
    var texts = locations.map { Self.gml("http://ogr.maptools.org/ \($0)") }
    texts += [url + "/crs", "/vsicurl/\(url)/crs.prj", "/dev/zero", "file:///etc/passwd"].map {
      Self.gml(reference: $0)
    }
    texts += [url + "/x#a", "/vsicurl/\(url)/x#a"].map { Self.gml(link: $0) }
    texts += locations.map { _ in Self.gml() }
    texts += [
      "<!DOCTYPE a SYSTEM \"\(url)/d.dtd\">" + Self.gml().drop { $0 != "\n" },
      "<!DOCTYPE a [<!ENTITY x SYSTEM \"\(url)/e\">]>" + Self.gml().drop { $0 != "\n" },
      String(Self.gml().prefix(300)), Self.gml().replacing("48.1 11.5", with: "48.1"),
      Self.gml().replacing("48.1 11.5", with: "1e999 nan"),
      Self.gml().replacing("<o:name>", with: String(repeating: "<o:a>", count: 5000) + "<o:name>"),
    ]
    #expect(texts.count == 26)
    let schema = { (location: String) in
      """
      <xs:schema targetNamespace="http://ogr.maptools.org/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:include schemaLocation="\(location)"/><xs:import namespace="x" schemaLocation="\(location)"/></xs:schema>
      """
    }
    for (index, text) in texts.enumerated() {
      let path = try folder.write(text, to: "h\(index).gml")
      // A schema beside the file, whose links GDAL would follow.
      if (13..<20).contains(index) { try folder.write(schema(locations[index - 13]), to: "h\(index).xsd") }
      let run = try await Tool.run("count", path, "--everywhere")
      #expect(!run.isSignal && [0, 2].contains(run.code) && run.errors.count <= 1, "\(index): \(run)")
    }
    #expect(((try? Data(contentsOf: URL(fileURLWithPath: file)).count) ?? 0) == 0)
  }
}
