import Foundation
import MapCairo
import MapJSON
import MapState
import Testing

/// An image of 128 by 128 pixels of features with one CIM symbol, and its comparison with a form that a test computes.
///
/// A pixel is a unit of the map; the centre of the image is at 0, 0, and y points up.
struct CIMScene {
  /// A colour of the computed form, 0 to 255.
  typealias Ink = (red: Double, green: Double, blue: Double)
  static let white: Ink = (255, 255, 255)

  let document: MapDocument

  /// Reads features of one kind with a symbol.
  init(_ symbol: String, _ kind: String, _ geometries: [String], values: [String] = []) async throws {
    let features = geometries.enumerated().map { index, geometry in
      let value = index < values.count ? values[index] : "null"
      return #"{"attributes":{"v":\#(value)},"geometry":\#(geometry)}"#
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometry\(kind)","spatialReference":{"wkid":3857},
        "fields":[{"name":"v","type":"esriFieldTypeDouble"}],
        "drawingInfo":{"renderer":{"type":"simple","symbol":\(symbol)}}},
       "featureSet":{"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    document = try await MapDocument.open(json: JSONValue(parsing: json), name: "test", folder: ".")
  }

  /// Returns a symbol reference.
  static func symbol(_ type: String, _ layers: String, _ more: String = "") -> String {
    #"{"type":"CIMSymbolReference","symbol":{"type":"\#(type)","symbolLayers":[\#(layers)]}\#(more)}"#
  }

  func image(method: PaintingMethod = .fast) async throws -> Bitmap {
    let view = try MapView(
      map: document.map, width: 128, height: 128,
      viewpoint: Viewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: ResolvedViewpoint.scalePerResolution
      ))
    return try await view.freeze().render(method: method).bitmap
  }

  /// Compares the image with a form: within 16 of 255, on average under 1, over at least a quarter of the image.
  ///
  /// - Parameter form: the colour at a point, without smoothing.
  func expect(
    _ form: (_ x: Double, _ y: Double) -> Ink, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(document.warnings.isEmpty, "\(document.warnings)", sourceLocation: sourceLocation)
    var pixels: [Ink] = []
    for row in 0..<128 {
      for column in 0..<128 {
        // The mean of 16 by 16 points of the pixel.
        var sum: Ink = (0, 0, 0)
        for step in 0..<256 {
          let x = Double(column) + (Double(step % 16) + 0.5) / 16 - 64
          let y = 64 - Double(row) - (Double(step / 16) + 0.5) / 16
          let ink = form(x, y)
          sum = (sum.red + ink.red, sum.green + ink.green, sum.blue + ink.blue)
        }
        pixels.append((sum.red / 256, sum.green / 256, sum.blue / 256))
      }
    }
    for method in [PaintingMethod.fast, .reference] {
      try Self.compare(await image(method: method), sourceLocation) { pixels[$1 * 128 + $0] }
    }
  }

  static func compare(
    _ image: Bitmap, _ sourceLocation: SourceLocation = #_sourceLocation, with pixel: (Int, Int) -> Ink
  ) throws {
    var (painted, total, largest) = (0, 0.0, (apart: 0.0, x: 0, y: 0))
    for row in 0..<128 {
      for column in 0..<128 {
        let (expected, found) = (pixel(column, row), image[column, row])
        let apart = [
          abs(expected.red - Double(found.red)), abs(expected.green - Double(found.green)),
          abs(expected.blue - Double(found.blue)),
        ]
        let isPainted = expected != white || found != PixelColor(red: 255, green: 255, blue: 255)
        if isPainted { painted += 1 }
        total += isPainted ? apart.reduce(0, +) / 3 : 0
        if let most = apart.max(), most > largest.apart { largest = (most, column, row) }
      }
    }
    #expect(painted >= 128 * 128 / 4, "\(painted) pixels are painted", sourceLocation: sourceLocation)
    #expect(largest.apart <= 16, "\(largest)", sourceLocation: sourceLocation)
    #expect(total / Double(max(painted, 1)) < 1, "\(total / Double(painted))", sourceLocation: sourceLocation)
  }

  // MARK: Shapes

  static let square = #"{"rings":[[[-50,-50],[-50,50],[50,50],[50,-50],[-50,-50]]]}"#

  /// Returns whether a point is inside a polygon.
  static func contains(_ ring: [(Double, Double)], _ x: Double, _ y: Double) -> Bool {
    var isInside = false
    for (index, a) in ring.enumerated() {
      let b = ring[(index + 1) % ring.count]
      if (a.1 > y) != (b.1 > y), x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0 { isInside.toggle() }
    }
    return isInside
  }

  /// Returns the distance of a point from a chain of vertices.
  static func distance(_ chain: [(Double, Double)], _ x: Double, _ y: Double) -> Double {
    var nearest = Double.infinity
    for index in chain.indices.dropLast() {
      let (a, b) = (chain[index], chain[index + 1])
      let (dx, dy) = (b.0 - a.0, b.1 - a.1)
      let length = dx * dx + dy * dy
      let share = length > 0 ? min(max(((x - a.0) * dx + (y - a.1) * dy) / length, 0), 1) : 0
      nearest = min(nearest, hypot(x - a.0 - share * dx, y - a.1 - share * dy))
    }
    return nearest
  }

  static func mix(_ a: Ink, _ b: Ink, _ part: Double) -> Ink {
    let part = min(max(part, 0), 1)
    return (
      a.red + (b.red - a.red) * part, a.green + (b.green - a.green) * part, a.blue + (b.blue - a.blue) * part
    )
  }
}
