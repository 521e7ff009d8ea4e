import MapFeatures
import MapFilter
import MapGeometry
import Synchronization

// Parts of a query in the terms of OGC APIs.

extension TimeExtent {
  /// Creates the time span of a filter; nil unless `TimeInfo.filter(within:)` has made the filter.
  init?(_ filter: FilterExpression, of timeInfo: TimeInfo) {
    guard case .and(let terms) = filter else { return nil }
    var (start, end): (Instant?, Instant?)
    for term in terms {
      // The start and end fields of a feature may be null.
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

  /// The value for the parameter `datetime`.
  ///
  /// - Source: OGC 17-069r4, 7.15.4.
  var parameter: String { "\(start.map { "\($0)" } ?? "..")/\(end.map { "\($0)" } ?? "..")" }
}

extension Envelope {
  /// The part of the envelope inside the world; nil if there is none.
  ///
  /// Services refuse coordinates outside.
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
  /// Whether no two envelopes meet, so that their counts can be added.
  var areApart: Bool {
    indices.allSatisfy { place in self[..<place].allSatisfy { !$0.meets(self[place]) } }
  }
}

extension FeatureColumns {
  /// Whether a row has no geometry.
  var hasEmptyGeometries: Bool {
    geometry.map { geometry in (0..<rowCount).contains { geometry.isEmpty(row: $0) } } ?? false
  }
}

/// A flag that starts false and, once set, stays true.
final class Latch: Sendable {
  private let state = Atomic(false)

  /// Whether ``close()`` has been called.
  var isClosed: Bool { state.load(ordering: .relaxed) }

  /// Sets the flag.
  func close() { state.store(true, ordering: .relaxed) }
}
