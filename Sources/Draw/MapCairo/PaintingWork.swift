internal import Synchronization

/// Counters of the work of painting, the same on every machine; tests use them to measure growth.
package final class PaintingWork: Sendable {
  /// The counters.
  package struct Counts: Hashable, Sendable {
    /// The number of path vertices that Cairo received.
    package var vertices = 0
    /// The number of edges of insides and outlines that were added to a sheet.
    package var edges = 0
    /// The number of pixel rows that those edges cross, counted per edge.
    package var spans = 0
    /// The number of points where rings cross sample lines.
    package var crossings = 0
    /// The number of convex stroke pieces that were sampled.
    package var pieces = 0
    /// The number of paths that were cut by a region; those inside it need no mask.
    package var maskedPaths = 0
    /// The most bytes that one path took, without the sheets, whose size depends on the image.
    package var bytes = 0

    mutating func add(_ other: Counts) {
      vertices += other.vertices
      edges += other.edges
      spans += other.spans
      crossings += other.crossings
      pieces += other.pieces
      maskedPaths += other.maskedPaths
      bytes = max(bytes, other.bytes)
    }
  }

  private let sum = Mutex(Counts())

  /// Creates counters at 0.
  package init() {}

  /// The counts so far.
  package var counts: Counts { sum.withLock { $0 } }

  func add(_ counts: Counts) { sum.withLock { $0.add(counts) } }
}
