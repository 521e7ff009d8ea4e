import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState
import Testing

/// Images, counts, legends and explanations of layers with rules.
@Suite struct RuleDrawingTests {
  private static func square(_ color: String, _ size: Double) -> String {
    #"{"type":"esriSMS","style":"esriSMSSquare","color":\#(color),"size":\#(size)}"#
  }

  private static let red = "[200,0,0,255]"
  private static let green = "[0,200,0,255]"
  private static let blue = "[0,0,200,255]"

  /// Returns a document with points of values 1, 2, … at x = -40, 0, 40, …; a pixel of the view is a metre.
  private static func document(_ passes: [[String]], values: [String] = ["1", "2", "3"]) async throws
    -> MapDocument
  {
    let features = values.enumerated().map { index, value in
      #"{"attributes":{"OBJECTID":\#(index + 1),"v":\#(value)},"geometry":{"x":\#(index * 40 - 40),"y":0}}"#
    }.joined(separator: ",")
    let text = passes.map { #"{"rules":[\#($0.joined(separator: ","))]}"# }.joined(separator: ",")
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}],
        "drawingInfo":{"renderer":{"type":"rules","passes":[\(text)]}}},
       "featureSet":{"features":[\(features)]}}]}}]}
      """
    return try await MapDocument.withoutWarnings(json)
  }

  /// The colours at the centres of the points, and 7 pixels to the right of them.
  private static func colors(_ passes: [[String]], values: [String] = ["1", "2", "3"]) async throws
    -> [[UInt8]]
  {
    let view = try await document(passes, values: values).view(width: 160, height: 40)
    let image = try await view.render().bitmap
    return values.indices.map { index in
      [0, 7].flatMap { offset in
        let start = (20 * image.width + 40 + index * 40 + offset) * 4
        return Array(image.pixels[start..<start + 3])
      }
    }
  }

  private static let wide = #"{"name":"wide","where":"v <> 3","symbol":\#(square(red, 15))}"#
  private static let narrow = #"{"name":"narrow","where":"v > 1","symbol":\#(square(green, 6))}"#
  private static let rest = #"{"name":"rest","else":true,"symbol":\#(square(blue, 6))}"#

  private static let (r, g, b, w): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [200, 0, 0], [0, 200, 0], [0, 0, 200], [255, 255, 255]
  )

  @Test("A feature is drawn with the symbols of all its rules, the last one on top")
  func order() async throws {
    #expect(
      try await Self.colors([[Self.wide, Self.narrow]]) == [
        Self.r + Self.r, Self.g + Self.r, Self.g + Self.w,
      ])
    #expect(
      try await Self.colors([[Self.narrow, Self.wide]]) == [
        Self.r + Self.r, Self.r + Self.r, Self.g + Self.w,
      ])
  }

  @Test("A pass is drawn above all features of the pass before, and a pass feature by feature")
  func passes() async throws {
    // The second point covers the first one, whose symbol of a later pass is above both.
    let large = #"{"where":"v > 0","symbol":\#(Self.square(Self.red, 120))}"#
    #expect(
      try await Self.colors([[large], [Self.narrow, Self.rest]]).map { Array($0.prefix(3)) } == [
        Self.b, Self.g, Self.g,
      ])
    #expect(
      try await Self.colors([[large, Self.narrow]]).map { Array($0.prefix(3)) } == [Self.r, Self.r, Self.g])
  }

  @Test("Rules out of scale do not draw, and an else rule draws their features")
  func scales() async throws {
    let far = #"{"name":"far","minScale":1000,"symbol":\#(Self.square(Self.red, 6))}"#
    #expect(
      try await Self.colors([[far, Self.rest]]).map { Array($0.prefix(3)) } == [Self.b, Self.b, Self.b])
  }

  @Test("Features that match no rule are not drawn, and a row drawn by several passes counts once")
  func funnel() async throws {
    let document = try await Self.document(
      [[Self.wide], [Self.narrow]], values: ["1", "2", "3", "null", "0"])
    let state = document.view(width: 400, height: 40)
    var options = CountOptions()
    (options.funnel, options.byClass) = (true, true)
    let answer = try await state.counts(options)
    let layer = try #require(answer.layers.first)
    let funnel = try #require(layer.funnel)
    #expect((funnel.total, funnel.display, funnel.drawn) == (5, 5, 4))
    let classes = try #require(layer.classes)
    #expect(classes.map(\.label) == ["wide", "narrow", "(no rule)"])
    #expect(classes.map(\.count) == [3, 2, 1])
    #expect(classes.map(\.drawn) == [3, 2, 0])
    #expect(classes.map(\.classIndex) == [0, 1, nil])
    let json = answer.json["layers"]?.array?.first
    #expect(json?["overlapping"] == true)
    #expect(try await state.rows(of: state.layers[0], for: .drawing).count == 5)
  }

  @Test("Exactly the drawn rows change pixels of the image")
  func drawnRows() async throws {
    let invisible = #"{"name":"clear","where":"v = 1","symbol":\#(Self.square("[0,0,0,0]", 6))}"#
    let document = try await Self.document([[invisible], [Self.narrow]], values: ["1", "2", "null"])
    let state = document.view(width: 400, height: 40)
    let drawing = try await state.drawing(of: state.layers[0], index: 0)
    #expect(Array(drawing.drawn) == [1])
    #expect(Array(drawing.invisible) == [0])
    #expect(drawing.invisibility == [.color: 1])
    // The same row, clear in one pass and painted in another, is drawn.
    let both = try await Self.document([[invisible], [Self.wide]], values: ["1"]).view(width: 400, height: 40)
    let second = try await both.drawing(of: both.layers[0], index: 0)
    #expect(Array(second.drawn) == [0] && second.invisible.isEmpty && second.invisibility.isEmpty)
  }

  @Test("A legend lists the rules of its scale, in order, with the features of each")
  func legend() async throws {
    let far = #"{"name":"far","minScale":1000,"symbol":\#(Self.square(Self.red, 6))}"#
    let hidden = #"{"name":"hidden","skipLegend":true,"symbol":\#(Self.square(Self.red, 6))}"#
    let document = try await Self.document([[far, Self.wide, hidden], [Self.narrow, Self.rest]])
    let view = document.view(width: 400, height: 40)
    let plain = try await view.legend().layers
    #expect(plain.map { $0.entries.map(\.label) } == [["wide", "narrow", "rest"]])
    let counted = try await view.legend(counts: true).layers
    #expect(counted.first?.entries.map(\.count) == [2, 2, 1])
    let seen = try await view.legend(viewOnly: true).layers
    #expect(seen.first?.entries.map(\.label) == ["wide", "narrow", "rest"])
  }

  @Test("An explanation lists the rules that a feature matches, or that it matches none")
  func explanation() async throws {
    let document = try await Self.document([[Self.wide], [Self.narrow]], values: ["2", "null"])
    let state = document.view(width: 400, height: 40)
    let both = try await state.explanation(of: 0, objectID: 1)
    #expect(both.rules == ["wide", "narrow"] && both.className == "wide, narrow" && both.isDrawn)
    #expect(both.text.contains("  rule        wide\n  rule        narrow\n"), "\(both.text)")
    #expect(both.json["rules"] == ["wide", "narrow"])
    let none = try await state.explanation(of: 0, objectID: 2)
    #expect(none.rules == [] && none.className == nil && !none.isDrawn)
    #expect(
      none.failure?.reason?.hasPrefix("no rule matches at the view's scale 1:") == true
        && none.failure?.reason?.hasSuffix("(v = null)") == true, "\(none.failure?.reason ?? "")")
  }

  @Test("A filter that does not match the table is reported with the nearest field, and drawing is refused")
  func fault() async throws {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","fields":[{"name":"height","type":"esriFieldTypeInteger"}],
        "drawingInfo":{"renderer":{"type":"rules","passes":[{"rules":[
         {"name":"tall","where":"heigth > 1","symbol":\(Self.square(Self.red, 6))}]}]}}},
       "featureSet":{"features":[{"attributes":{"height":1},"geometry":{"x":0,"y":0}}]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.warnings.contains { $0.description.contains("height") }, "\(document.warnings)")
    let error = await #expect(throws: MapStateError.self) {
      try await document.view(width: 40, height: 40).render()
    }
    let text = "\(try #require(error))"
    #expect(text.contains("rule \"tall\""), "\(text)")
  }

  @Test("A symbol of a rule is drawn on areas at their centres, above the fill of another rule")
  func areas() async throws {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":3857},
        "drawingInfo":{"renderer":{"type":"rules","passes":[{"rules":[
         {"name":"fill","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":[200,0,0,255]}},
         {"name":"mark","symbol":\(Self.square(Self.green, 6))}]}]}}},
       "featureSet":{"features":[{"geometry":{"rings":[[[-30,-30],[-30,30],[30,30],[30,-30],[-30,-30]]]}}]}}]}}]}
      """
    let image = try await MapDocument.withoutWarnings(json).view(width: 80, height: 80).render().bitmap
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * image.width + x) * 4
      return Array(image.pixels[start..<start + 3])
    }
    #expect(color(40, 40) == Self.g && color(20, 40) == Self.r && color(5, 40) == Self.w)
  }
}
