import MapImages
import MapJSON
import MapScript
import MapState
import MapSystem

/// Styles that are drawn: any JSON is an image, or is refused.
enum SubjectStyles {
  /// A style with features of its own.
  static func style(_ bytes: [UInt8], folder: String) async -> Bool {
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    prepare(folder)
    return await draw(json, folder: folder)
  }

  /// The index of a sprite, whose images are drawn.
  static func sprite(_ bytes: [UInt8], folder: String) async -> Bool {
    guard let json = try? JSONValue(parsing: bytes), json.object != nil else { return false }
    prepare(folder)
    SubjectFiles.write(bytes, to: "\(folder)/sprite.json")
    guard let style = try? JSONValue(parsing: patterns) else { fatalError("the style cannot be read") }
    return await draw(style, folder: folder)
  }

  /// Writes the images of a sprite of 16 by 8 pixels.
  private static func prepare(_ folder: String) {
    guard !FileAccess.exists("\(folder)/sprite.png") else { return }
    let pixels = (0..<4 * 16 * 8).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0 * 7) }
    do {
      let bitmap = try Bitmap(width: 16, height: 8, pixels: pixels)
      try FileAccess.write(try bitmap.pngData(), to: "\(folder)/sprite.png")
      try FileAccess.write(Array(index.utf8), to: "\(folder)/sprite.json")
    } catch { fatalError("\(error)") }
  }

  private static let index = #"{"a": {"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": 1}}"#

  private static let patterns = """
    {"version": 8, "sprite": "sprite", "center": [0, 0], "zoom": 1,
    "sources": {"g": {"type": "geojson", "data": {"type": "Feature", "properties": {"p": "a"}, "geometry": {
    "type": "Polygon", "coordinates": [[[-60, -40], [60, -40], [50, 50], [-60, 40], [-60, -40]]]}}}},
    "layers": [{"id": "b", "type": "background", "paint": {"background-pattern": "b"}},
    {"id": "f", "type": "fill", "source": "g", "paint": {"fill-pattern": ["get", "p"]}},
    {"id": "l", "type": "line", "source": "g", "paint": {"line-width": 6, "line-pattern": "a"}},
    {"id": "i", "type": "symbol", "source": "g", "layout": {"icon-image": "a"}}]}
    """

  private static func draw(_ json: JSONValue, folder: String) async -> Bool {
    let catalog = SourceCatalog(services: SubjectServices.unreachable)
    let document = try? await MapDocument.open(json: json, name: "fuzz", folder: folder, catalog: catalog)
    var options = ViewRequest()
    options.size = ViewSize(width: 96, height: 64)
    guard let view = try? await document?.view(options) else { return false }
    return (try? await view.freeze().render()) != nil
  }
}
