import MapCairo
import MapDrawing
import MapImages

/// The painting of an image: its layers are painted in order, each while the next one is made.
///
/// At most one layer waits. With one thread, nothing is painted beside other work.
actor LayerPainting {
  private var painter: CairoPainter?
  private let isBeside: Bool
  /// The painting of the layer before.
  private var last: Task<Void, any Error>?

  /// Creates the painting of a painter's image.
  ///
  /// - Parameter threads: the number of threads of the painter.
  init(_ painter: consuming sending CairoPainter, threads: Int) {
    self.painter = consume painter
    isBeside = threads > 1
  }

  /// Begins to paint a layer over those before, and returns as soon as these are painted.
  ///
  /// - Throws: The error of an earlier layer.
  func paint(_ layer: DisplayLayer) async throws { try await paint([layer]) }

  /// Begins to paint layers over those before, one over the other, and returns as soon as these are painted.
  ///
  /// - Throws: The error of an earlier layer.
  func paint(_ layers: [DisplayLayer]) async throws {
    guard isBeside else { return try paintNow(layers) }
    try await last?.value
    last = Task { try paintNow(layers) }
  }

  private func paintNow(_ layers: [DisplayLayer]) throws { try painter?.paint(layers) }

  /// Returns the image of all layers, for the first caller.
  ///
  /// - Throws: The error of a layer, or ``PaintError``.
  func finish() async throws -> Bitmap {
    try await last?.value
    guard let painter = painter.take() else { throw CancellationError() }
    return try painter.finish()
  }

  /// Returns when no layer is being painted any more.
  func end() async { _ = await last?.result }
}
