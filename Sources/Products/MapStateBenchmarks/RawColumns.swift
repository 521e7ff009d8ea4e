import MapState
import MapSystem

/// A table of points in raw little-endian columns, one file each; faster to read than any map format.
struct RawColumns {
  private let path: String

  init(_ name: String, in folder: String) throws {
    path = "\(folder)/\(name)"
  }

  static func exists(_ name: String, in folder: String) -> Bool {
    FileAccess.exists("\(folder)/\(name).x.f64")
  }

  /// Returns a view of the whole table, with one layer.
  func view() throws -> ViewState {
    let (x, y) = (try Self.doubles("\(path).x.f64"), try Self.doubles("\(path).y.f64"))
    var geometry = CoordinateBuffer(kind: .point)
    geometry.reserve(rows: x.count, vertices: x.count)
    for row in x.indices { geometry.appendPoint(x: x[row], y: y[row]) }
    let population = try Self.doubles("\(path).pop.f64")
    var isKnown = RowSet(rowCount: x.count)
    for row in population.indices where !population[row].isNaN { isKnown.insert(row) }
    let codes = try FileAccess.read("\(path).cat.i8").map { Int32($0) }
    let ranks = try FileAccess.read("\(path).rank.i8").map { Int64($0) }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [
          Field(name: "req_type", type: .text), Field(name: "pop", type: .float64),
          Field(name: "rank", type: .int32),
        ], geometryKind: .point, spatialReference: .webMercator),
      columns: [
        Column(.text(codes: codes, dictionary: Scene.categories)),
        Column(.reals(population.map { $0.isNaN ? 0 : $0 }), validity: isKnown), Column(.integers(ranks)),
      ], geometry: geometry, rowCount: x.count)
    let map = Map()
    map.addOperationalLayer(FeatureLayer(source: InMemorySource(table), title: "points"))
    return try MapView(map: map, width: 1024, height: 768).freeze()
  }

  static func envelopes(in folder: String) throws -> [Envelope] {
    let sides = try doubles("\(folder)/envelopes.f64")
    return stride(from: 0, to: sides.count, by: 4).map {
      Envelope(
        xMin: sides[$0], yMin: sides[$0 + 1], xMax: sides[$0 + 2], yMax: sides[$0 + 3],
        spatialReference: .webMercator)
    }
  }

  static func polygon(in folder: String) throws -> Polygon {
    let places = try doubles("\(folder)/polygon.f64")
    let points = stride(from: 0, to: places.count, by: 2).map {
      Point(x: places[$0], y: places[$0 + 1], spatialReference: .webMercator)
    }
    return Polygon(points: points)
  }

  private static func doubles(_ path: String) throws -> [Double] {
    let bytes = try FileAccess.read(path)
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      var bits: UInt64 = 0
      for index in 0..<8 { bits |= UInt64(bytes[start + index]) << UInt64(8 * index) }
      return Double(bitPattern: bits)
    }
  }
}
