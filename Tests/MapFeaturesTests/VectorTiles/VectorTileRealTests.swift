import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import MapSystem
import MapTestSupport
import Testing

/// Tiles of OpenStreetMap, compared with GDAL.
@Suite struct VectorTileRealTests {
  private static func folder() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["MAPSTATE_MVT_TILES"] { return URL(filePath: path) }
    return try #require(Bundle.module.url(forResource: "Cases/VectorTiles/real", withExtension: nil))
  }

  @Test("Features, kinds, values and vertices are those that GDAL reads")
  func sameAsGDAL() throws {
    let folder = try Self.folder()
    let expected = try JSONValue(
      parsing: [UInt8](Data(contentsOf: folder.appending(path: "expected.json"))))
    let tiles = try #require(expected.object).members
    var (layers, features) = (0, 0)
    for (name, content) in tiles.map({ ($0.name, $0.value) }) {
      let place = try #require(name.split(separator: ".").first).split(separator: "-").compactMap { Int($0) }
      let square = try #require(Envelope.webMercatorTile(zoom: place[0], column: place[1], row: place[2]))
      let tile = try VectorTile([UInt8](Data(contentsOf: folder.appending(path: name))))
      let wanted = try #require(content.object).members
      #expect(tile.layers.map(\.name) == wanted.map(\.name), "\(name)")
      for (layer, wanted) in zip(tile.layers, wanted) {
        let summary = try Self.summary(layer, square)
        #expect(summary == Self.compared(wanted.value), "\(name) \(layer.name)")
        layers += 1
        features += layer.rowCount
      }
      #expect(tile.problems.count == tile.problems.first.count { !$0.isSkipped }, "\(name)")
    }
    guard ProcessInfo.processInfo.environment["MAPSTATE_MVT_TILES"] == nil else { return }
    #expect((tiles.count, layers, features) == (10, 102, 1651))
  }

  /// The members of the expectation as texts.
  private static func compared(_ json: JSONValue) -> [String: String] {
    var result: [String: String] = [:]
    for member in json.object?.members ?? [] {
      guard let counts = member.value.object else {
        result[member.name] = member.value.string ?? member.value.text()
        continue
      }
      for count in counts.members { result["\(member.name) \(count.name)"] = count.value.text() }
    }
    return result
  }

  /// A layer in the form of the expectation, from its table on the ground and its exact values.
  private static func summary(_ layer: VectorTileLayer, _ square: Envelope) throws -> [String: String] {
    let table = try layer.table(in: square)
    var kinds: [String: Int] = [:]
    for kind in layer.kinds { kinds["kinds \(kind.rawValue)", default: 0] += 1 }
    var result = kinds.mapValues { "\($0)" }
    let points = table.geometries.filter { $0.kind == .point }.reduce(0) { sum, buffer in
      sum + buffer.x.count { !$0.isNaN }
    }
    let others = table.geometries.filter { $0.kind != .point }
    result["features"] = "\(table.rowCount)"
    result["parts"] = "\(points + others.reduce(0) { $0 + $1.partEnds.count })"
    result["vertices"] = "\(points + others.reduce(0) { $0 + $1.vertexCount })"
    for (field, column) in zip(table.schema.fields, table.columns) {
      let count = (0..<table.rowCount).count { column.isValid($0) }
      if count > 0 { result["values \(field.name)"] = "\(count)" }
    }
    let order = table.schema.fields.indices.sorted {
      Array(table.schema.fields[$0].name.utf8).lexicographicallyPrecedes(table.schema.fields[$1].name.utf8)
    }
    let lines = (0..<table.rowCount).map { row in line(layer, table, square, row, order) + "\n" }
    result["digest"] = SHA256.hexadecimal(SHA256.digest(Array(lines.joined().utf8)))
    return result
  }

  /// A feature as `make_tile_cases.py` writes it.
  private static func line(
    _ layer: VectorTileLayer, _ table: FeatureColumns, _ square: Envelope, _ row: Int, _ fields: [Int]
  ) -> String {
    var shape: [String] = []
    if let buffer = table.buffer(ofRow: row) {
      func position(_ vertex: Int) -> String {
        let x = (buffer.x[vertex] - square.xMin) / square.width * Double(layer.extent)
        let y = (square.yMax - buffer.y[vertex]) / square.height * Double(layer.extent)
        return "\(Int(x.rounded())) \(Int(y.rounded()))"
      }
      let parts =
        buffer.kind == .point
        ? [row..<row + 1] : buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0) }
      shape = parts.map { $0.map(position).joined(separator: ",") }
    }
    let values = fields.compactMap { field -> String? in
      let name = table.schema.fields[field].name
      return text(table.columns[field].value(at: row)).map { "\(name)=\($0)" }
    }
    let id = layer.id(ofRow: row).map { "\($0)" } ?? ""
    return
      "\(id)|\(layer.kinds[row].rawValue)|\(shape.joined(separator: ";"))|\(values.joined(separator: "|"))"
  }

  /// A value as text that keeps its type; nil for null.
  private static func text(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "i:\(number)"
    case .real(let number): "r:\(hexadecimal(number))"
    case .boolean(let value): "b:\(value)"
    case .text(let text): "t:\(text)"
    default: nil
    }
  }

  /// A double as Python's `float.hex` writes it.
  private static func hexadecimal(_ number: Double) -> String {
    let sign = number.sign == .minus ? "-" : ""
    if number == 0 { return "\(sign)0x0.0p+0" }
    let digits = String(number.significandBitPattern, radix: 16)
    let fraction = String(repeating: "0", count: 13 - digits.count) + digits
    let exponent = Int(number.exponentBitPattern) - 1023
    return "\(sign)0x1.\(fraction)p\(exponent < 0 ? "" : "+")\(exponent)"
  }

  @Test("2,000 changed tiles are read or refused")
  func mutations() throws {
    let folder = try #require(Bundle.module.url(forResource: "Cases/VectorTiles/real", withExtension: nil))
    let tiles = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".mvt") }.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    var generator = SeededGenerator(seed: 20_260_101)
    var (read, refused) = (0, 0)
    for number in 0..<2000 {
      var bytes = tiles[number % tiles.count]
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        default: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], at: place)
        }
      }
      do throws(VectorTileError) {
        for layer in try VectorTile(bytes).layers { _ = try layer.table() }
        read += 1
      } catch { refused += 1 }
    }
    #expect(tiles.count == 10)
    #expect(read + refused == 2000)
    #expect(read > 50 && refused > 200, "\(read) read, \(refused) refused")
  }
}
