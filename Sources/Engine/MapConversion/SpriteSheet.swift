import MapFeatures
import MapGeometry
package import MapImages
package import MapJSON
import MapModel
import MapState
package import MapSystem

/// The images of the symbols of a style that are no circles, lines or plain areas, in one image for each pixel ratio.
///
/// - Source: MapLibre Style Specification, "Sprite".
package struct SpriteSheet: Sendable {
  /// An image with its copy for a pixel ratio of 2.
  private struct Entry {
    let name: String
    let bitmaps: [Bitmap]
  }

  /// The pixel ratios, with the ending of their files.
  package static let ratios = [(ratio: 1, ending: ""), (ratio: 2, ending: "@2x")]

  private var entries: [Entry] = []
  private var names: [SymbolForm: String] = [:]

  /// Whether there are no images.
  package var isEmpty: Bool { entries.isEmpty }

  /// Returns the name of the image of a point symbol in its own size, centred on its position.
  ///
  /// - Throws: ``MapStateError``.
  mutating func marker(_ symbol: SymbolForm, named base: String) async throws(MapStateError) -> String {
    if let name = names[symbol] { return name }
    // The alignment of texts is kept only as a part of a symbol.
    let shown = symbol.hasText ? CompositeSymbol(symbols: [symbol.symbol]) : symbol.symbol
    var side = Self.side(of: symbol)
    if symbol.hasText {
      let fitting = try await shown.makeSwatch()
      side = 2 * (Double(fitting.width) / 2).rounded(.up)
    }
    var bitmaps: [Bitmap] = []
    for item in Self.ratios {
      bitmaps.append(try await shown.makeSwatch(scale: Double(item.ratio), side: side))
    }
    return add(symbol, base, bitmaps)
  }

  /// Returns the name of the image of a pattern, which is repeated over an area.
  ///
  /// - Parameter period: the width and height of the pattern, in whole pixels of 1/96 inch.
  /// - Throws: ``MapStateError``.
  mutating func pattern(
    _ symbol: SymbolForm, period: (width: Int, height: Int), named base: String
  ) async throws(MapStateError) -> String {
    if let name = names[symbol] { return name }
    var bitmaps: [Bitmap] = []
    for item in Self.ratios {
      // Patterns are anchored to the corner of the image.
      let side = Double(max(period.width, period.height))
      let all = try await symbol.symbol.makeSwatch(scale: Double(item.ratio), side: side)
      bitmaps.append(
        try all.part(width: period.width * item.ratio, height: period.height * item.ratio))
    }
    return add(symbol, base, bitmaps)
  }

  /// Returns the side of the image of a marker: an even number, so that its centre is a corner of pixels.
  private static func side(of symbol: SymbolForm) -> Double {
    let reach = symbol.symbolReach
    return 2 * max(reach.rounded(.up), 1) + 2
  }

  private mutating func add(_ symbol: SymbolForm, _ base: String, _ bitmaps: [Bitmap]) -> String {
    let known = Set(entries.map(\.name))
    var (name, number) = (base, 1)
    while known.contains(name) {
      number += 1
      name = "\(base) \(number)"
    }
    entries.append(Entry(name: name, bitmaps: bitmaps))
    names[symbol] = name
    return name
  }

  /// Returns the description and the image of the sheet for a pixel ratio.
  ///
  /// - Throws: ``MapStateError`` if the image is larger than any image may be.
  package func files(ratio: Int) throws(MapStateError) -> (index: JSONValue, image: Bitmap) {
    let index = Self.ratios.firstIndex { $0.ratio == ratio } ?? 0
    var places: [(x: Int, y: Int)] = []
    // Rows of images, one pixel apart. Source: design decision: sheets are about as wide as high.
    let area = entries.reduce(0) { $0 + ($1.bitmaps[index].width + 1) * ($1.bitmaps[index].height + 1) }
    let widest = entries.map { $0.bitmaps[index].width }.max() ?? 1
    let width = max(Int(clamping: Double(area).squareRoot().rounded(.up)), widest)
    var (x, y, height) = (0, 0, 0)
    for entry in entries {
      let bitmap = entry.bitmaps[index]
      if x > 0, x + bitmap.width > width { (x, y, height) = (0, y + height + 1, 0) }
      places.append((x, y))
      x += bitmap.width + 1
      height = max(height, bitmap.height)
    }
    var sheet = try Bitmap(width: width, height: max(y + height, 1))
    var json = JSONObject()
    for (entry, place) in zip(entries, places) {
      let bitmap = entry.bitmaps[index]
      sheet.replace(x: place.x, y: place.y, by: bitmap)
      json[entry.name] = [
        "x": .number(place.x), "y": .number(place.y), "width": .number(bitmap.width),
        "height": .number(bitmap.height), "pixelRatio": .number(ratio),
      ]
    }
    return (.object(json), sheet)
  }
}

extension Bitmap {
  /// Returns the corner at the top left.
  ///
  /// - Throws: ``MapStateError``.
  fileprivate func part(width: Int, height: Int) throws(MapStateError) -> Bitmap {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in 0..<min(height, self.height) {
      let start = row * self.width * 4
      pixels += self.pixels[start..<start + min(width, self.width) * 4]
    }
    return try Bitmap(width: min(width, self.width), height: min(height, self.height), pixels: pixels)
  }
}

extension SymbolForm {
  /// The distance that a symbol of a point reaches from its position, without its offset.
  ///
  /// It is generous: images may have transparent borders.
  fileprivate var symbolReach: Double {
    switch self {
    case .marker(let marker): marker.size + 2 * (marker.outline?.width ?? 0)
    case .picture(let picture):
      picture.drawnSize.map { ($0.width * $0.width + $0.height * $0.height).squareRoot() / 2 } ?? 16
    case .text: 1
    case .vector(let vector): vector.radius
    case .composite(let composite):
      composite.parts.map { $0.symbolReach + $0.offsetLength }.max() ?? 1
    case .placed, .line, .fill, .pattern: 1
    }
  }

  /// Whether the symbol has text, whose size only the fonts tell.
  fileprivate var hasText: Bool {
    simpleParts.contains { part in
      switch part {
      case .text: true
      case .vector(let vector): vector.shapes.contains { $0.text != nil }
      default: false
      }
    }
  }

  /// The symbol of a point without its offset; texts keep their alignment.
  var withoutOffset: SymbolForm {
    guard case .text(var text) = self else { return centred }
    (text.offsetX, text.offsetY) = (0, 0)
    return .text(text)
  }

  /// The offset of a symbol of a point: to the right and upwards, in pixels.
  var offset: (x: Double, y: Double) {
    switch self {
    case .marker(let marker): (marker.offsetX, marker.offsetY)
    case .picture(let picture): (picture.offsetX, picture.offsetY)
    case .text(let text): (text.offsetX, text.offsetY)
    case .vector(let vector): (vector.offsetX, vector.offsetY)
    case .composite, .placed, .line, .fill, .pattern: (0, 0)
    }
  }

  private var offsetLength: Double { (offset.x * offset.x + offset.y * offset.y).squareRoot() }
}
