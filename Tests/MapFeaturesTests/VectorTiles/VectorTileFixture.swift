import Foundation
import MapGeometry
import MapJSON
import MapReaders

/// A fixture of mapbox/mvt-fixtures: a tile, whether it is valid, and its content.
struct VectorTileFixture {
  let name: String
  let bytes: [UInt8]
  let isValid: Bool
  private let layers: [JSONValue]

  /// Returns the fixtures of a folder: `NNN.mvt` with `NNN.json`.
  static func all(in folder: URL) throws -> [VectorTileFixture] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { $0.hasSuffix(".mvt") }
      .map { try VectorTileFixture(folder.appending(path: $0)) }
  }

  private init(_ file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    bytes = [UInt8](try Data(contentsOf: file))
    let json = file.deletingPathExtension().appendingPathExtension("json")
    let fixture = try JSONValue(parsing: [UInt8](Data(contentsOf: json)))
    layers = fixture["tile"]?["layers"]?.array ?? []
    let validity = fixture["info"]?["validity"]
    let isFirstVersion = !layers.isEmpty && layers.allSatisfy { $0["version"]?.double == 1 }
    isValid = validity?[isFirstVersion ? "v1" : "v2"]?.boolean ?? false
  }

  /// Returns what differs between a tile and the content of the fixture; features of unknown types are ignored.
  func differences(_ tile: VectorTile) -> [String] {
    guard tile.layers.count == layers.count else { return ["\(tile.layers.count) layers"] }
    return zip(tile.layers, layers).flatMap { Self.differences($0, $1) }
  }

  private static func differences(_ layer: VectorTileLayer, _ expected: JSONValue) -> [String] {
    let features = (expected["features"]?.array ?? []).filter { [1, 2, 3].contains($0["type"]?.double ?? 0) }
    var found: [String] = []
    if layer.name != expected["name"]?.string { found.append("name \(layer.name)") }
    if Double(layer.version) != expected["version"]?.double { found.append("version \(layer.version)") }
    if Double(layer.extent) != expected["extent"]?.double ?? 4096 { found.append("extent \(layer.extent)") }
    guard layer.rowCount == features.count else { return found + ["\(layer.rowCount) features"] }
    for (row, feature) in features.enumerated() {
      if layer.id(ofRow: row).map({ "\($0)" }) != feature["id"].map(written) {
        found.append("id of row \(row)")
      }
      let geometry = parts(layer, row)
      if geometry != parts(feature) { found.append("geometry of row \(row): \(geometry)") }
      let values = properties(feature, of: expected)
      for (field, name) in layer.fields.enumerated() {
        let value = layer.value(ofField: field, inRow: row)
        if !isEqual(value, values[name]) {
          found.append("\(name) of row \(row): \(String(describing: value))")
        }
      }
      if !Set(values.keys).isSubset(of: layer.fields) { found.append("fields \(layer.fields)") }
    }
    return found
  }

  // MARK: Geometry

  /// Returns the geometry of a row: kind, then the coordinates of each part.
  private static func parts(_ layer: VectorTileLayer, _ row: Int) -> [[Double]] {
    let type: Double =
      switch layer.kinds[row] {
      case .point, .multipoint: 1
      case .polyline: 2
      case .polygon: 3
      }
    guard let buffer = layer.geometries.first(where: { !$0.isEmpty(row: row) }) else { return [] }
    func coordinates(_ range: Range<Int>) -> [Double] { range.flatMap { [buffer.x[$0], buffer.y[$0]] } }
    if buffer.kind == .point { return [[type], coordinates(row..<row + 1)] }
    return [[type]] + buffer.parts(ofRow: row).map { coordinates(buffer.vertices(ofPart: $0)) }
  }

  /// Returns the geometry that the commands of a fixture's feature describe, closed rings included.
  private static func parts(_ feature: JSONValue) -> [[Double]] {
    let numbers = (feature["geometry"]?.array ?? []).map { Int($0.double ?? 0) }
    var (result, part, index, x, y) = ([[feature["type"]?.double ?? 0]], [Double](), 0, 0.0, 0.0)
    while index < numbers.count {
      let (id, count) = (numbers[index] & 7, numbers[index] >> 3)
      index += 1
      if id == 7 { part += part.prefix(2) }
      if id == 1, result[0] != [1], !part.isEmpty {
        result.append(part)
        part = []
      }
      for _ in 0..<(id == 7 ? 0 : count) {
        x += Double(numbers[index] >> 1 ^ -(numbers[index] & 1))
        y += Double(numbers[index + 1] >> 1 ^ -(numbers[index + 1] & 1))
        part += [x, y]
        index += 2
      }
    }
    return part.isEmpty ? result : result + [part]
  }

  // MARK: Values

  private static func properties(_ feature: JSONValue, of layer: JSONValue) -> [String: JSONValue] {
    let tags = (feature["tags"]?.array ?? []).map { Int($0.double ?? 0) }
    var values: [String: JSONValue] = [:]
    for pair in stride(from: 0, to: tags.count - 1, by: 2) {
      values[layer["keys"]?[tags[pair]]?.string ?? ""] = layer["values"]?[tags[pair + 1]]
    }
    return values
  }

  /// A value as text, because the greatest integers are no doubles, and some texts are written as numbers.
  private static func written(_ value: JSONValue) -> String { value.string ?? value.text() }

  private static func isEqual(_ value: VectorTileValue?, _ expected: JSONValue?) -> Bool {
    guard let value, let member = expected?.object?.members.first else {
      return value == nil && expected == nil
    }
    let (name, expected) = (member.name, member.value)
    // A switch over name and value together crashes the optimiser of Swift 6.3.
    switch value {
    case .text(let text): return name == "string_value" && text == written(expected)
    case .float(let number): return name == "float_value" && number == expected.double.map { Float($0) }
    case .double(let number): return name == "double_value" && number == expected.double
    case .integer(let number):
      return ["int_value", "sint_value"].contains(name) && "\(number)" == written(expected)
    case .unsigned(let number): return name == "uint_value" && "\(number)" == written(expected)
    case .boolean(let truth): return name == "bool_value" && truth == expected.boolean
    }
  }
}
