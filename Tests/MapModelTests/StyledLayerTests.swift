import Foundation
import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapSystem
import Testing

/// Styles that were written from the standard, in the manner of published collections, as data of the tests.
@Suite struct StyledLayerTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases/SLD")

  /// The fields of the collection's data.
  private static let fields: [(String, FieldType)] = [
    ("name", .text), ("pop", .int64), ("kind", .text), ("type", .text), ("lanes", .int64), ("area", .int64),
    ("use", .text),
  ]

  private static func drawing(
    _ text: String, _ kind: GeometryKind = .point, named name: String? = nil
  ) throws -> StyledLayerDocument.Drawing {
    let document = try StyledLayerDocument(Array(text.utf8))
    let schema = FeatureSchema(
      fields: fields.map { Field(name: $0.0, type: $0.1) }, geometryKind: kind, spatialReference: .wgs84)
    let known = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    return document.drawing(of: try document.style(named: name, for: "points"), for: (schema, known)) { _ in
      .failure(SymbolPictureError("no images"))
    }
  }

  /// Returns a style with one rule.
  private static func style(_ rule: String) -> String {
    """
    <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
    <NamedLayer><Name>points</Name><UserStyle><FeatureTypeStyle>\(rule)</FeatureTypeStyle></UserStyle></NamedLayer>
    </StyledLayerDescriptor>
    """
  }

  @Test("Every style of the collection has rules without losses, but for images that are missing")
  func collection() throws {
    let kinds: [(String, GeometryKind)] = [("points", .point), ("lines", .polyline), ("polygons", .polygon)]
    var count = 0
    for (folder, kind) in kinds {
      let files = try FileManager.default.contentsOfDirectory(
        at: Self.folder.appending(path: folder), includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "sld" {
        count += 1
        let drawing = try Self.drawing(String(contentsOf: file, encoding: .utf8), kind)
        let isImage = file.lastPathComponent == "image.sld"
        #expect(drawing.renderer.rules.isEmpty == isImage, "\(file.lastPathComponent)")
        #expect(drawing.warnings.isEmpty != isImage, "\(file.lastPathComponent): \(drawing.warnings)")
      }
    }
    #expect(count >= 40)
  }

  @Test("Scale denominators of the standard are converted from pixels of 0.28 mm")
  func scales() throws {
    let rule = """
      <Rule><MinScaleDenominator>1000</MinScaleDenominator><MaxScaleDenominator>100000</MaxScaleDenominator>
      <PointSymbolizer/></Rule>
      """
    let found = try #require(
      Self.drawing(
        Self.style(
          rule.replacing("<PointSymbolizer/>", with: "<PointSymbolizer><Graphic/></PointSymbolizer>"))
      ).renderer.rules.first)
    #expect(abs(found.maxScale - 1058.2656) < 0.001)
    #expect(abs(found.minScale - 105_826.56) < 0.01)
  }

  @Test("An unknown element is reported with its line, its path and the nearest name")
  func unknownElement() throws {
    let text = Self.style("\n<Rule><LineSymbolizer>\n<Strok/><Stroke/></LineSymbolizer></Rule>")
    let warning = try #require(Self.drawing(text, .polyline).warnings.first)
    #expect(warning.line == 4)
    #expect(warning.path == "NamedLayer/UserStyle/FeatureTypeStyle/Rule/LineSymbolizer/Strok")
    #expect(warning.message == #"not drawn: unknown element; did you mean "Stroke"?"#)
    #expect(warning.outcome == .dropped)
  }

  @Test("A literal has the type of the field that it is compared with")
  func literals() throws {
    func filter(_ field: String, _ literal: String) throws -> String? {
      let condition = """
        <ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>\(field)</ogc:PropertyName>
        <ogc:Literal>\(literal)</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>
        """
      return try Self.drawing(
        Self.style("<Rule>\(condition)<PointSymbolizer><Graphic/></PointSymbolizer></Rule>")
      ).renderer.rules.first?.filter
    }
    #expect(try filter("pop", "5") == "pop = 5")
    #expect(try filter("NAME", "5") == "name = '5'")
    #expect(try filter("nam", "5") == nil)
  }

  @Test("A document that declares entities, or another vocabulary, is refused")
  func refused() {
    let entities = "<!DOCTYPE a [<!ENTITY b \"c\">]><StyledLayerDescriptor/>"
    #expect(throws: MapStateError.self) { try StyledLayerDocument(Array(entities.utf8)) }
    let deep = String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)
    #expect(throws: MapStateError.self) { try StyledLayerDocument(Array(deep.utf8)) }
    #expect(throws: MapStateError.self) { try StyledLayerDocument(Array("<kml/>".utf8)) }
  }

  @Test("A style is chosen by the name of its layer, of itself, or both")
  func names() throws {
    let text = """
      <StyledLayerDescriptor version="1.0.0">
      <NamedLayer><Name>roads</Name><UserStyle><Name>day</Name></UserStyle>
      <UserStyle><Name>night</Name><IsDefault>1</IsDefault></UserStyle></NamedLayer>
      <NamedLayer><Name>rivers</Name><UserStyle><Name>blue</Name></UserStyle></NamedLayer>
      </StyledLayerDescriptor>
      """
    let document = try StyledLayerDocument(Array(text.utf8))
    #expect(document.names == ["roads/day", "roads/night", "rivers/blue"])
    #expect(try document.style(named: "roads", for: "x").name == "night")
    #expect(try document.style(named: "roads/day", for: "x").name == "day")
    #expect(try document.style(named: "blue", for: "x").layer == "rivers")
    #expect(try document.style(named: nil, for: "rivers").name == "blue")
    #expect(throws: MapStateError.self) { try document.style(named: nil, for: "x") }
    #expect(throws: MapStateError.self) { try document.style(named: "road", for: "x") }
  }

  @Test("Written styles of the collection are read back as the same rules")
  func roundTrip() throws {
    let kinds: [(String, GeometryKind)] = [("points", .point), ("lines", .polyline), ("polygons", .polygon)]
    var count = 0
    for (folder, kind) in kinds {
      let files = try FileManager.default.contentsOfDirectory(
        at: Self.folder.appending(path: folder), includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "sld" {
        let first = try Self.drawing(String(contentsOf: file, encoding: .utf8), kind)
        let written = try StyledLayerText(
          layer: "points", renderer: .rules(first.renderer), labels: first.labels)
        guard written.losses.isEmpty, first.warnings.isEmpty else { continue }
        count += 1
        let second = try Self.drawing(written.text, kind)
        #expect(second.renderer.rules.map(\.filter) == first.renderer.rules.map(\.filter), "\(file.path)")
        let again = try StyledLayerText(
          layer: "points", renderer: .rules(second.renderer), labels: second.labels)
        #expect(again.text == written.text, "\(file.path)")
      }
    }
    #expect(count > 25)
  }
}
