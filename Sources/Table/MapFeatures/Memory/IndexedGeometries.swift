import MapGeometry
internal import Synchronization

/// Geometries with their index, in one spatial reference.
struct IndexedGeometries {
  let geometry: CoordinateBuffer
  /// The smallest envelope that contains all rows, without a spatial reference.
  let extent: Envelope
  let filtered: FilterCache
  let tree = LazyIndex()

  init(_ geometry: CoordinateBuffer) {
    filtered = FilterCache(rowCount: geometry.rowCount)
    self.geometry = geometry
    let envelopes = EnvelopeColumns(of: geometry)
    extent = envelopes.union(of: 0..<envelopes.count)
  }

  /// The index, which is built when it is first needed.
  var index: PackedRTree { tree.index(of: geometry) }

  /// Inserts the rows that meet an envelope, including its sides.
  ///
  /// The first questions about points compare all of them, which costs less than an index.
  func insertRows(meeting envelope: Envelope, into words: inout [UInt64]) {
    guard geometry.kind == .point, tree.isEarlyQuestion() else {
      return index.insertRows(meeting: envelope, of: geometry, into: &words)
    }
    for (place, word) in EnvelopeColumns(of: geometry).rows(meeting: envelope).enumerated() {
      words[place] |= word
    }
  }

  /// Returns the number of rows that meet an envelope, including its sides.
  func count(meeting envelope: Envelope, isOneOfMany: Bool) -> Int {
    guard geometry.kind == .point, !isOneOfMany, tree.isEarlyQuestion() else {
      return index.count(meeting: envelope, of: geometry)
    }
    return EnvelopeColumns(of: geometry).rows(meeting: envelope).reduce(0) { $0 + $1.nonzeroBitCount }
  }
}

/// An index that is built when it is first needed, and the number of questions before it.
final class LazyIndex: Sendable {
  private let state = Mutex((index: PackedRTree?.none, questions: 0))

  /// The number of questions before the index is built.
  ///
  /// - Source: building it takes as long as about 30 passes over the points, and two dozen bytes per point. An image
  ///   with labels asks four questions.
  private static let earlyQuestions = 8

  /// Returns the index of the geometries, always the same ones.
  func index(of geometry: CoordinateBuffer) -> PackedRTree {
    state.withLock { state in
      let index = state.index ?? PackedRTree(of: geometry)
      state.index = index
      return index
    }
  }

  /// Whether there were few questions and no index before.
  func isEarlyQuestion() -> Bool {
    state.withLock { state in
      state.questions += 1
      return state.questions <= Self.earlyQuestions && state.index == nil
    }
  }
}
