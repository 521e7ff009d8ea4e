import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Cases of documents that describe layers or drawings and are no web maps.
@Suite struct LayerDocumentTests {
  let folder: ScratchFolder

  /// The forms of documents, with the layer that a case shows.
  private static let forms = [
    "layers", "single", "resource with features", "resource", "drawing", "renderer",
  ]

  init() throws {
    folder = try ScratchFolder()
    try folder.write(Self.points.text(), to: "points.json")
  }

  private static let fields: JSONValue = [
    ["name": "n", "type": "esriFieldTypeInteger"], ["name": "kind", "type": "esriFieldTypeString"],
  ]
  private static let features: JSONValue = .array(
    (0..<6).map { n in
      [
        "attributes": ["n": .number(n), "kind": .string(n.isMultiple(of: 2) ? "a" : "b")],
        "geometry": ["x": .number(20 + n * 20), "y": 30],
      ]
    })
  private static let points: JSONValue = [
    "geometryType": "esriGeometryPoint", "spatialReference": ["wkid": 3857], "fields": fields,
    "features": features,
  ]

  /// Writes the document of a case in a form, with a text replaced.
  private func write(_ form: String, _ text: String = "", by other: String = "") throws {
    func info(_ value: String, _ color: String) -> String {
      #"{"value": "\#(value)", "label": "\#(value)", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": \#(color), "size": 9}}"#
    }
    let renderer =
      #"{"type": "uniqueValue", "field1": "kind", "uniqueValueInfos": [\#(info("a", "[200, 0, 0, 255]")), \#(info("b", "[0, 0, 200, 255]"))]}"#
    let labels =
      #"[{"labelExpression": "[n]", "name": "numbers", "symbol": {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"size": 8}}}]"#
    let drawing = #"{"renderer": \#(renderer), "labelingInfo": \#(labels)}"#
    let definition =
      #""name": "Points", "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857}, "fields": \#(Self.fields.text()), "minScale": 100000, "drawingInfo": \#(drawing)"#
    let layer =
      #"{"layerDefinition": {\#(definition)}, "featureSet": {"features": \#(Self.features.text())}}"#
    let document =
      switch form {
      case "layers": #"{"layers": [\#(layer)]}"#
      case "single": layer
      case "resource with features": #"{\#(definition), "features": \#(Self.features.text())}"#
      case "resource": "{\(definition)}"
      case "drawing": drawing
      default: renderer
      }
    #expect(document.contains(text) || text.isEmpty, "\(form)")
    try folder.write(text.isEmpty ? document : document.replacing(text, with: other), to: "document.json")
    let data = ["resource", "drawing", "renderer"].contains(form) ? #""data": "../../points.json", "# : ""
    try folder.write(
      #"{"document": "../../document.json", \#(data)"size": [140, 60], "bounds": "0,0,140,60,3857"}"#,
      to: "cases/one/case.json")
  }

  private func snapshot(_ words: String...) async throws -> Tool.Run {
    try await Tool.run(["snapshot"] + words, folder: folder.root)
  }

  @Test(
    "A change of a renderer, label or scale range is named by layer, class and property", arguments: forms)
  func changes(form: String) async throws {
    try write(form)
    let recorded = try await snapshot("record", "cases", "--all")
    try #require(recorded.code == 0, "\(recorded)")
    #expect(try await snapshot("verify", "cases").code == 0)
    let layer =
      switch form {
      case "drawing", "renderer": "drawing"
      case "single", "resource with features": "document"
      default: "Points"
      }
    for (text, other, change) in [
      ("[200, 0, 0, 255]", "[203, 0, 0, 255]", "a › fill color: #c80000ff → #cb0000ff; 3 features"),
      (
        "esriSMSSquare\", \"color\": [0,", "esriSMSCircle\", \"color\": [0,",
        "b › marker style: square → circle; 3 features"
      ),
      ("\"size\": 8", "\"size\": 9", "numbers › font size: 8 → 9"),
      ("[n]", "[kind]", "numbers › label text expression"),
      (
        "\"minScale\": 100000", "\"minScale\": 200000",
        "scale range: minScale 100000, maxScale none → minScale 200000"
      ),
    ] {
      if form == "renderer", !change.contains("features") { continue }
      if form == "drawing", change.hasPrefix("scale") { continue }
      try write(form, text, by: other)
      let run = try await snapshot("verify", "cases", "--format", "github")
      #expect(run.code == 1, "\(form): \(run)")
      let name = change.hasPrefix("numbers") ? "\(layer) labels" : layer
      #expect(run.out.contains("\n\t- \(name) › \(change)"), "\(form): \(run)")
      #expect(run.out.contains("::error file=document.json,line=1,"), "\(form): \(run)")
    }
  }

  @Test("A file of features warns of the members of its layer that have no effect there")
  func unusedMembers() async throws {
    try write("layers", "\"minScale\": 100000", by: "\"definitionExpression\": \"n < 3\", \"orderBy\": []")
    let run = try await Tool.run(["count", "document.json"], folder: folder.root)
    #expect(run.code == 0 && run.out == "6\n", "\(run)")
    #expect(
      run.err.contains(
        "$.layers[0].layerDefinition.definitionExpression: has no effect in a file of features; add the layer to a web map"
      ), "\(run)")
    #expect(!run.err.contains("orderBy"), "\(run)")
  }

  @Test("Data of a case that no layer needs are an error")
  func unusedData() async throws {
    try folder.write(
      #"{"document": "../../points.json", "data": "../../points.json", "size": [40, 40]}"#,
      to: "cases/one/case.json")
    let run = try await snapshot("verify", "cases")
    #expect(run.code == 2, "\(run)")
    #expect(run.out.contains("has no use"), "\(run)")
  }
}
