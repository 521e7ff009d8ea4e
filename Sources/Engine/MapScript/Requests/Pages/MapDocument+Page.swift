import MapGeometry
public import MapLayout
import MapModel
public import MapState

extension MapDocument {
  /// Returns a page with a view of the map, and that view.
  ///
  /// The size of the request is that of the page. The view has the size that the other parts leave. A view that is
  /// fitted to features shows them beside a legend on the map, if the legend would cover any of them. In another view,
  /// `PageLayout.LegendPosition.corner` is the corner with the fewest features.
  ///
  /// - Throws: `MapStateError`, as ``view(_:)``.
  public func page(
    _ request: ViewRequest, _ layout: PageLayout
  ) async throws(MapStateError) -> (page: MapPage, view: MapView) {
    let request = request.onScreen
    var view = try await view(request)
    let layout = try await placingInsets(of: layout, in: view.freeze())
    let page = try await MapPage(layout, width: request.size.width, height: request.size.height) {
      (width, height) async throws(MapStateError) in
      if width != view.width || height != view.height {
        var smaller = request
        smaller.size = ViewSize(width: width, height: height)
        view = try await self.view(smaller)
      }
      return try view.freeze().counting(in: request.cells)
    }
    guard let legend = page.legendBox, fitsFeatures(request), try await page.map.drawsFeature(in: legend),
      let moved = try await self.view(request, of: page.map, beside: legend)
    else { return (try addingInsets(to: page, cells: request.cells), view) }
    let frozen = try moved.freeze().counting(in: request.cells)
    let other = try await MapPage(page.layout, width: request.size.width, height: request.size.height) {
      (width, height) in frozen.resized(width: width, height: height)
    }
    return (try addingInsets(to: other, cells: request.cells), moved)
  }

  /// Returns whether the view of a request is fitted to features, and not given by the caller or the document.
  private func fitsFeatures(_ request: ViewRequest) -> Bool {
    switch request.place {
    case .fit, .everything: true
    case .center, .bounds: false
    case nil: map.initialViewpoint == nil && request.fitsDefaultView
    }
  }

  /// Returns a view with the size of another one that shows the features beside a rectangle in one of its corners.
  ///
  /// Of the areas beside the rectangle and above or below it, the one with the larger scale is used. Nil if both are
  /// smaller than 40 % of the view.
  private func view(
    _ request: ViewRequest, of map: ViewState, beside box: Envelope
  ) async throws(MapStateError) -> MapView? {
    let (isLeft, isTop) = (box.center.x < map.width / 2, box.center.y < map.height / 2)
    let free = (
      width: (isLeft ? map.width - box.xMax : box.xMin).rounded(.down),
      height: (isTop ? map.height - box.yMax : box.yMin).rounded(.down)
    )
    var best: (place: ResolvedViewpoint, right: Double, down: Double)?
    for (width, height) in [(free.width, map.height), (map.width, free.height)]
    where width >= 0.4 * map.width && height >= 0.4 * map.height {
      var smaller = request
      smaller.size = ViewSize(width: width, height: height)
      let place = try await view(smaller).viewpoint
      guard place.scale < best?.place.scale ?? .infinity else { continue }
      // The centre of the whole view lies on the side of the rectangle.
      best = (
        place, (map.width - width) / 2 * (isLeft ? -1 : 1), (map.height - height) / 2 * (isTop ? -1 : 1)
      )
    }
    guard let best else { return nil }
    var whole = request
    whole.size = ViewSize(width: map.width, height: map.height)
    let found = try await view(whole)
    let leavesFeaturesOutside = found.leavesFeaturesOutside
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(best.place.rotation)
    let (right, down, pixel) = (best.right, best.down, best.place.resolution)
    let center = Point(
      x: best.place.center.x + (right * cosine - down * sine) * pixel,
      y: best.place.center.y - (down * cosine + right * sine) * pixel,
      spatialReference: map.spatialReference)
    try found.setViewpoint(
      Viewpoint(center: center, scale: best.place.scale, rotation: best.place.rotation))
    found.leavesFeaturesOutside = leavesFeaturesOutside
    return found
  }
}
