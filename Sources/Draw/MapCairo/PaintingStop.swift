internal import Synchronization

/// A request to stop painting, given from any thread.
///
/// Painters look at it between bands, batches and groups of items, and leave the rest unpainted. They throw nothing:
/// who gives the request does not use the image.
package final class PaintingStop: Sendable {
  private let given = Atomic(false)

  /// Creates a request that is not given.
  package init() {}

  /// Gives the request.
  package func give() { given.store(true, ordering: .releasing) }

  /// Whether the request is given.
  var isGiven: Bool { given.load(ordering: .acquiring) }
}
