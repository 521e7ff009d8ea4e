import Foundation

/// A vector tile package that tests write: its files by their names.
public struct TestPackage {
  /// The files, below `p12/` in an archive.
  public var files: [String: [UInt8]] = [:]

  /// Creates a package with a description of Web Mercator's levels.
  public init(name: String = "Test", levels: Range<Int> = 0..<16, firstZoom: Int = 0) {
    let lods = levels.map { level in
      "{\"level\": \(level), \"resolution\": \(78271.516963999937 / exp2(Double(level - levels.lowerBound + firstZoom)))}"
    }
    set(
      "root.json",
      """
      {"name": "\(name)", "copyrightText": "© \(name)", "defaultStyles": "resources/styles",
      "tileInfo": {"rows": 512, "cols": 512, "origin": {"x": -20037508.342787, "y": 20037508.342787},
      "spatialReference": {"wkid": 102100, "latestWkid": 3857}, "lods": [\(lods.joined(separator: ","))]}}
      """)
  }

  /// Sets a file of text.
  public mutating func set(_ name: String, _ text: String) { files[name] = Array(text.utf8) }

  /// Adds tiles in bundles of the format Compact Cache V2.
  public mutating func addBundles(_ tiles: [(level: Int, column: Int, row: Int, bytes: [UInt8])]) {
    for (name, tiles) in Dictionary(grouping: tiles, by: { Self.bundleName($0.level, $0.column, $0.row) }) {
      files["tile/\(name)"] = Self.bundle(tiles.map { ($0.row % 128, $0.column % 128, $0.bytes) })
    }
  }

  /// Returns a bundle of tiles with their rows and columns in it.
  public static func bundle(_ tiles: [(row: Int, column: Int, bytes: [UInt8])]) -> [UInt8] {
    var index = [UInt8](repeating: 0, count: 128 * 128 * 8)
    var body: [UInt8] = []
    for tile in tiles {
      body += number(tile.bytes.count, 4)
      let record = UInt64(tile.bytes.count) << 40 | UInt64(64 + index.count + body.count)
      let place = 8 * (128 * tile.row + tile.column)
      index.replaceSubrange(
        place..<place + 8, with: (0..<8).map { UInt8(truncatingIfNeeded: record >> (8 * $0)) })
      body += tile.bytes
    }
    let size = 64 + index.count + body.count
    let header =
      number(3, 4) + number(16384, 4) + number(1 << 20, 4) + number(5, 4) + number(0, 8) + number(size, 8)
      + number(40, 8) + number(20 + index.count, 4) + number(3, 4) + number(16, 4) + number(16384, 4)
      + number(5, 4) + number(index.count, 4)
    return header + index + body
  }

  private static func bundleName(_ level: Int, _ column: Int, _ row: Int) -> String {
    String(format: "L%02d/R%04xC%04x.bundle", level, row / 128 * 128, column / 128 * 128)
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The zip archive, whose entries are not compressed.
  public var archive: [UInt8] {
    StoredArchive.bytes(of: files.sorted { $0.key < $1.key }.map { ("p12/" + $0.key, $0.value) })
  }

  /// Writes the files below a folder.
  public func write(below folder: String) throws {
    for (name, bytes) in files {
      let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
  }
}
