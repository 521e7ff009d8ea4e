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

  static func drawing(
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
  static func style(_ rule: String) -> String {
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

  @Test("Scales that contradict each other, a second filter, and one beside ElseFilter are reported")
  func contradictions() throws {
    let condition = """
      <ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>pop</ogc:PropertyName><ogc:Literal>5</ogc:Literal>
      </ogc:PropertyIsEqualTo></ogc:Filter>
      """
    let symbol = "<PointSymbolizer><Graphic/></PointSymbolizer>"
    for (content, message) in [
      (
        "<MinScaleDenominator>500</MinScaleDenominator><MaxScaleDenominator>100</MaxScaleDenominator>",
        "not drawn: the rule is never drawn: MinScaleDenominator is not below MaxScaleDenominator"
      ),
      (condition + condition, "not drawn: given before; the first Filter is used"),
      ("<ElseFilter/>" + condition, "not drawn: a rule with ElseFilter has no other filter"),
    ] {
      let drawing = try Self.drawing(Self.style("<Rule>\(content)\(symbol)</Rule>"))
      #expect(drawing.warnings.map(\.message) == [message])
    }
  }

  @Test("Conditions that are made of thousands of others are left out, with a note")
  func manyRules() throws {
    let rules = (0..<2000).map { number in
      """
      <Rule><MinScaleDenominator>\(number)</MinScaleDenominator><MaxScaleDenominator>\(number + 5000)</MaxScaleDenominator>
      <ogc:Filter><ogc:PropertyIsGreaterThan><ogc:PropertyName>pop</ogc:PropertyName><ogc:Literal>\(number)</ogc:Literal>
      </ogc:PropertyIsGreaterThan></ogc:Filter><PointSymbolizer><Graphic/></PointSymbolizer></Rule>
      """
    }.joined()
    let first = try Self.drawing(
      Self.style(rules + "<VendorOption name=\"ruleEvaluation\">first</VendorOption>"))
    #expect(first.renderer.rules.count == 2000)
    #expect(first.warnings.count == 1)
    let label = "<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label></TextSymbolizer>"
    let labelled = try Self.drawing(Self.style(rules + "<Rule><ElseFilter/>\(label)</Rule>"))
    #expect(labelled.renderer.rules.count == 2001)
    #expect(labelled.labels.isEmpty)
    #expect(labelled.warnings.count == 1)
  }

  @Test("A style is told from other XML by its first element, also in UTF-16")
  func recognised() throws {
    let style = "<?xml version=\"1.0\"?>\n<!-- <kml/> -->\n" + Self.style("<Rule/>")
    #expect(StyledLayerDocument.isStyle(Array(style.utf8)))
    #expect(StyledLayerDocument.isStyle(Array("<sld:UserStyle xmlns:sld=\"a\"/>".utf8)))
    #expect(!StyledLayerDocument.isStyle(Array("<!-- <UserStyle/> --><kml/>".utf8)))
    #expect(!StyledLayerDocument.isStyle(Array("{}".utf8)))
    let units = Array(Self.style("<Rule/>").utf16)
    let wide: [UInt8] = [0xFE, 0xFF] + units.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    #expect(StyledLayerDocument.isStyle(wide))
    #expect(try StyledLayerDocument(wide).names == ["points"])
  }

  @Test("Labels in a pass of their own lie beside the symbols of the other passes")
  func labelsOfOtherPasses() throws {
    let text = """
      <TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><LabelPlacement><PointPlacement>
      <Displacement><DisplacementX>9</DisplacementX><DisplacementY>0</DisplacementY></Displacement></PointPlacement>
      </LabelPlacement></TextSymbolizer>
      """
    let symbol = "<PointSymbolizer><Graphic><Mark/><Size>10</Size></Graphic></PointSymbolizer>"
    for rules in [
      "<Rule>\(symbol)\(text)</Rule>",
      "<Rule>\(symbol)</Rule></FeatureTypeStyle><FeatureTypeStyle><Rule>\(text)</Rule>",
    ] {
      #expect(try Self.drawing(Self.style(rules)).labels.map(\.offsetDistance) == [4])
    }
  }

  @Test("A written label that styles say otherwise is reported by the names of what differs")
  func writtenLabels() throws {
    var label = LabelDefinition(
      expression: .simple("[name]"), textSymbol: TextSymbol(color: .black, size: 12))
    (label.placement, label.offsetDistance) = (.pointAboveRight, 3)
    let renderer = RendererForm.simple(
      SimpleRenderer(form: .marker(SimpleMarkerSymbol(color: .black, size: 10))))
    func losses(_ change: (inout LabelDefinition) -> Void) throws -> [String] {
      var changed = label
      change(&changed)
      let kind: GeometryKind = .point
      return try StyledLayerText(layer: "a", kind: kind, renderer: renderer, labels: [changed]).losses.map(
        \.message)
    }
    #expect(try losses { _ in }.isEmpty)
    #expect(try losses { $0.deconflictionStrategy = .dynamic }.isEmpty)
    #expect(try losses { $0.stacking = LabelStacking(rowLength: 12) }.isEmpty)
    #expect(try losses { $0.textOrientation = .direction }.isEmpty)
    #expect(
      try losses { $0.priority = 3 } == [
        "layer \"a\": styles do not say all of the label \"[name]\": priority"
      ])
    #expect(
      try losses { ($0.textLayout, $0.textSymbol.backgroundColor) = (.perpendicular, .black) } == [
        "layer \"a\": styles do not say all of the label \"[name]\": direction of letters, text symbol"
      ])
  }

  @Test("A value between two classes is drawn by the first, and the order of features is written")
  func writtenClasses() throws {
    let symbol = SymbolForm.marker(SimpleMarkerSymbol(color: .black, size: 10))
    var breaks = ClassBreaksRenderer(
      fieldName: "pop",
      classBreaks: [(0.0, 0.0), (0.0, 4.0)].map {
        .init(minimum: $0.0, maximum: $0.1, label: "", symbol: symbol)
      })
    breaks.includesLowestMinimum = true
    let text = try StyledLayerText(
      layer: "a", kind: .point, renderer: .classBreaks(breaks), labels: [],
      order: [DrawingOrder(fieldName: "pop", direction: .ascending)]
    ).text
    let drawing = try Self.drawing(text)
    #expect(drawing.renderer.rules.map(\.filter) == ["pop >= 0 AND pop <= 0", "pop > 0 AND pop <= 4"])
    #expect(drawing.renderer.passes.map(\.drawingOrder).first?.map(\.fieldName) == ["pop"])
    #expect(text.contains("<VendorOption name=\"sortBy\">pop D</VendorOption>"))
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
          layer: "points", kind: kind, renderer: .rules(first.renderer), labels: first.labels)
        guard written.losses.isEmpty, first.warnings.isEmpty else { continue }
        count += 1
        let second = try Self.drawing(written.text, kind)
        #expect(second.renderer.rules.map(\.filter) == first.renderer.rules.map(\.filter), "\(file.path)")
        let again = try StyledLayerText(
          layer: "points", kind: kind, renderer: .rules(second.renderer), labels: second.labels)
        #expect(again.text == written.text, "\(file.path)")
      }
    }
    #expect(count > 25)
  }
}
