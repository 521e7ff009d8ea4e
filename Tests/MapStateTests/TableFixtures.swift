import Foundation
import MapState

/// Small tables for tests of tables, layers and views, each with the rows for the edge cases.
enum TableFixtures {
  /// Cities in Web Mercator on the x axis, 10 km apart from 0: population with nulls, rank, name.
  static var cities: InMemorySource {
    let populations: [Int64?] = [100, 200, nil, 400, 1000, 50]
    let ranks: [Int64] = [1, 1, 1, 2, 2, 3]
    let names = ["A", "B", "b", "O'Brien", "A", "é"]
    var geometry = CoordinateBuffer(kind: .point)
    for row in populations.indices { geometry.appendPoint(x: Double(row) * 10_000, y: 0) }
    return source(
      [
        ("OBJECTID", .oid, (0..<6).map { .integer($0 + 1) }),
        ("POP", .int32, populations.map { $0.map(AttributeValue.integer) ?? .null }),
        ("POP_RANK", .int16, ranks.map(AttributeValue.integer)),
        ("NAME", .text, names.map(AttributeValue.text)),
      ], geometry, .webMercator)
  }

  /// Counties without geometry: state and county, a percentage with nulls.
  static var counties: InMemorySource {
    let rows: [(String?, String, Double?)] = [
      ("Ohio", "Adams", 9.5), ("Ohio", "Brown", nil), ("Iowa", "Adams", 7), ("Iowa", "Clay", 8.25),
      (nil, "Lost", 1), ("Utah", "Kane", nil), ("ohio", "Small", 3),
    ]
    return source(
      [
        ("FID", .oid, rows.indices.map { .integer(Int64($0) + 1) }),
        ("State", .text, rows.map { $0.0.map(AttributeValue.text) ?? .null }),
        ("County", .text, rows.map { .text($0.1) }),
        ("Diabetes_Percent", .float32, rows.map { $0.2.map(AttributeValue.real) ?? .null }),
        ("Shape__Area", .float64, rows.indices.map { .real(Double($0) + 0.5) }),
        ("GID", .globalID, rows.map { _ in .text("x") }),
      ], nil, nil)
  }

  /// Incidents in Web Mercator around the origin, 1 km apart on a grid of 10 by 10: type and date with nulls.
  static var incidents: InMemorySource {
    let types = ["Tree Maintenance or Damage", "Graffiti", "tree trimming", "50%_off"]
    var geometry = CoordinateBuffer(kind: .point)
    for row in 0..<100 { geometry.appendPoint(x: Double(row % 10) * 1000, y: Double(row / 10) * 1000) }
    return source(
      [
        ("OBJECTID", .oid, (0..<100).map { .integer($0 + 1) }),
        ("req_type", .text, (0..<100).map { .text(types[$0 % 4]) }),
        (
          "req_date", .date,
          (0..<100).map { $0 % 7 == 0 ? .null : .instant(Instant(microseconds: Int64($0) * 86_400_000_000)) }
        ),
      ], geometry, .webMercator)
  }

  /// Roads in WGS 84 with text codes and timestamps with nulls, without an id field.
  static var roads: InMemorySource {
    let codes = ["AP010", "AP010", "AQ040", "AQ140", "A_010", "AQ040", nil, "AP010"]
    let days: [Int64?] = [15_138, 15_200, 15_400, nil, 15_138, 15_800, 15_300, 15_706]
    var geometry = CoordinateBuffer(kind: .polyline)
    for row in codes.indices {
      geometry.appendVertex(x: 36 + Double(row) * 0.01, y: 32.6)
      geometry.appendVertex(x: 36.005 + Double(row) * 0.01, y: 32.61)
      geometry.endPart()
      geometry.endRow()
    }
    return source(
      [
        ("F_CODE", .text, codes.map { $0.map(AttributeValue.text) ?? .null }),
        (
          "ZI001_SDV", .date,
          days.map { $0.map { .instant(Instant(microseconds: $0 * 86_400_000_000)) } ?? .null }
        ),
      ], geometry, .wgs84)
  }

  private static func source(
    _ fields: [(String, FieldType, [AttributeValue])], _ geometry: CoordinateBuffer?,
    _ reference: SpatialReference?
  ) -> InMemorySource {
    InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: fields.map { Field(name: $0.0, type: $0.1) }, geometryKind: geometry?.kind,
          spatialReference: reference),
        columns: fields.map { Column(of: $0.2, type: $0.1) }, geometry: geometry,
        rowCount: fields[0].2.count))
  }

  static let citiesURL = URL(string: "https://example.com/rest/services/SampleWorldCities/MapServer/0")
  static let countiesURL = URL(string: "https://example.com/rest/services/Counties/FeatureServer/0/")
  static let incidentsURL = URL(string: "https://example.com/rest/services/SF_311/FeatureServer/0")
  static let apiURL = URL(string: "https://example.com/daraa")

  /// All four tables behind addresses.
  static var standIns: StandInCatalog {
    StandInCatalog(sources: [
      "https://example.com/rest/services/SampleWorldCities/MapServer/0": cities,
      "https://example.com/rest/services/Counties/FeatureServer/0": counties,
      "https://example.com/rest/services/SF_311/FeatureServer/0": incidents,
      "https://example.com/daraa/collections/TransportationGroundCrv": roads,
    ])
  }
}
