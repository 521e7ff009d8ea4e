import MapDocuments
import MapExpressions
import MapGeometry
import MapModel
import Testing

/// Parts of published styles: what is read of them, and what is reported.
@Suite struct StyledLayerReportTests {
  /// Returns a document with a layer.
  private static func document(_ layer: String) -> String {
    "<StyledLayerDescriptor><NamedLayer><Name>points</Name>\(layer)</NamedLayer></StyledLayerDescriptor>"
  }

  private static let point = "<PointSymbolizer><Graphic><Mark/></Graphic></PointSymbolizer>"

  /// Returns the warnings of a style for a kind of geometries, each with the last element of its path.
  private static func warnings(_ text: String, _ kind: GeometryKind = .point) throws -> [String] {
    try StyledLayerTests.drawing(text, kind).warnings.map {
      "\($0.path.split(separator: "/").last ?? ""): \($0.message)"
    }
  }

  private static func rules(_ text: String, _ kind: GeometryKind = .point) throws -> [RuleRenderer.Rule] {
    try StyledLayerTests.drawing(text, kind).renderer.rules
  }

  @Test(
    "Elements of a layer that have no effect are reported",
    arguments: [
      ("<NamedStyle><Name>a</Name></NamedStyle>", "NamedStyle: not drawn: styles of servers are not read"),
      ("<RemoteOWS/>", "RemoteOWS: not drawn: data of other addresses are not read"),
      ("<InlineFeature/>", "InlineFeature: not drawn: features in the document are not read"),
      ("<title/>", #"title: not drawn: unknown element; did you mean "Title"?"#),
      (
        "<LayerFeatureConstraints><FeatureTypeConstraint><Extent/></FeatureTypeConstraint></LayerFeatureConstraints>",
        "Extent: not drawn: the condition is not evaluated"
      ),
    ])
  func layer(element: String, warning: String) throws {
    let style = "<UserStyle><FeatureTypeStyle><Rule>\(Self.point)</Rule></FeatureTypeStyle></UserStyle>"
    #expect(try Self.warnings(Self.document(element + style)) == [warning])
  }

  @Test("Options of a style, other documents and types of features are reported")
  func style() throws {
    let pass = "<FeatureTypeName>a:roads</FeatureTypeName><OnlineResource/><Rule>\(Self.point)</Rule>"
    let options = "<VendorOption name=\"sortBy\">pop</VendorOption>"
    let found = try Self.warnings(
      Self.document("<UserStyle>\(options)<FeatureTypeStyle>\(pass)</FeatureTypeStyle></UserStyle>"))
    #expect(
      found == [
        "VendorOption: not drawn: the vendor option \"sortBy\" is not known here",
        "FeatureTypeName: approximated: applies to all features, not only to those of the type \"a:roads\"",
        "OnlineResource: not drawn: other documents are not read",
      ])
    let own = "<FeatureTypeName>a:Points</FeatureTypeName><Rule>\(Self.point)</Rule>"
    #expect(
      try Self.warnings(
        Self.document("<UserStyle><FeatureTypeStyle>\(own)</FeatureTypeStyle></UserStyle>")) == [])
  }

  @Test("Elements and parameters that are given again are reported, unless they are equal")
  func repeated() throws {
    let stroke = """
      <Stroke><CssParameter name="stroke-width">1</CssParameter><CssParameter name="stroke-width">2</CssParameter>
      <CssParameter name="stroke">#ff0000</CssParameter><CssParameter name="stroke">#ff0000</CssParameter></Stroke>
      """
    let found = try Self.warnings(
      StyledLayerTests.style("<Rule><LineSymbolizer>\(stroke)<Stroke/></LineSymbolizer></Rule>"), .polyline)
    #expect(
      found == [
        "CssParameter: not drawn: given again in line 2, whose value is used",
        "Stroke[2]: not drawn: given before; the first Stroke is used",
      ])
  }

  @Test("A style beside the layers, and one in a request for a map, are read")
  func placesOfStyles() throws {
    let style =
      "<UserStyle><Name>a</Name><FeatureTypeStyle><Rule>\(Self.point)</Rule></FeatureTypeStyle></UserStyle>"
    let beside = "<StyledLayerDescriptor>\(style)</StyledLayerDescriptor>"
    #expect(try Self.rules(beside).count == 1)
    #expect(try Self.warnings(beside) == [])
    let request = "<GetMap>\(Self.document(style))<BBOX/></GetMap>"
    #expect(try Self.rules(request).count == 1)
    #expect(
      try Self.warnings(request)
        == ["StyledLayerDescriptor: approximated: only the style of the request is read"])
  }

  /// Source: the form of GeoServer's style for all data.
  @Test(
    "Of rules for kinds of geometries, those of the data are drawn without warnings",
    arguments: [
      (GeometryKind.polygon, ["Polygon"]), (.polyline, ["Line"]), (.point, ["Point"]),
    ])
  func generic(kind: GeometryKind, names: [String]) throws {
    func rule(_ name: String, _ function: String, _ literal: String, _ symbolizer: String) -> String {
      """
      <Rule><Name>\(name)</Name><ogc:Filter><ogc:PropertyIsEqualTo>\(function)<ogc:Literal>\(literal)</ogc:Literal>
      </ogc:PropertyIsEqualTo></ogc:Filter>\(symbolizer)</Rule>
      """
    }
    let dimension = "<ogc:Function name=\"dimension\"><ogc:Function name=\"geometry\"/></ogc:Function>"
    let text = StyledLayerTests.style(
      rule("Raster", "<ogc:Function name=\"isCoverage\"/>", "true", "<RasterSymbolizer/>")
        + rule("Polygon", dimension, "2", "<PolygonSymbolizer><Fill/></PolygonSymbolizer>")
        + rule("Line", dimension, "1", "<LineSymbolizer><Stroke/></LineSymbolizer>")
        + rule("Point", dimension, "0", Self.point))
    #expect(try Self.rules(text, kind).map(\.name) == names)
    #expect(try Self.rules(text, kind).map(\.filter) == [""])
    #expect(try Self.warnings(text, kind) == [])
  }

  @Test("A rule for legends alone matches no feature, and one for maps alone is in no legend")
  func inclusion() throws {
    func rule(_ name: String, _ option: String) -> String {
      "<Rule><Name>\(name)</Name>\(Self.point)<VendorOption name=\"inclusion\">\(option)</VendorOption></Rule>"
    }
    let text = StyledLayerTests.style(
      rule("a", "legendOnly") + rule("b", "mapOnly") + "<Rule><ElseFilter/>\(Self.point)</Rule>")
    let rules = try Self.rules(text)
    #expect(rules.map(\.filter) == ["1 = 0", "", ""])
    #expect(rules.map(\.showsInLegend) == [true, false, true])
    let symbol = Self.point.replacing(
      "</Point", with: "<VendorOption name=\"inclusion\">legendOnly</VendorOption></Point")
    #expect(try Self.rules(StyledLayerTests.style("<Rule>\(symbol)</Rule>")).isEmpty)
    #expect(
      try Self.warnings(StyledLayerTests.style("<Rule>\(symbol)</Rule>"))
        == ["VendorOption: approximated: the symbol is left out; legends show what is drawn"])
  }

  @Test(
    "Marks are placed by QGIS's option at one point of a line",
    arguments: [
      ("firstPoint", PlacedMarkerSymbol.Placement.ends(.begin, distance: 0)),
      ("lastPoint", .ends(.end, distance: 0)), ("centralPoint", .onLine(.middle, distance: 0)),
    ])
  func placement(option: String, placement: PlacedMarkerSymbol.Placement) throws {
    let text = StyledLayerTests.style(
      """
      <Rule><LineSymbolizer><VendorOption name="placement">\(option)</VendorOption><Stroke><GraphicStroke><Graphic>
      <Mark/></Graphic></GraphicStroke></Stroke></LineSymbolizer></Rule>
      """)
    guard case .placed(let symbol) = try #require(Self.rules(text, .polyline).first).symbol else {
      Issue.record("no placed marker")
      return
    }
    #expect(symbol.placement == placement)
    #expect(try Self.warnings(text, .polyline) == [])
  }

  @Test("The distance of the marks of a pattern is that of QGIS's option")
  func distance() throws {
    let text = StyledLayerTests.style(
      """
      <Rule><PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>triangle</WellKnownName></Mark>
      <Size>3</Size></Graphic></GraphicFill></Fill><VendorOption name="distance">15,10</VendorOption>
      </PolygonSymbolizer></Rule>
      """)
    guard case .pattern(let fill) = try #require(Self.rules(text, .polygon).first).symbol,
      case .markers(_, let stepX, let stepY, _) = fill.pattern
    else {
      Issue.record("no pattern")
      return
    }
    #expect([stepX, stepY] == [15, 10])
  }

  @Test("A mark of well-known text has its larger side as its size")
  func wellKnownText() throws {
    let text = StyledLayerTests.style(
      """
      <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>wkt://MULTILINESTRING((0 -2, 2 2))</WellKnownName><Stroke/>
      </Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>
      """)
    guard case .vector(let marker) = try #require(Self.rules(text).first).symbol else {
      Issue.record("no marker")
      return
    }
    #expect(marker.shapes.map(\.isClosed) == [false])
    #expect(marker.shapes.first?.parts == [[.init(x: 0, y: -4), .init(x: 4, y: 4)]])
  }

  @Test("Functions on numbers and functions as conditions are read in filters")
  func functions() throws {
    func filter(_ condition: String) throws -> String? {
      let rule = "<Rule><ogc:Filter>\(condition)</ogc:Filter>\(Self.point)</Rule>"
      return try Self.rules(StyledLayerTests.style(rule)).first?.filter
    }
    let part = """
      <ogc:PropertyIsEqualTo><ogc:Function name="strSubstring"><ogc:PropertyName>pop</ogc:PropertyName>
      <ogc:Literal>0</ogc:Literal><ogc:Literal>2</ogc:Literal></ogc:Function><ogc:Literal>12</ogc:Literal>
      </ogc:PropertyIsEqualTo>
      """
    #expect(try filter(part)?.contains("CAST(pop AS VARCHAR)") == true)
    let condition = """
      <ogc:Function name="greaterThan"><ogc:PropertyName>pop</ogc:PropertyName><ogc:Literal>5</ogc:Literal>
      </ogc:Function>
      """
    #expect(try filter(condition) == "pop > 5")
  }

  @Test("Labels with lengths on the ground have those of the middle of the scales")
  func labelLengths() throws {
    let text = StyledLayerTests.style(
      """
      <Rule><MinScaleDenominator>1000</MinScaleDenominator><MaxScaleDenominator>4000</MaxScaleDenominator>
      <TextSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><Label>
      <ogc:PropertyName>name</ogc:PropertyName></Label><Font><CssParameter name="font-size">7</CssParameter>
      <CssParameter name="font-weight">Bold</CssParameter><CssParameter name="font-color">#000000</CssParameter></Font>
      </TextSymbolizer></Rule>
      """)
    let label = try #require(StyledLayerTests.drawing(text, .point).labels.first)
    // 7 m of pixels of 0.28 mm at 1:2000.
    #expect(abs(label.textSymbol.size - 12.5) < 0.001)
    #expect(label.textSymbol.fontWeight == .bold)
    #expect(
      try Self.warnings(text) == [
        "CssParameter: approximated: drawn with 12.5 pixels at all scales, as at 1:2117",
        "CssParameter[3]: not drawn: the colour of letters is that of Fill",
      ])
  }

  @Test("A value of the scale, and a fallback for values that are missing, are read")
  func values() throws {
    let text = StyledLayerTests.style(
      """
      <Rule><PointSymbolizer><Graphic><Mark/><Size><ogc:Div><ogc:Literal>1000</ogc:Literal>
      <ogc:Function name="env"><ogc:Literal>wms_scale_denominator</ogc:Literal></ogc:Function></ogc:Div></Size>
      <Rotation><ogc:Function name="toDegrees"><ogc:Function name="atan" fallbackValue="1">
      <ogc:PropertyName>pop</ogc:PropertyName></ogc:Function></ogc:Function></Rotation></Graphic></PointSymbolizer>
      </Rule>
      """)
    #expect(try Self.warnings(text) == [])
    guard case .composite(let symbol) = try #require(Self.rules(text).first).symbol else {
      Issue.record("no expressions")
      return
    }
    let texts = symbol.overrides.map { override in
      if case .expression(let expression) = override.input { expression.text } else { "" }
    }
    #expect(
      texts.contains { $0.contains("$view.scale") } && texts.contains { $0.contains("DefaultValue(Atan(") })
    let value = "<ogc:Function name=\"env\"><ogc:Literal>v1</ogc:Literal></ogc:Function>"
    let missing = Self.point.replacing("</Graphic>", with: "<Size>\(value)</Size></Graphic>")
    #expect(
      try Self.warnings(StyledLayerTests.style("<Rule>\(missing)</Rule>"))
        == ["Function: not drawn: the value \"v1\" of a server has no default"])
  }

  @Test("An expression that is nested too deep for Arcade is reported")
  func nested() throws {
    let sum = String(repeating: "<ogc:Add><ogc:Literal>1</ogc:Literal>", count: 150)
    let ends = String(repeating: "</ogc:Add>", count: 150)
    let size = "<Size>\(sum)<ogc:PropertyName>pop</ogc:PropertyName>\(ends)</Size>"
    let text = StyledLayerTests.style(
      "<Rule><PointSymbolizer><Graphic><Mark/>\(size)</Graphic></PointSymbolizer></Rule>")
    let found = try Self.warnings(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Size: not drawn: the expression is not evaluated: ") == true, "\(found)")
    #expect(found.first?.contains("nested parts") == true)
  }

  @Test("An unknown parameter of a stroke with graphics is reported once")
  func graphicStroke() throws {
    let stroke = "<Stroke><GraphicStroke><Graphic><Mark/></Graphic></GraphicStroke>"
    let parameter = "<CssParameter name=\"stroke-widht\">2</CssParameter></Stroke>"
    let warning = #"CssParameter: not drawn: unknown parameter "stroke-widht"; did you mean "stroke-width"?"#
    for (name, kind) in [("LineSymbolizer", GeometryKind.polyline), ("PolygonSymbolizer", .polygon)] {
      let text = StyledLayerTests.style("<Rule><\(name)>\(stroke)\(parameter)</\(name)></Rule>")
      #expect(try Self.warnings(text, kind) == [warning])
    }
  }

  @Test("A rule whose filter is not read is not written, and is a loss")
  func unreadFilter() throws {
    let rules = ["pop <", "pop < 3"].map { filter in
      RuleRenderer.Rule(name: filter, filter: filter, symbol: SimpleMarkerSymbol(style: .circle, size: 5))
    }
    let text = try StyledLayerText(
      layer: "a", kind: .point, renderer: .rules(RuleRenderer(rules: rules)), labels: [])
    #expect(text.text.split(separator: "<se:Rule>").count == 2)
    #expect(text.losses.count == 1)
    let start = "layer \"a\": the rule \"pop <\" is not written, because its filter is not read: "
    #expect(text.losses.first?.message.hasPrefix(start) == true, "\(text.losses)")
  }
}
