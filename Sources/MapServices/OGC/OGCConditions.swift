import MapFeatures
import MapFilter
import MapGeometry
import Synchronization

// Parts of a query in the terms of OGC APIs.

extension TimeExtent {
  /// The span that a filter asks of a table's time, where it is made by `TimeInfo.filter(within:)`.
  init?(_ filter: Expression, of timeInfo: TimeInfo) {
    guard case .and(let terms) = filter else { return nil }
    var (start, end): (Instant?, Instant?)
    for term in terms {
      // A span's ends may be null.
      let asked = if case .or(let either) = term { either.last ?? term } else { term }
      switch asked {
      case .comparison(.greaterOrEqual, _, .literal(.instant(let moment))): start = moment
      case .comparison(.lessOrEqual, _, .literal(.instant(let moment))): end = moment
      default: continue
      }
    }
    self.init(start: start, end: end)
    guard start != nil || end != nil, timeInfo.filter(within: self) == filter else { return nil }
  }

  /// The span as the parameter `datetime` has it.
  ///
  /// - Source: OGC 17-069r4, 7.15.4.
  var parameter: String { "\(start.map { "\($0)" } ?? "..")/\(end.map { "\($0)" } ?? "..")" }
}

extension Envelope {
  /// What of it lies in the world, where services refuse other numbers; nil for nothing.
  var withinTheWorld: Envelope? {
    let isGeographic = spatialReference == .wgs84
    let (x, y) = isGeographic ? (180.0, 90.0) : (WebMercator.halfWorld, .infinity)
    let box = Envelope(
      xMin: max(xMin, -x), yMin: max(yMin, -y), xMax: min(xMax, x), yMax: min(yMax, y),
      spatialReference: spatialReference)
    return box.xMin <= box.xMax && box.yMin <= box.yMax ? box : nil
  }
}

extension [Envelope] {
  /// True where no two share a place, so that what they hold can be added up.
  var areApart: Bool {
    indices.allSatisfy { place in self[..<place].allSatisfy { !$0.meets(self[place]) } }
  }
}

extension FeatureColumns {
  /// True where a row has no geometry.
  var hasEmptyGeometries: Bool {
    geometry.map { geometry in (0..<rowCount).contains { geometry.isEmpty(row: $0) } } ?? false
  }
}

/// What is true once it was seen, and stays so.
final class Latch: Sendable {
  private let state = Atomic(false)

  /// True from the first ``close()`` on.
  var isClosed: Bool { state.load(ordering: .relaxed) }

  /// Makes it true.
  func close() { state.store(true, ordering: .relaxed) }
}
