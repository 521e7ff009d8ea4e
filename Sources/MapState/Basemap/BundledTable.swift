import MapFeatures
import MapGeometry
import Synchronization

/// A layer of a bundled level as a table, decoded when the first row is asked for and then kept.
///
/// - Cost: the program holds what has been drawn once, at most about 20 MB.
final class BundledTable: FeatureSource {
  private let level: BasemapLevel
  private let part: BasemapPart
  private let decoded = Mutex<InMemorySource?>(nil)

  /// A table that is not decoded yet.
  init(_ part: BasemapPart, level: BasemapLevel) { (self.part, self.level) = (part, level) }

  var schema: FeatureSchema { part == .coast ? part.content.schema.with(.polyline) : part.content.schema }
  var rowCount: Int { (try? table().rowCount) ?? 0 }
  var extent: Envelope { (try? table().extent) ?? .empty }
  var worldsReached: ClosedRange<Int> { Self.worlds }
  var warnings: [String] { [] }

  /// What runs on past 180 degrees, so that worlds drawn side by side overlap, is in the file on the other side too.
  private static let worlds = 0...0

  func rows(_ query: FeatureQuery) throws -> RowSet { try table().rows(query) }
  func count(_ query: FeatureQuery) throws -> Int { try table().count(query) }
  func columns() throws -> FeatureColumns { try table().columns() }

  private func table() throws(BasemapFile.Fault) -> InMemorySource {
    let result = decoded.withLock { kept -> Result<InMemorySource, BasemapFile.Fault> in
      if let kept { return .success(kept) }
      let read = BundledBytes.with(level: level.rawValue) { bytes in
        Result { () throws(BasemapFile.Fault) in
          let file = try BasemapFile(bytes)
          let table = try file.table(part.content, of: bytes)
          return InMemorySource(
            part == .coast ? table.shores(cutTo: file.window) : table, worlds: Self.worlds)
        }
      }
      if case .success(let source) = read { kept = source }
      return read
    }
    return try result.get()
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
