import Foundation
import MapJSON
import MapSnapshots
import MapState
import Testing

/// Changes of a document that several cases share: outcomes, named properties, common causes and marked areas.
@Suite final class StyleChangeTests {
  private let root: String
  private var report: String { "\(root)-report" }

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "mapstate-\(UUID().uuidString)").path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
    try? FileManager.default.removeItem(atPath: "\(root)-report")
  }

  private static func square(_ color: String) -> String {
    #"{"type": "esriSMS", "style": "esriSMSSquare", "color": \#(color), "size": 9}"#
  }

  private static func unique(_ classes: [(value: String, symbol: String)], _ more: String = "") -> String {
    let infos = classes.map {
      #"{"value": "\#($0.value)", "label": "\#($0.value)", "symbol": \#($0.symbol)}"#
    }.joined(separator: ",")
    return #"{"type": "uniqueValue", "field1": "kind"\#(more), "uniqueValueInfos": [\#(infos)]}"#
  }

  private static let classes = [
    (value: "a", symbol: square("[200, 0, 0]")), (value: "b", symbol: square("[0, 0, 200]")),
  ]

  /// Writes the document: points of kind a on the left and of kind b on the right of the middle.
  private func write(
    _ renderer: String = unique(classes), title: String = "Points", labels: String = ""
  ) throws {
    let points = [("a", -60, 40), ("b", 60, 40), ("a", -60, -40), ("b", 60, -40)].map {
      #"{"attributes": {"kind": "\#($0)", "n": 4}, "geometry": {"x": \#($1), "y": \#($2)}}"#
    }
    let text = """
      {"operationalLayers": [{"id": "p", "title": "\(title)", \(labels.isEmpty ? "" : #""showLabels": true,"#)
       "featureCollection": {"layers": [{
       "layerDefinition": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857},
         "fields": [{"name": "kind", "type": "esriFieldTypeString"}, {"name": "n", "type": "esriFieldTypeInteger"}],
         "drawingInfo": {"renderer": \(renderer)\(labels.isEmpty ? "" : ", \"labelingInfo\": [\(labels)]")}},
       "featureSet": {"features": [\(points.joined(separator: ","))]}}]}}]}
      """
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(root)/map.json"))
  }

  private func add(_ name: String, _ members: String = "") throws {
    try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    let text = """
      {"document": "../../map.json", "size": [200, 150], \(members)
       "viewpoint": {"center": {"x": 0, "y": 0, "spatialReference": {"wkid": 3857}}, "scale": 3779.52}}
      """
    try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)/case.json"))
  }

  private func record() async throws {
    for name in try SnapshotRun(root: root).names { try await SnapshotCase(name, in: root).record() }
  }

  private func verify() async throws -> [SnapshotResult] {
    var results: [SnapshotResult] = []
    try await SnapshotRun(root: root).verify { result throws(MapStateError) in results.append(result) }
    return results
  }

  private func verifiedReport() async throws -> JSONNode {
    var written = try SnapshotReport(folder: report, root: root)
    for result in try await verify() { try written.add(result) }
    try written.write()
    return JSONNode(
      try JSONValue(parsing: String(contentsOfFile: "\(report)/report.json", encoding: .utf8)))
  }

  @Test("A removed class is a change of style in the cases that show it, and its image cannot be accepted")
  func removedClass() async throws {
    try write()
    try add("classes/a", #""only": {"layer": "Points", "class": 0},"#)
    try add("classes/b", #""only": {"layer": "Points", "class": 1},"#)
    try await record()
    try write(Self.unique([Self.classes[0]]))
    let results = try await verify()
    #expect(results.map(\.outcome.word) == ["same", "style-differs"])
    #expect(results[1].outcome.detail?.contains("no longer has class 1 of \"Points\"") == true)
    #expect(results[1].changes.first?.cause == "Points › b › class: present → removed")
    let json = try await verifiedReport()
    let entry = try #require(try json.elements("cases").last)
    #expect(entry["accept"] == nil)
    #expect(try SnapshotAcceptance(reportFolder: report, root: root).names.isEmpty)
    // Recording keeps the error, because the image would show nothing.
    let error = await #expect(throws: MapStateError.self) {
      try await SnapshotCase("classes/b", in: self.root).record()
    }
    #expect(error?.description.contains("no class 1; the renderer has 1 classes") == true)
    // Without a reference, a wrong class is a mistake in the case.
    try add("classes/c", #""only": {"layer": "Points", "class": 7},"#)
    #expect(try await verify().last?.outcome.word == "error")
  }

  @Test("A removed layer and a removed default symbol are changes of style, too")
  func removedLayer() async throws {
    try write(Self.unique([Self.classes[0]], #", "defaultSymbol": \#(Self.square("[0, 90, 0]"))"#))
    try add("classes/default", #""only": {"layer": "Points", "class": -1},"#)
    try await record()
    try write(Self.unique([Self.classes[0]]))
    let first = try await verify()
    #expect(first.map(\.outcome.word) == ["style-differs"])
    #expect(first[0].changes.first?.cause.contains("default symbol: present → removed") == true)
    try write(title: "Other")
    let second = try await verify()
    #expect(second.map(\.outcome.word) == ["style-differs"])
    #expect(second[0].outcome.detail?.contains("no longer has the layer \"Points\"") == true)
  }

  @Test("A change of a rule is named by rule, symbol and parameter")
  func rules() async throws {
    func rules(_ more: String = "", filter: String = "kind = 'a'", color: String = "[0, 90, 0]") -> String {
      let symbols = [Self.square("[200, 0, 0]"), Self.square(color)]
      let left =
        #"{"name": "left"\#(more), "where": "\#(filter)", "symbol": {"type": "CompositeSymbol", "symbols": [\#(symbols.joined(separator: ", "))]}}"#
      let rest = #"{"name": "rest", "else": true, "symbol": \#(Self.square("[0, 0, 200]"))}"#
      return #"{"type": "rules", "passes": [{"rules": [\#(left), \#(rest)]}]}"#
    }
    try write(rules())
    try add("all/points")
    try await record()
    #expect(try await verify().map(\.outcome.word) == ["same"])
    for (renderer, cause) in [
      (rules(color: "[0, 90, 90]"), "Points › left › symbol 2 fill color: #005a00ff → #005a5aff"),
      (rules(filter: "kind = 'b'"), "Points › left › rule filter (where): kind = 'a' → kind = 'b'"),
      (
        rules(#", "minScale": 1000"#),
        "Points › left › scale range: minScale none, maxScale none → minScale 1000, maxScale none"
      ),
    ] {
      try write(renderer)
      let result = try #require(try await verify().first)
      #expect(result.outcome.isFailure)
      #expect(result.changes.map(\.cause).contains(cause), "\(result.changes.map(\.cause))")
    }
  }

  @Test("The order of rules that draw one feature is named")
  func orderOfRules() async throws {
    func rules(_ names: String...) -> String {
      let rules = names.map { name in
        let symbol = Self.square(name == "low" ? "[200, 0, 0]" : "[0, 0, 200]")
        return #"{"name": "\#(name)", "symbol": \#(symbol)}"#
      }
      return #"{"type": "rules", "passes": [{"rules": [\#(rules.joined(separator: ", "))]}]}"#
    }
    try write(rules("low", "high"))
    try add("all/points")
    try await record()
    try write(rules("high", "low"))
    let result = try #require(try await verify().first)
    #expect(result.outcome.isFailure)
    let cause = "Points › low › order of rules: below \"high\" → above \"high\""
    #expect(result.changes.map(\.cause).contains(cause), "\(result.changes.map(\.cause))")
  }

  @Test("A colour of a style that features decide is named")
  func decidedColor() async throws {
    let styles = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../MapModelTests/Cases/SLD").standardizedFileURL
    try FileManager.default.createDirectory(atPath: "\(root)/towns", withIntermediateDirectories: true)
    let style = try String(contentsOf: styles.appending(path: "points/recode.sld"), encoding: .utf8)
    try Data(contentsOf: styles.appending(path: "points.geojson"))
      .write(to: URL(filePath: "\(root)/towns/points.geojson"))
    try Data(#"{"document": "points.geojson", "style": "style.sld", "size": [200, 150]}"#.utf8)
      .write(to: URL(filePath: "\(root)/towns/case.json"))
    try Data(style.utf8).write(to: URL(filePath: "\(root)/towns/style.sld"))
    try await record()
    try Data(style.replacing("#00aa00", with: "#00b400").utf8)
      .write(to: URL(filePath: "\(root)/towns/style.sld"))
    let result = try #require(try await verify().first)
    #expect(result.outcome.isFailure)
    let cause = try #require(result.changes.first?.cause)
    #expect(cause.hasPrefix("points › (all features) › shape 1 color by features: "), "\(cause)")
  }

  @Test("A cause is counted once for each case that it fails, and the cause of most cases comes first")
  func causes() async throws {
    try write()
    try add("all/first")
    try add("all/second")
    try add("all/third", #""only": {"layer": "Points", "class": 1},"#)
    try await record()
    try write(Self.unique([("a", Self.square("[210, 0, 0]")), ("b", Self.square("[0, 0, 210]"))]))
    let causes = try await verifiedReport().elements("causes")
    #expect(
      try causes.map { try $0.string("cause") } == [
        "Points › b › fill color: #0000c8ff → #0000d2ff", "Points › a › fill color: #c80000ff → #d20000ff",
      ])
    let cases = try causes.map { try $0.elements("cases").map { try $0.string() } }
    #expect(cases == [["all/first", "all/second", "all/third"], ["all/first", "all/second"]])
    let accept = try causes.map { try $0.required("accept").string() }
    #expect(accept[1].contains("--cause 2 --report-dir"), "\(accept)")
    #expect(try causes.map { try $0.integer("number") } == [1, 2])
    try write(Self.unique([Self.classes[0], ("b", Self.square("[0, 0, 210]"))]))
    #expect(try await verifiedReport().elements("causes").count == 1)
  }

  @Test("Differing pixels are marked in boxes of whole cells, the one with most pixels first")
  func spots() async throws {
    try write()
    try add("all/points")
    try await record()
    try write(Self.unique([Self.classes[0], ("b", Self.square("[0, 0, 210]"))]))
    let spots = try await verifiedReport().elements("cases")[0].elements("spots").map { box in
      try box.elements().map { try $0.integer() }
    }
    // Squares of 12 by 12 pixels around (160, 35) and (160, 115), in cells of 16 pixels.
    #expect(spots == [[144, 16, 32, 32], [144, 96, 32, 32]])
  }

  @Test("A large differing area is marked in blocks of at most 64 pixels that cover it")
  func blocks() async throws {
    try write(Self.unique([("a", Self.square("[200, 0, 0]").replacing("9}", with: "75}"))]))
    try add("all/points")
    try await record()
    try write(Self.unique([("a", Self.square("[210, 0, 0]").replacing("9}", with: "75}"))]))
    let spots = try await verifiedReport().elements("cases")[0].elements("spots").map { box in
      try box.elements().map { try $0.integer() }
    }
    // Squares of 100 by 100 pixels around (40, 35) and (40, 115) cover columns 0 to 89 and all rows.
    #expect(spots.allSatisfy { $0[2] <= 64 && $0[3] <= 64 })
    #expect(
      Set(spots.map { [$0[0], $0[1]] }) == [[0, 0], [64, 0], [0, 64], [64, 64], [0, 128], [64, 128]])
    #expect(spots.first == [0, 0, 64, 64])
    #expect(spots.map { $0[0] + $0[2] }.max() == 96)
    #expect(spots.map { $0[1] + $0[3] }.max() == 150)
  }

  @Test("A word such as none is a value, not a missing property")
  func noneIsAValue() async throws {
    let symbol = #"{"type": "esriTS", "color": [0, 0, 0, 255], "font": {"size": 9}}"#
    func label(_ more: String = "") -> String {
      #"{"labelExpression": "[kind]", "name": "kinds"\#(more), "symbol": \#(symbol)}"#
    }
    try write(labels: label())
    try add("all/points")
    try await record()
    try write(labels: label(#", "deconflictionStrategy": "none""#))
    let result = try #require(try await verify().first)
    #expect(result.outcome.isFailure)
    #expect(result.changes.first?.property == "deconfliction strategy")
    #expect(result.changes.first?.before == "static")
    #expect(result.changes.first?.after == "none")
  }

  @Test("A visual variable that is dropped is one change, and names its kind")
  func droppedVariable() async throws {
    func variable(_ kind: String, _ member: String, _ low: String, _ high: String) -> String {
      let stops = #"[{"value": 0, "\#(member)": \#(low)}, {"value": 9, "\#(member)": \#(high)}]"#
      return #"{"type": "\#(kind)Info", "field": "n", "stops": \#(stops)}"#
    }
    let size = variable("size", "size", "6", "12")
    let color = variable("color", "color", "[0, 0, 0, 255]", "[250, 0, 0, 255]")
    try write(Self.unique(Self.classes, #", "visualVariables": [\#(color), \#(size)]"#))
    try add("all/points")
    try await record()
    try write(Self.unique(Self.classes, #", "visualVariables": [\#(size)]"#))
    let properties = try await verify().first?.changes.filter { !$0.isEffect }.compactMap(\.cause)
    #expect(properties == ["Points › color variable: present → removed"])
  }

  @Test("Properties of vector markers are named by layer and shape, and a changed shape is one change")
  func vectorMarkers() async throws {
    func marker(_ top: Int, _ color: Int) -> String {
      """
      {"type": "CIMSymbolReference", "symbol": {"type": "CIMPointSymbol", "symbolLayers": [{"type": "CIMVectorMarker",
       "size": 12, "frame": {"xmin": 0, "ymin": 0, "xmax": 20, "ymax": \(top)}, "markerGraphics": [
       {"type": "CIMMarkerGraphic", "geometry": {"rings": [[[0, 0], [20, 0], [10, 20], [0, 0]]]},
        "symbol": {"type": "CIMPolygonSymbol", "symbolLayers": [{"type": "CIMSolidFill", "color": [\(color), 0, 0, 255]}]}}]}]}}
      """
    }
    try write(Self.unique([("a", marker(20, 200))]))
    try add("all/points")
    try await record()
    try write(Self.unique([("a", marker(20, 203))]))
    let color = try await verify().first?.changes.first?.cause
    #expect(
      color == "Points › a › symbol layer 1 shape 1 symbol layer 1 color: #c80000ff → #cb0000ff")
    try write(Self.unique([("a", marker(24, 200))]))
    let shape = try await verify().first?.changes.filter { $0.property?.contains("geometry") == true }
    #expect(shape?.count == 1)
    #expect(shape?.first?.property == "symbol layer 1 shape 1 geometry")
  }
}
