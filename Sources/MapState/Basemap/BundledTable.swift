import MapFeatures
import MapGeometry
import Synchronization

/// A layer of a bundled level as a table, decoded when the first row is asked for and then kept.
///
/// - Cost: the program holds what has been drawn once, at most about 20 MB.
final class BundledTable: FeatureSource {
  private let level: BasemapLevel
  private let part: BasemapPart
  /// The whole layer that this is a part of; nil for one that is whole.
  private let whole: (table: BundledTable, ground: BasemapGround)?
  private let decoded = Mutex<InMemorySource?>(nil)

  /// A table that is not decoded yet.
  init(_ part: BasemapPart, level: BasemapLevel) { (self.part, self.level, whole) = (part, level, nil) }

  /// What of a table lies on a ground, brought to its reference; not cut yet.
  init(_ table: BundledTable, on ground: BasemapGround) {
    (part, level, whole) = (table.part, table.level, (table, ground))
  }

  var schema: FeatureSchema {
    let schema = part.content.schema
    return FeatureSchema(
      fields: schema.fields, geometryKind: part == .coast ? .polyline : schema.geometryKind,
      spatialReference: whole?.ground.reference ?? schema.spatialReference)
  }
  var rowCount: Int { (try? table().rowCount) ?? 0 }
  var extent: Envelope { (try? table().extent) ?? .empty }
  var worldsReached: ClosedRange<Int> { Self.worlds }
  var warnings: [String] { [] }

  /// What runs on past 180 degrees, so that worlds drawn side by side overlap, is in the file on the other side too.
  private static let worlds = 0...0

  func rows(_ query: FeatureQuery) throws -> RowSet { try table().rows(query) }
  func count(_ query: FeatureQuery) throws -> Int { try table().count(query) }
  func columns() throws -> FeatureColumns { try table().columns() }
  func shownColumns(on map: SpatialReference) throws -> FeatureColumns { try table().shownColumns(on: map) }

  private func table() throws -> InMemorySource {
    let result = decoded.withLock { kept -> Result<InMemorySource, any Error> in
      if let kept { return .success(kept) }
      let read = Result { try decode() }
      if case .success(let source) = read { kept = source }
      return read
    }
    return try result.get()
  }

  private func decode() throws -> InMemorySource {
    if let (table, ground) = whole {
      return InMemorySource(try ground.cut(try table.columns()), worlds: Self.worlds)
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

/// What a basemap consists of.
enum BasemapPart: String, CaseIterable {
  case shelf, land, states, lakes, coast, borders

  /// Where it is read from: the coast is what bounds the land.
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

/// How much of the world the basemap shows in detail.
package enum BasemapLevel: Int32, CaseIterable, Sendable {
  /// The world and its larger parts.
  case world
  /// Continents and large countries.
  case continent
  /// Countries and states.
  case country

  /// The level for a scale, given as the N of 1:N.
  ///
  /// - Source: ours; the levels keep what is about half a pixel in size at the largest scale that they are for.
  package init(scale: Double) {
    self = scale > 50_000_000 ? .world : scale > 10_000_000 ? .continent : .country
  }
}
