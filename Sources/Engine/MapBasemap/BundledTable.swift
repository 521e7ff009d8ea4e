import MapFeatures
import MapGeometry
import Synchronization

/// A layer of a bundled level as a table.
///
/// It is decoded at the first request for rows and then cached.
///
/// - Cost: the cache grows with the layers drawn, to about 20 MB at most.
final class BundledTable: FeatureSource {
  private enum Origin {
    /// A part of a level.
    case level(BasemapLevel, BasemapPart)
    /// The graticule with a distance of its lines in degrees.
    case graticule(Double)
    /// Rows that are made for a view.
    case made(FeatureColumns)
    /// The part of another table on a ground, and the projections to it.
    indirect case cut(BundledTable, BasemapGround, SpatialOperations)
  }

  private let origin: Origin
  let schema: FeatureSchema
  private let decoded = Mutex<InMemorySource?>(nil)

  /// Creates a table that is not decoded yet.
  init(_ part: BasemapPart, level: BasemapLevel) {
    origin = .level(level, part)
    schema = part == .coast ? part.content.schema.with(.polyline) : part.content.schema
  }

  /// Creates the graticule with a distance of its lines in degrees.
  init(graticule spacing: Double) {
    origin = .graticule(spacing)
    schema = Graticule.schema
  }

  /// Creates a table of rows that are made for a view.
  init(_ made: FeatureColumns) { (origin, schema) = (.made(made), made.schema) }

  /// Creates the part of a table on a ground, in the ground's spatial reference.
  ///
  /// It is not cut yet.
  init(_ table: BundledTable, on ground: BasemapGround, operations: SpatialOperations) {
    origin = .cut(table, ground, operations)
    schema = FeatureSchema(
      fields: table.schema.fields, geometryKind: table.schema.geometryKind, spatialReference: ground.reference
    )
  }

  /// The properties of the decoded rows; without rows if they cannot be decoded.
  var metadata: SourceMetadata { (try? table().metadata) ?? SourceMetadata() }

  /// The world copies with data: only copy 0.
  ///
  /// Features that cross 180° overlap the next copy, so the file also stores them on the other side.
  private static let worlds = 0...0

  func count(_ query: FeatureQuery) throws -> Int { try table().count(query) }
  func counts(_ queries: [FeatureQuery]) throws -> [Int] { try table().counts(queries) }
  func fetch(_ query: FeatureQuery?, page: FeaturePage) throws -> FetchedFeatures {
    FetchedFeatures(try table())
  }

  /// Returns the rows; concurrent first callers all decode them, and all get the result of the first to finish.
  private func table() throws -> InMemorySource {
    if let kept = decoded.withLock({ $0 }) { return kept }
    let read = try decode()
    return decoded.withLock { kept in
      let first = kept ?? read
      kept = first
      return first
    }
  }

  private func decode() throws -> InMemorySource {
    switch origin {
    case .cut(let table, let ground, let operations):
      return InMemorySource(
        try ground.cut(try table.table().columns(), operations: operations), worlds: Self.worlds)
    case .made(let columns):
      return InMemorySource(columns, worlds: Self.worlds)
    case .graticule(let spacing):
      return InMemorySource(Graticule.table(spacing: spacing), worlds: Self.worlds)
    case .level(let level, let part):
      let read = BundledBytes.with(level: level.rawValue) { bytes in
        Result { () throws(BasemapFile.Fault) in
          let file = try BasemapFile(bytes)
          let table = try file.table(part.content, of: bytes)
          return InMemorySource(
            part == .coast ? table.shores(cutTo: file.window) : table, worlds: Self.worlds)
        }
      }
      return try read.get()
    }
  }
}

/// A part of the basemap that is drawn as one layer.
enum BasemapPart: String, CaseIterable {
  case land, rivers, lakes, states, coast, borders

  /// The layer of the file that the part is read from.
  ///
  /// The coast is the outline of the land.
  var content: BasemapFile.Content {
    switch self {
    case .land, .coast: .land
    case .rivers: .rivers
    case .states: .states
    case .lakes: .lakes
    case .borders: .borders
    }
  }
}

/// The level of detail of the basemap.
package enum BasemapLevel: Int32, CaseIterable, Sendable {
  /// The world and its larger parts.
  case world
  /// Continents and large countries.
  case continent
  /// Countries and states.
  case country

  /// Creates the level for a scale denominator.
  ///
  /// - Source: design decision; a level keeps details of about half a pixel at its largest scale.
  package init(scale: Double) {
    self = scale > 50_000_000 ? .world : scale > 10_000_000 ? .continent : .country
  }
}
