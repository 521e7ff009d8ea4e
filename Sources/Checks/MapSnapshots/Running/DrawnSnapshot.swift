import MapDrawing
import MapFeatures
public import MapImages
public import MapState
import MapSystem

/// A drawn case: its image, its view and the report about its layers.
public struct DrawnSnapshot: Sendable {
  /// The image.
  public let bitmap: Bitmap
  /// The report about the image: the funnel of each layer, labels, warnings.
  public let report: RenderReport
  /// The warnings of the document and of drawing.
  public let warnings: [String]

  /// The parts of the page besides the map; nil for an image of the map alone.
  fileprivate(set) var layout: PageLayout?

  /// The layer or class of `only` that the document does not have; nil if there is none.
  fileprivate(set) var missing: String?

  /// The view that was drawn.
  public var view: ViewState { report.view }

  /// The page of a case with a layout; nil for an image of the map alone.
  let page: MapPage?

  /// Draws a view.
  ///
  /// - Parameter documentWarnings: the warnings of opening the view's document.
  /// - Throws: `MapStateError`.
  public init(
    _ view: ViewState, threads: Int = 1, documentWarnings: [String] = []
  ) async throws(MapStateError) {
    let fetched: ViewState
    do { fetched = try await view.fetched() } catch { throw MapStateError(error) }
    let rendered = try await fetched.render(threads: threads)
    self.init(rendered, page: nil, documentWarnings: documentWarnings)
  }

  /// Draws a page.
  ///
  /// - Throws: `MapStateError`.
  init(
    _ page: MapPage, layout: PageLayout? = nil, threads: Int, documentWarnings: [String]
  ) async throws(MapStateError) {
    let rendered = try await page.render(threads: threads)
    self.init(rendered, page: page, documentWarnings: documentWarnings)
    self.layout = layout
  }

  private init(_ rendered: RenderedMap, page: MapPage?, documentWarnings: [String]) {
    (bitmap, report, self.page) = (rendered.bitmap, rendered.report, page)
    // A layer that draws nothing any more is a change, whoever wanted it.
    let told = rendered.report.allWarnings + rendered.report.allNotes
    warnings = documentWarnings + told.filter { !documentWarnings.contains($0) }
  }

  /// Returns the display list of the map, its position on a page in output pixels, and the parts of the page.
  func displayLists() async throws(MapStateError) -> (
    map: DisplayList, origin: (x: Int, y: Int)?, parts: [DisplayLayer]
  ) {
    guard let page else { return (try await view.displayList(), nil, []) }
    let lists = try await page.displayLists()
    return (lists.map, (Int(clamping: lists.origin.x), Int(clamping: lists.origin.y)), lists.page.layers)
  }

  /// The names of the layers: title, else id, else index.
  var layerNames: [String] { view.layers.enumerated().map { $1.name.isEmpty ? "\($0)" : $1.name } }

  /// Returns the index of a layer by name, else by index; nil if no layer or several have the name.
  func layerIndex(named name: String) -> Int? {
    let names = layerNames
    let found = names.indices.filter { names[$0] == name }
    if found.count == 1 { return found[0] }
    return Int(name).flatMap { found.isEmpty && names.indices.contains($0) ? $0 : nil }
  }

  /// Whether all pixels have the same colour.
  var isBlank: Bool {
    let pixels = bitmap.pixels
    return pixels.count == 4
      || pixels[4...].indices.allSatisfy { pixels[$0] == pixels[$0 - 4] }
  }
}

extension SnapshotCase {
  /// Draws the case with a document that is already open.
  func draw(document: MapDocument) async throws(MapStateError) -> DrawnSnapshot {
    try await drawn(try await page(of: document))
  }

  /// Draws the case.
  ///
  /// - Throws: `MapStateError`.
  public func draw(threads: Int = 1) async throws(MapStateError) -> DrawnSnapshot {
    try await drawn(try await page(of: nil), threads: threads)
  }

  private func drawn(
    _ image: (page: MapPage?, view: MapView, missing: String?), threads: Int = 1
  ) async throws(MapStateError) -> DrawnSnapshot {
    let warnings = image.view.map.warnings.map(\.description)
    var drawn: DrawnSnapshot
    if let page = image.page {
      drawn = try await DrawnSnapshot(page, threads: threads, documentWarnings: warnings)
    } else {
      drawn = try await DrawnSnapshot(image.view.freeze(), threads: threads, documentWarnings: warnings)
    }
    (drawn.missing, drawn.layout) = (image.missing, layout)
    return drawn
  }
}
