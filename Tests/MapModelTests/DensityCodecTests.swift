import MapDocuments
import MapModel
import Testing

/// Heat maps and dots in documents.
@Suite struct DensityCodecTests {
  private static func heatmap(_ json: String) throws -> (HeatmapRenderer, [String]) {
    let (form, warnings) = try DocumentReading.renderer(json)
    guard case .heatmap(let renderer) = form else { throw DocumentReading.Unexpected() }
    return (renderer, warnings)
  }

  @Test("A heat map is read with its radius in points, and written back")
  func heatmap() throws {
    let (renderer, warnings) = try Self.heatmap(
      """
      {"type":"heatmap","field":"w","radius":18,"minDensity":0.01,"maxDensity":0.5,"referenceScale":5000,
       "colorStops":[{"ratio":1,"color":[255,0,0,255]},{"ratio":0,"color":[0,0,255,0]}]}
      """)
    #expect(warnings.isEmpty)
    #expect(renderer.fieldName == "w")
    #expect(renderer.radius == 24)
    #expect((renderer.minDensity, renderer.maxDensity) == (0.01, 0.5))
    #expect(renderer.referenceScale == 5000)
    #expect(renderer.colorStops.map(\.ratio) == [0, 1])
    #expect(renderer.color(ofDensity: 0.255) == Color(red: 128, green: 0, blue: 128, alpha: 128))
    #expect(try DocumentReading.rewritten(.heatmap(renderer)) == .heatmap(renderer))
    #expect(renderer.form.fieldNames == ["w"])
  }

  @Test("An older heat map is approximated by a kernel of the same variance and height")
  func older() throws {
    let (renderer, warnings) = try Self.heatmap(
      """
      {"type":"heatmap","blurRadius":10,"minPixelIntensity":0,"maxPixelIntensity":100,
       "colorStops":[{"ratio":0,"color":[0,0,255,0]},{"ratio":1,"color":[255,0,0,255]}]}
      """)
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("renderer.blurRadius: approximated") == true)
    // The variance of the quartic kernel is r² / 8 along each axis.
    #expect(abs(renderer.radius * renderer.radius / 8 - 100) < 1e-9)
    // A hundred points on one pixel have the colour of the last stop.
    let height = 3 / (Double.pi * renderer.radius * renderer.radius)
    #expect(abs(renderer.maxDensity - 100 * height) < 1e-12)
  }

  @Test("Dots are read with their attributes, and written back")
  func dots() throws {
    let (form, warnings) = try DocumentReading.renderer(
      """
      {"type":"dotDensity","dotValue":50,"dotSize":1.5,"seed":7,"referenceScale":1000,
       "outline":{"type":"esriSLS","style":"esriSLSSolid","color":[1,2,3,255],"width":0.75},
       "backgroundColor":[9,9,9,40],
       "attributes":[{"field":"a","label":"A","color":[255,0,0,255]},
         {"valueExpression":"$feature.b * 2","label":"B","color":[0,0,255,255]}]}
      """)
    #expect(warnings.isEmpty)
    guard case .dotDensity(let renderer)? = form else { throw DocumentReading.Unexpected() }
    #expect(renderer.attributes.map(\.label) == ["A", "B"])
    #expect(renderer.form.fieldNames == ["a", "b"])
    #expect((renderer.dotValue, renderer.dotSize, renderer.seed) == (50, 2, 7))
    #expect(renderer.outline?.width == 1)
    #expect(renderer.backgroundColor?.alpha == 40)
    #expect(try DocumentReading.rewritten(.dotDensity(renderer)) == .dotDensity(renderer))
  }

  @Test(
    "Parts of heat maps and dots that are not drawn are reported",
    arguments: [
      (
        #"{"type":"heatmap","valueExpression":"$feature.a","colorStops":[{"ratio":0,"color":[0,0,0,0]}]}"#,
        "renderer.valueExpression: not applied: the weights come from field, or are 1"
      ),
      (
        #"{"type":"dotDensity","dotValue":1,"attributes":[{"valueExpression":"Random()"}]}"#,
        "the attribute is not drawn"
      ),
      (
        #"{"type":"dotDensity","dotValue":1,"attributes":[],"outline":{"type":"esriSMS"}}"#,
        "renderer.outline.type: not drawn: an outline is a line symbol"
      ),
    ])
  func reported(_ json: String, _ warning: String) throws {
    let warnings = try DocumentReading.renderer(json).warnings
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains(warning) == true, "\(warnings)")
  }
}
