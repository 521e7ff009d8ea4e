internal import Synchronization

/// Counters of the work of painting, the same on every machine, by which tests measure growth.
package final class PaintingWork: Sendable {
  /// The numbers.
  package struct Counts: Hashable, Sendable {
    /// Vertices of paths that Cairo was given.
    package var vertices = 0
    /// Edges of insides and outlines that were laid on a sheet.
    package var edges = 0
    /// Rows of pixels that those edges run through, once for each.
    package var spans = 0
    /// Places where rings cross level lines.
    package var crossings = 0
    /// Convex pieces of strokes that were sampled.
    package var pieces = 0
    /// The most bytes that one path took besides the sheets, which go by the size of the picture.
    package var bytes = 0

    mutating func add(_ other: Counts) {
      vertices += other.vertices
      edges += other.edges
      spans += other.spans
      crossings += other.crossings
      pieces += other.pieces
      bytes = max(bytes, other.bytes)
    }
  }

  private let sum = Mutex(Counts())

  /// Nothing yet.
  package init() {}

  /// All that was counted so far.
  package var counts: Counts { sum.withLock { $0 } }

  func add(_ counts: Counts) { sum.withLock { $0.add(counts) } }
}
