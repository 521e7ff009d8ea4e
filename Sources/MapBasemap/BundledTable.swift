import MapFeatures
import MapGeometry
import Synchronization

/// A layer of a bundled level as a table.
///
/// It is decoded at the first request for rows and then cached.
///
/// - Cost: the cache grows with the layers drawn, to about 20 MB at most.
final class BundledTable: FeatureSource {
  private let level: BasemapLevel
  private let part: BasemapPart
  /// The whole layer that this table is cut from, the ground, and the projections to it; nil for a whole layer.
  private let whole: (table: BundledTable, ground: BasemapGround, operations: SpatialOperations)?
  private let decoded = Mutex<InMemorySource?>(nil)

  /// Creates a table that is not decoded yet.
  init(_ part: BasemapPart, level: BasemapLevel) { (self.part, self.level, whole) = (part, level, nil) }

  /// Creates the part of a table on a ground, in the ground's spatial reference.
  ///
  /// It is not cut yet.
  init(_ table: BundledTable, on ground: BasemapGround, operations: SpatialOperations) {
    (part, level, whole) = (table.part, table.level, (table, ground, operations))
  }

  var schema: FeatureSchema {
    let schema = part.content.schema
    return FeatureSchema(
      fields: schema.fields, geometryKind: part == .coast ? .polyline : schema.geometryKind,
      spatialReference: whole?.ground.reference ?? schema.spatialReference)
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
    if let (table, ground, operations) = whole {
      return InMemorySource(
        try ground.cut(try table.table().columns(), operations: operations), worlds: Self.worlds)
    }
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

/// A part of the basemap that is drawn as one layer.
enum BasemapPart: String, CaseIterable {
  case shelf, land, states, lakes, coast, borders

  /// The layer of the file that the part is read from.
  ///
  /// The coast is the outline of the land.
  var content: BasemapFile.Content {
    switch self {
    case .shelf: .shelf
    case .land, .coast: .land
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
