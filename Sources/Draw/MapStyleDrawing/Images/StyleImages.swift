package import MapImages
package import MapJSON
import MapSystem

/// The images of a style's sprites, by name.
package struct StyleImages: Sendable {
  /// The position of an image in a sheet.
  private struct Entry: Sendable {
    let sheet: Int
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let pixelRatio: Double
    let stretching: ImageStretching
  }

  /// The names in the order of the sprites.
  package private(set) var names: [String] = []
  private var entries: [String: Entry] = [:]
  private var sheets: [Bitmap] = []

  /// Creates a set without images.
  package init() {}

  /// Creates the images of one sprite; entries that are not inside the sheet are left out.
  ///
  /// - Parameters:
  ///   - json: the index of the sprite.
  ///   - bitmap: its sheet.
  ///   - prefix: the id of the sprite in the style; it precedes the names with a colon, unless it is empty.
  ///   - pixelRatio: the ratio of entries that do not give one, such as 2 for the index of `@2x`.
  /// - Throws: ``StyleImagesError`` when the index is no object.
  package init(
    json: JSONValue, bitmap: Bitmap, prefix: String = "", pixelRatio: Double = 1
  ) throws(StyleImagesError) {
    guard case .object(let object) = json else { throw StyleImagesError() }
    sheets = [bitmap]
    for member in object.members {
      guard let entry = Self.entry(member.value, in: bitmap, pixelRatio) else { continue }
      let name = prefix.isEmpty ? member.name : "\(prefix):\(member.name)"
      if entries.updateValue(entry, forKey: name) == nil { names.append(name) }
    }
  }

  /// Adds the images of another sprite; of two with the same name, the first is kept.
  package mutating func add(_ other: StyleImages) {
    for name in other.names where entries[name] == nil {
      guard let entry = other.entries[name] else { continue }
      names.append(name)
      entries[name] = Entry(
        sheet: entry.sheet + sheets.count, x: entry.x, y: entry.y, width: entry.width, height: entry.height,
        pixelRatio: entry.pixelRatio, stretching: entry.stretching)
    }
    sheets += other.sheets
  }

  /// Returns an image; nil for a name that no sprite has.
  ///
  /// - Cost: copies its pixels.
  package subscript(name: String) -> SpriteImage? {
    guard let entry = entries[name] else { return nil }
    let sheet = sheets[entry.sheet]
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * entry.width * entry.height)
    for row in entry.y..<entry.y + entry.height {
      let start = 4 * (row * sheet.width + entry.x)
      pixels += sheet.pixels[start..<start + 4 * entry.width]
    }
    guard let bitmap = try? Bitmap(width: entry.width, height: entry.height, pixels: pixels) else {
      return nil
    }
    return SpriteImage(bitmap: bitmap, pixelRatio: entry.pixelRatio, stretching: entry.stretching)
  }

  /// Returns the size of an image in CSS pixels; nil for a name that no sprite has.
  package func size(of name: String) -> (width: Double, height: Double)? {
    entries[name].map { (Double($0.width) / $0.pixelRatio, Double($0.height) / $0.pixelRatio) }
  }

  private static func entry(_ json: JSONValue, in sheet: Bitmap, _ pixelRatio: Double) -> Entry? {
    func side(_ name: String) -> Int? { json[name]?.integer }
    guard let x = side("x"), let y = side("y"), let width = side("width"), let height = side("height"),
      x >= 0, y >= 0, width > 0, height > 0, x <= sheet.width, y <= sheet.height,
      width <= sheet.width - x, height <= sheet.height - y
    else { return nil }
    let ratio = json["pixelRatio"]?.double ?? pixelRatio
    guard ratio.isFinite, ratio >= 1.0 / 64, ratio <= 64 else { return nil }
    return Entry(
      sheet: 0, x: x, y: y, width: width, height: height, pixelRatio: ratio,
      stretching: ImageStretching(json, width: width, height: height))
  }
}

/// A fault of the index of a sprite.
package struct StyleImagesError: Error, Hashable, CustomStringConvertible {
  /// The message, in one line without a full stop.
  package var description: String { "the index of a sprite must be an object" }
}
