import MapDrawing
import MapModel

/// The layers of an image in the order of painting.
///
/// Labels of layers with features decide where symbols of styles are placed. So if a view has both, all layers wait
/// until the labels are placed.
struct PaintingOrder: Sendable {
  /// A layer that waits.
  private enum Layer: Sendable {
    case drawn(DisplayLayer)
    case tiles(TileLayerState)
  }

  private let painting: LayerPainting
  private let threads: Int
  /// The drawings of styles with symbols.
  private var styled: StyledLayers
  /// The layers that wait; nil when layers are painted at once.
  private var waiting: [Layer]?
  /// The reports of the painted layers of tiles.
  private(set) var reports: [RenderReport.Tiles] = []

  /// Creates an order that paints at once, or waits until the symbols of styles are placed.
  init(_ painting: LayerPainting, _ styled: StyledLayers, threads: Int, waits: Bool) {
    (self.painting, self.styled, self.threads) = (painting, styled, threads)
    if waits { waiting = [] }
  }

  /// Paints a layer, now or later.
  mutating func paint(_ layer: DisplayLayer) async throws {
    guard waiting == nil else { return waiting?.append(.drawn(layer)) ?? () }
    try await painting.paint(layer)
  }

  /// Draws and paints a layer of tiles, now or later.
  mutating func paint(_ layer: TileLayerState, of view: ViewState) async throws {
    guard waiting == nil else { return waiting?.append(.tiles(layer)) ?? () }
    let (drawings, report) = try await view.draw(layer, styled, threads: threads, joinsTiles: false)
    try await painting.paint(drawings)
    reports.append(report)
  }

  /// Paints the layers that waited, with the drawings of styles whose symbols are placed.
  mutating func paintWaiting(_ styled: StyledLayers, of view: ViewState) async throws {
    let layers = waiting ?? []
    (self.styled, waiting) = (styled, nil)
    for layer in layers {
      switch layer {
      case .drawn(let drawing): try await paint(drawing)
      case .tiles(let tiles): try await paint(tiles, of: view)
      }
    }
  }
}
