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
  /// The names of entries that cannot be used.
  private var faulty: Set<String> = []
  /// The prefixes of the sprites.
  private var prefixes: Set<String> = []
  /// The prefixes of sprites that cannot be read.
  private var unread: Set<String> = []
  private var faults: [String] = []

  /// The largest number of lines about faults.
  ///
  /// - Source: design decision.
  private static let faultLimit = 10

  /// The entries that cannot be used and the members that are ignored, in at most ten lines.
  package var problems: [String] {
    guard faults.count > Self.faultLimit else { return faults }
    let shown = Self.faultLimit - 1
    return faults.prefix(shown) + ["images of the sprite have \(faults.count - shown) more faults"]
  }

  /// Creates a set without images.
  package init() {}

  /// Creates the images of one sprite; entries that are not inside the sheet are left out, see ``problems``.
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
    (sheets, prefixes) = ([bitmap], [prefix])
    for member in object.members {
      let name = prefix.isEmpty ? member.name : "\(prefix):\(member.name)"
      var found: [String] = []
      let read = Self.entry(member.value, in: bitmap, pixelRatio, faults: &found)
      faults += found.map { "image '\(MessageText.name(name))' of the sprite: \($0)" }
      guard let entry = read else {
        faulty.insert(name)
        continue
      }
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
    faults += other.faults
    faulty.formUnion(other.faulty)
    prefixes.formUnion(other.prefixes)
    unread.formUnion(other.unread)
  }

  /// Notes that the sprite with a prefix cannot be read, which the caller reports.
  package mutating func addUnread(prefix: String) { unread.insert(prefix) }

  /// Whether a sprite has an entry of this name that cannot be used.
  func isFaulty(_ name: String) -> Bool { entries[name] == nil && faulty.contains(name) }

  /// Returns the problem of a name without an image; nil if its sprite cannot be read, which is one problem.
  func problem(ofMissing name: String) -> String? {
    if isFaulty(name) { return "image '\(name)' of the sprite cannot be used" }
    func isOf(_ prefix: String) -> Bool { !prefix.isEmpty && name.hasPrefix("\(prefix):") }
    let isUnread = unread.contains(where: isOf) || unread.contains("") && !prefixes.contains(where: isOf)
    return isUnread ? nil : "the sprite has no image '\(name)'"
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

  private static func entry(
    _ json: JSONValue, in sheet: Bitmap, _ pixelRatio: Double, faults: inout [String]
  ) -> Entry? {
    func side(_ name: String) -> Int? { json[name]?.integer }
    guard let x = side("x"), let y = side("y"), let width = side("width"), let height = side("height"),
      x >= 0, y >= 0, width > 0, height > 0, x <= sheet.width, y <= sheet.height,
      width <= sheet.width - x, height <= sheet.height - y
    else {
      faults.append(
        "it is not used: x, y, width and height are no box inside the sheet of \(sheet.width) by \(sheet.height) pixels"
      )
      return nil
    }
    let given = json["pixelRatio"] ?? .null
    let ratio = given == .null ? pixelRatio : given.double ?? .nan
    guard ratio.isFinite, ratio >= 1.0 / 64, ratio <= 64 else {
      faults.append("it is not used: its pixelRatio must be a number from 1/64 to 64")
      return nil
    }
    return Entry(
      sheet: 0, x: x, y: y, width: width, height: height, pixelRatio: ratio,
      stretching: ImageStretching(json, width: width, height: height, faults: &faults))
  }
}

/// A fault of the index of a sprite.
package struct StyleImagesError: Error, Hashable, CustomStringConvertible {
  /// The message, in one line without a full stop.
  package var description: String { "the index of a sprite must be an object" }
}
