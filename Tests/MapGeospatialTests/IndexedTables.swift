import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// Tables and questions for the tests of spatial indexes of files.
enum IndexedTables {
  /// Random features, a few of them at the origin and beyond the antimeridian.
  static func table(
    _ kind: GeometryKind, _ reference: SpatialReference, rows: Int, _ random: inout SeededGenerator
  ) -> FeatureColumns {
    let half = reference == .wgs84 ? 180.0 : WebMercator.halfWorld
    var geometry = CoordinateBuffer(kind: kind)
    for row in 0..<rows {
      let x = Double.random(in: -half...half * (row % 50 == 0 ? 1.2 : 1), using: &random)
      let y = Double.random(in: -half / 3...half / 3, using: &random)
      let size = half * Double.random(in: 0.001...0.05, using: &random)
      switch kind {
      case .point where row % 97 == 0: geometry.appendPoint(x: 0, y: 0)
      case .point: geometry.appendPoint(x: x, y: y)
      case .polygon:
        for (east, north) in [(0, 0), (size, size), (size, 0), (0, 0)] {
          geometry.appendVertex(x: x + east, y: y + north)
        }
        geometry.endPart()
        geometry.endRow()
      default:
        for (east, north) in [(0, 0), (size, size)] { geometry.appendVertex(x: x + east, y: y + north) }
        geometry.endPart()
        geometry.endRow()
      }
    }
    let names = (0..<rows).map { _ in Int32.random(in: 0..<5, using: &random) }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "name", type: .text), Field(name: "number", type: .int64)], geometryKind: kind,
        spatialReference: reference),
      columns: [
        Column(.text(codes: names, dictionary: ["a", "b", "c", "d", "e"])),
        Column(.integers((0..<rows).map { _ in Int64.random(in: 0..<100, using: &random) })),
      ], geometry: geometry, rowCount: rows)
  }

  /// A question about a small envelope, some of them with a filter.
  ///
  /// - Parameter table: sides of some envelopes are on coordinates of these features.
  static func query(
    _ reference: SpatialReference, size: Double, near table: FeatureColumns? = nil,
    _ random: inout SeededGenerator
  ) throws -> FeatureQuery {
    let half = reference == .wgs84 ? 180.0 : WebMercator.halfWorld
    let x = Double.random(in: -half...half, using: &random)
    let y = Double.random(in: -half / 3...half / 3, using: &random)
    let isAtOrigin = Int.random(in: 0..<8, using: &random) == 0
    var (west, south) = isAtOrigin ? (-half * size / 2, 0) : (x, y)
    if let geometry = table?.geometry, table?.schema.spatialReference == reference,
      Bool.random(using: &random)
    {
      let corner = geometry.envelope(ofRow: .random(in: 0..<geometry.rowCount, using: &random))
      // The envelope touches the box of a feature from one of four sides.
      west = Bool.random(using: &random) ? corner.xMax : corner.xMin - half * size
      south = Bool.random(using: &random) ? corner.yMax : corner.yMin - half * size
    }
    var conditions = QueryConditions()
    conditions.question = FeatureQuestion(
      area: .envelope(
        Envelope(
          xMin: west, yMin: south, xMax: west + half * size, yMax: south + half * size,
          spatialReference: reference)))
    if Bool.random(using: &random) { conditions.question.whereClause = "name = 'b' AND number < 60" }
    if Int.random(in: 0..<5, using: &random) == 0 { conditions.hiddenIDs = [3, 17, 400] }
    return try conditions.query(for: .query)
  }

  /// Compares the answers of a table that is read in part with those of the whole table, all by the index.
  ///
  /// - Returns: the number of rows that the questions found.
  static func compare(
    _ source: PartlyReadSource, with whole: InMemorySource, questions: Int, _ random: inout SeededGenerator
  ) async throws -> Int {
    #expect(source.metadata.rowCount == whole.rowCount && source.schema == whole.schema)
    #expect(source.extent == whole.extent && source.worldsReached == whole.worldsReached)
    var found = 0
    for number in 0..<questions {
      let query = try query(
        number % 3 == 0 ? .wgs84 : .webMercator, size: 0.12, near: whole.columns(), &random)
      #expect(try await answer(source, query) == answer(whole, query), "\(query)")
      found += try whole.count(query)
    }
    #expect(source.inMemory == nil, "the index answered every question")
    return found
  }

  static func answer(_ source: some FeatureSource, _ query: FeatureQuery) async throws -> [UInt8] {
    let count = try await source.count(query)
    let rows = try await source.features(query, page: FeaturePage(), fieldNames: ["*"], hasGeometry: true)
    #expect(rows.rows.count == count)
    return Array("\(count) \(rows.objectIDs)".utf8) + (try GeoJSONWriter(rows).document())
  }

  /// Writes a file in another format by ogr2ogr.
  static func convert(_ path: String, to other: String, _ options: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/ogr2ogr")
    process.arguments = options + [other, path]
    try process.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
