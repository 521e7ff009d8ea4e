import MapDocuments
import MapGeometry
import MapLayout
import MapModel
public import MapState

/// The pages of a series.
extension MapSeries {
  /// Returns the page of an image: fitted to its feature with a margin, or at its time.
  ///
  /// - Throws: `MapStateError`.
  public func page(_ item: Item) async throws(MapStateError) -> MapPage {
    try await page(item, layout)
  }

  /// Returns the page of several images: with the titles without fields, the legend and the attribution.
  ///
  /// - Parameter item: the first of the images.
  /// - Throws: `MapStateError`.
  func commonPage(of item: Item) async throws(MapStateError) -> MapPage {
    var layout = layout
    let own = try ownTitles
    layout.title = own.title ? "" : layout.title
    layout.subtitle = own.subtitle ? "" : layout.subtitle
    (layout.scaleBar, layout.northArrow, layout.frame, layout.locator) = (nil, false, false, false)
    layout.insets = []
    return try await page(item, layout, request.size)
  }

  /// Returns an image on a page of several ones, with its titles that have fields, a scale bar and a north arrow.
  ///
  /// - Throws: `MapStateError`.
  func cell(_ item: Item, width: Double, height: Double) async throws(MapStateError) -> MapPage {
    var layout = layout
    let own = try ownTitles
    layout.title = own.title ? item.titles.title : own.subtitle ? item.titles.subtitle : ""
    layout.subtitle = own.title && own.subtitle ? item.titles.subtitle : ""
    (layout.legend, layout.attribution, layout.margin) = (nil, false, 0)
    return try await page(item, layout, ViewSize(width: width, height: height))
  }

  /// Whether the titles have fields, so that each image has its own.
  private var ownTitles: (title: Bool, subtitle: Bool) {
    get throws(MapStateError) {
      (
        try !NameTemplate(layout.title).fields.isEmpty, try !NameTemplate(layout.subtitle).fields.isEmpty
      )
    }
  }

  /// Returns the page of an image with another layout, and the titles of the image.
  ///
  /// - Throws: `MapStateError`.
  func page(_ item: Item, _ layout: PageLayout) async throws(MapStateError) -> MapPage {
    var layout = layout
    (layout.title, layout.subtitle) = item.titles
    return try await page(item, layout, request.size)
  }

  private func page(
    _ item: Item, _ layout: PageLayout, _ size: ViewSize
  ) async throws(MapStateError) -> MapPage {
    let page = try await MapPage(layout, width: size.width, height: size.height) {
      (width, height) async throws(MapStateError) in
      switch item.subject {
      case .features(let objectIDs, let layer, let extent):
        try view.resize(width: width, height: height)
        var target = Viewpoint(boundingGeometry: extent, rotation: request.rotation ?? .nan)
        if extent.width == 0, extent.height == 0 {
          target = Viewpoint(
            center: extent.center, scale: MapView.scaleOfPoint, rotation: request.rotation ?? .nan)
        }
        try view.setViewpoint(target, padding: request.padding ?? min(width, height) * 0.06)
        var state = view.freeze()
        state.emphasis = FeatureEmphasis(layer: layer, objectIDs: objectIDs, mutesOthers: mutesOthers)
        return try state.counting(in: request.cells)
      case .time(let time):
        var smaller = request
        smaller.size = ViewSize(width: width, height: height)
        let view = try await document.view(smaller)
        view.timeExtent = time
        return try view.freeze().counting(in: request.cells)
      }
    }
    return try document.addingInsets(to: page, cells: request.cells)
  }
}
