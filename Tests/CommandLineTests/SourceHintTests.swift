import Foundation
import MapTestSupport
import Testing

/// Warnings and errors about what files do not state, and formats under other names.
@Suite struct SourceHintTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: String...) async throws -> Tool.Run {
    try await Tool.run(words, folder: folder.root)
  }

  @Test("Columns that may be coordinates are named with the options that read them")
  func possibleColumns() async throws {
    try folder.write("Easting,Northing,n\n500000,5600000,1\n", to: "p.csv")
    let found = try await run("count", "p.csv")
    #expect(found.err.contains("fields Easting, Northing: not read as coordinates; name them with --x"))
    let named = try await run(
      "count", "p.csv", "--x", "Easting", "--y", "Northing", "--source-reference", "32632", "--bounds",
      "8.9,50,9.1,51")
    #expect(named.out == "1\n" && named.err == "", "\(named)")
  }

  @Test("A spatial reference for a table without geometry is not applied, with a warning")
  func referenceWithoutGeometry() async throws {
    try folder.write("a,b\n1,2\n", to: "t.csv")
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":null}]}"#,
      to: "t.geojson")
    for name in ["t.csv", "t.geojson"] {
      let found = try await run("count", name, "--everywhere", "--source-reference", "32632")
      #expect(found.out == "1\n")
      #expect(
        found.err
          == "warning: layer \"t\": --source-reference is not applied: the table has no geometry\n")
    }
  }

  @Test("The option for the spatial reference applies to a document's CSV layer that states none")
  func documentReference() async throws {
    try folder.write("e,n\n500000,5600000\n", to: "p.csv")
    let info = #"{"locationType":"coordinates","longitudeFieldName":"e","latitudeFieldName":"n"}"#
    try folder.write(
      #"{"operationalLayers":[{"id":"c","title":"C","layerType":"CSV","url":"p.csv","locationInfo":\#(info)}]}"#,
      to: "map.json")
    let found = try await run(
      "count", "map.json", "--source-reference", "32632", "--bounds", "8.9,50,9.1,51", "--strict")
    #expect(found.out == "1\n" && found.code == 0, "\(found)")
  }

  @Test("GeoJSON in another encoding is refused with the option, and read with it")
  func encodings() async throws {
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":"Zürich"},"geometry":null}]}"#
    try #require(text.data(using: .isoLatin1)).write(to: folder.url("f.geojson"))
    let refused = try await run("query", "f.geojson", "--format", "csv")
    #expect(refused.code == 2)
    #expect(refused.err.contains("as in --encoding latin1"), "\(refused)")
    let read = try await run("query", "f.geojson", "--format", "csv", "--encoding", "latin1")
    #expect(read.out.contains("Zürich"), "\(read)")
  }

  @Test(
    "An Esri feature set in another encoding is refused with the option, and read with it or by its mark",
    arguments: [String.Encoding.isoLatin1, .utf16])
  func esriEncodings(_ encoding: String.Encoding) async throws {
    let text = """
      {"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
      "fields":[{"name":"a","type":"esriFieldTypeString"}],
      "features":[{"attributes":{"a":"Zürich"},"geometry":{"x":8.5,"y":47.4}}]}
      """
    try #require(text.data(using: encoding)).write(to: folder.url("f.json"))
    if encoding == .isoLatin1 {
      let refused = try await run("query", "f.json", "--format", "csv")
      #expect(refused.code == 2)
      #expect(refused.err.contains("as in --encoding latin1"), "\(refused)")
    }
    let options = encoding == .isoLatin1 ? ["--encoding", "latin1"] : []
    let read = try await Tool.run(["query", "f.json", "--format", "csv"] + options, folder: folder.root)
    #expect(read.out.contains("Zürich"), "\(read)")
  }

  @Test("A warning of a document's file is printed once, by drawing and by counting")
  func printedOnce() async throws {
    try folder.write("x,y\n1,2\n9,NaN\n", to: "p.csv")
    let info = #"{"locationType":"coordinates","longitudeFieldName":"x","latitudeFieldName":"y"}"#
    try folder.write(
      #"{"operationalLayers":[{"id":"c","title":"C","layerType":"CSV","url":"p.csv","locationInfo":\#(info)}]}"#,
      to: "map.json")
    let drawn = try await run("render", "map.json", "-o", "x.png", "--report", "r.json")
    #expect(drawn.err.split(separator: "\n").count == 1, "\(drawn)")
    #expect(drawn.err.contains("$.operationalLayers[0]: layer \"C\": line 3: coordinates"), "\(drawn)")
    let counted = try await run("count", "map.json")
    #expect(counted.err == drawn.err)
  }

  @Test("A GeoPackage under another name is read without a warning")
  func renamed() async throws {
    try folder.write("a,longitude,latitude\n1,8,50\n", to: "p.csv")
    #expect(try await run("query", "p.csv", "-o", "p.gpkg").code == 0)
    try FileManager.default.moveItem(at: folder.url("p.gpkg"), to: folder.url("noname"))
    let found = try await run("count", "noname", "--everywhere", "--strict")
    #expect(found.out == "1\n" && found.code == 0, "\(found)")
  }

  @Test("Curves in a CSV file and in Esri JSON are lines, with one warning that counts them")
  func curves() async throws {
    try folder.write(
      "id,wkt\n1,\"CIRCULARSTRING (0 0, 1 1, 2 0)\"\n2,\"LINESTRING (5 5, 6 6)\"\n", to: "c.csv")
    let csv = try await run("count", "c.csv", "--bounds", "0.9,0.9,1.1,1.1")
    #expect(csv.out == "1\n", "\(csv)")
    #expect(csv.err.contains("line 2: curves became lines, with a vertex every degree of an arc"), "\(csv)")
    try folder.write(
      #"{"geometryType":"esriGeometryPolyline","spatialReference":{"wkid":4326},"features":[{"attributes":{"a":1},"geometry":{"curvePaths":[[[0,0],{"c":[[2,0],[1,1]]}]]}}]}"#,
      to: "e.json")
    let esri = try await run("count", "e.json", "--bounds", "0.9,0.9,1.1,1.1")
    #expect(esri.out == "1\n", "\(esri)")
    #expect(esri.err.contains("1 geometry: curves became lines"), "\(esri)")
  }

  @Test("Fields of tables without geometry are coordinates in every format")
  func pointFields() async throws {
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"e":8.5,"n":"50","k":1},"geometry":null},{"type":"Feature","properties":{"e":null,"n":"51","k":2},"geometry":null}]}"#,
      to: "t.geojson")
    try folder.write(
      #"{"features":[{"attributes":{"e":8.5,"n":50}},{"attributes":{"e":20,"n":50}}]}"#, to: "t.json")
    try folder.write("e,n\n8.5,50\n20,50\n", to: "t.csv")
    #expect(try await run("query", "t.csv", "-o", "t.gpkg").code == 0)
    for name in ["t.geojson", "t.json", "t.gpkg"] {
      let found = try await run("count", name, "--x", "e", "--y", "N", "--bounds", "8,49,9,51")
      #expect(found.out == "1\n", "\(name) \(found)")
    }
    let half = try await run("count", "t.geojson", "--x", "e", "--y", "n", "--everywhere")
    #expect(half.err.contains("1 row with one coordinate of two was read without geometry"), "\(half)")
    let wrong = try await run("count", "t.geojson", "--x", "ee", "--y", "n", "--everywhere")
    #expect(wrong.code == 2 && wrong.err.contains(#"no field named "ee"; did you mean "e"?"#), "\(wrong)")
    try folder.write("a,longitude,latitude\n1,8,50\n", to: "p.csv")
    #expect(try await run("query", "p.csv", "-o", "p.geojson").code == 0)
    let own = try await run("count", "p.geojson", "--x", "a", "--y", "a", "--everywhere")
    #expect(own.code == 2 && own.err.contains("this one has geometries of its own"), "\(own)")
  }

  @Test("Percentiles of dates are timestamps, also in conditions and orders")
  func datePercentiles() async throws {
    try folder.write(
      "g,t\na,2020-01-01T00:00:00Z\na,2020-01-02T00:00:00Z\nb,2021-01-01T00:00:00Z\nb,\n", to: "t.csv")
    let found = try await run(
      "statistics", "t.csv", "--statistic", "median:t:m", "--statistic", "percentile:25:t:q", "--group-by",
      "g",
      "--order-by", "m:desc", "--format", "csv")
    #expect(
      found.out == """
        g,m,q
        b,2021-01-01T00:00:00Z,2021-01-01T00:00:00Z
        a,2020-01-01T12:00:00Z,2020-01-01T06:00:00Z

        """, "\(found)")
    let kept = try await run(
      "statistics", "t.csv", "--statistic", "median:t:m", "--group-by", "g", "--having",
      "m > TIMESTAMP '2020-06-01 00:00:00'", "--format", "csv")
    #expect(kept.out == "g,m\nb,2021-01-01T00:00:00Z\n", "\(kept)")
    try folder.write("d\n2020-01-01\n2020-01-02\n", to: "d.csv")
    let days = try await run("statistics", "d.csv", "--statistic", "median:d", "--format", "csv")
    #expect(days.out == "MEDIAN_d\n2020-01-01\n", "\(days)")
  }

  @Test("A class without a label is counted under its values or bounds")
  func classNames() async throws {
    try folder.write("n,k,longitude,latitude\n1,x,8,50\n5,y,9,51\n", to: "p.csv")
    func document(_ renderer: String) -> String {
      #"{"operationalLayers":[{"id":"c","title":"C","layerType":"CSV","url":"p.csv","layerDefinition":{"drawingInfo":{"renderer":\#(renderer)}}}]}"#
    }
    let symbol = #"{"type":"esriSMS","style":"esriSMSCircle","size":8,"color":[1,2,3,255]}"#
    try folder.write(
      document(
        #"{"type":"classBreaks","field":"n","minValue":0,"classBreakInfos":[{"classMaxValue":2,"symbol":\#(symbol)},{"classMaxValue":7.5,"symbol":\#(symbol)}]}"#
      ), to: "a.json")
    let breaks = try await run("count", "a.json", "--everywhere", "--by-class")
    #expect(breaks.out == "0 to 2\t1\n2 to 7.5\t1\n(no class)\t0\n", "\(breaks)")
    try folder.write(
      document(
        #"{"type":"uniqueValue","field1":"k","uniqueValueInfos":[{"value":"x","symbol":\#(symbol)}]}"#),
      to: "u.json")
    let unique = try await run("count", "u.json", "--everywhere", "--by-class")
    #expect(unique.out == "x\t1\n(no class)\t1\n", "\(unique)")
  }
}
