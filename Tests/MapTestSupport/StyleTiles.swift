import Foundation

/// A folder with a style, and with vector tiles that the tests encode.
public struct StyleTiles {
  /// The kind of a geometry by its number in tiles.
  public enum Kind: UInt64 {
    /// Points.
    case point = 1
    /// Lines.
    case line
    /// Polygons.
    case polygon
  }

  /// A feature: an id, a kind, its parts in units of 4096, and its texts.
  public struct Feature {
    /// The id.
    public var id: UInt64?
    /// The kind of the geometry.
    public var kind: Kind
    /// The rings or lines, in units of 4096.
    public var parts: [[(Int, Int)]]
    /// The attributes: a name and a value.
    public var texts: [(String, String)]

    /// Creates a feature, by default of polygons.
    public init(
      id: UInt64? = nil, kind: Kind = .polygon, parts: [[(Int, Int)]], texts: [(String, String)] = []
    ) {
      (self.id, self.kind, self.parts, self.texts) = (id, kind, parts, texts)
    }
  }

  /// The folder.
  public let folder: ScratchFolder

  /// Creates an empty folder.
  public init() throws { folder = try ScratchFolder() }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.url(name))
    return folder.path(name)
  }

  /// Writes a tile with one layer as `tiles/{z}/{x}/{y}.pbf`.
  public func write(tile: String, layer: String, _ features: [Feature]) throws {
    let url = folder.url("tiles/\(tile).pbf")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.tile(layer, features)).write(to: url)
  }

  /// A square in units of a tile.
  public static func square(
    _ low: Int, _ high: Int, id: UInt64? = nil, _ texts: [(String, String)] = []
  ) -> Feature {
    Feature(id: id, parts: [[(low, low), (high, low), (high, high), (low, high)]], texts: texts)
  }

  // MARK: Mapbox Vector Tile specification 2.1

  /// Returns a tile with one layer.
  public static func tile(_ name: String, _ features: [Feature]) -> [UInt8] {
    var keys: [String] = []
    var values: [String] = []
    func number(_ text: String, _ list: inout [String]) -> UInt64 {
      if let known = list.firstIndex(of: text) { return UInt64(known) }
      list.append(text)
      return UInt64(list.count - 1)
    }
    var layer = field(15, number: 2) + field(1, Array(name.utf8))
    for feature in features {
      var tags: [UInt8] = []
      for (key, value) in feature.texts {
        tags += varint(number(key, &keys)) + varint(number(value, &values))
      }
      var bytes: [UInt8] = []
      if let id = feature.id { bytes += field(1, number: id) }
      if !tags.isEmpty { bytes += field(2, tags) }
      bytes += field(3, number: feature.kind.rawValue) + field(4, geometry(feature))
      layer += field(2, bytes)
    }
    for key in keys { layer += field(3, Array(key.utf8)) }
    for value in values { layer += field(4, field(1, Array(value.utf8))) }
    return field(3, layer + field(5, number: 4096))
  }

  private static func geometry(_ feature: Feature) -> [UInt8] {
    var bytes: [UInt8] = []
    var (x, y) = (0, 0)
    func add(_ point: (Int, Int)) {
      for (value, before) in [(point.0, x), (point.1, y)] {
        let step = value - before
        bytes += varint(UInt64(bitPattern: Int64((step << 1) ^ (step >> 63))))
      }
      (x, y) = point
    }
    for part in feature.parts {
      bytes += varint(1 << 3 | 1)
      add(part[0])
      guard part.count > 1 else { continue }
      bytes += varint(UInt64(part.count - 1) << 3 | 2)
      for point in part.dropFirst() { add(point) }
      if feature.kind == .polygon { bytes += varint(1 << 3 | 7) }
    }
    return bytes
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  private static func field(_ number: UInt64, number value: UInt64) -> [UInt8] {
    varint(number << 3) + varint(value)
  }
}
