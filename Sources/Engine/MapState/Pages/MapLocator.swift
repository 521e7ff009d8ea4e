import Glibc
import MapBasemap
import MapDrawing
import MapGeometry
import MapImages
import MapLayout
import MapModel
import MapSystem

/// A small map that shows the place of a view in its surroundings: the bundled basemap in Web Mercator, with the outline of
/// the view.
struct MapLocator {
  /// The corners and sides of the view as offsets from its centre, in metres of Web Mercator.
  private let outline: [(x: Double, y: Double)]
  /// The centre of the view.
  private let center: (x: Double, y: Double)
  private let ground: GroundTone
  private let pixelRatio: Double

  /// The attribution text of the bundled basemap.
  static var attribution: String { BundledBasemap.attribution }

  /// The width of the world in Web Mercator.
  private static let world = 2 * WebMercator.halfWorld
  /// The width of the surroundings relative to the view, and the least width on the ground in metres.
  ///
  /// - Source: design decision; 1,200 km contain a coast or a border of nearly all places.
  private static let (factor, least) = (6.0, 1_200_000.0)
  /// The colour and the least side of the outline in view pixels.
  private static let (mark, leastMark) = (Color(red: 204, green: 36, blue: 29), 6.0)

  /// Finds the place of a view; nil for one without a place, and for one with half of the world or more.
  init?(_ view: ViewState) {
    let projection = GroundProjection(view)
    guard let middle = projection.place(x: 0, y: 0) else { return nil }
    func mercator(_ latitude: Double) -> Double { WebMercator.y(latitude: min(max(latitude, -85), 85)) }
    let steps = stride(from: -0.5, through: 0.5, by: 0.125)
    let sides =
      steps.map { ($0, -0.5) } + steps.map { (0.5, $0) } + steps.map { (-$0, 0.5) }
      + steps.map { (-0.5, -$0) }
    var points: [(x: Double, y: Double)] = []
    for (x, y) in sides {
      guard let place = projection.place(x: x * view.width, y: y * view.height) else { return nil }
      let turn = (place.longitude - middle.longitude).remainder(dividingBy: 360)
      points.append((WebMercator.x(longitude: turn), mercator(place.latitude) - mercator(middle.latitude)))
    }
    center = (WebMercator.x(longitude: middle.longitude), mercator(middle.latitude))
    (outline, pixelRatio) = (points, view.pixelRatio)
    ground = GroundTone(of: view.canvasColor)
    let xs = points.map(\.x)
    guard let left = xs.min(), let right = xs.max(), right - left < Self.world / 2 else { return nil }
  }

  /// Returns the drawing of the locator on a page.
  ///
  /// - Parameters:
  ///   - box: the rectangle on the page, in whole view pixels.
  ///   - width: the width of the page in view pixels.
  ///   - height: the height of the page in view pixels.
  /// - Throws: ``MapStateError``.
  func layers(
    in box: Envelope, width: Double, height: Double
  ) async throws(MapStateError) -> [DisplayLayer] {
    let (xs, ys) = (outline.map(\.x), outline.map(\.y))
    let span = max(
      (xs.max() ?? 0) - (xs.min() ?? 0), ((ys.max() ?? 0) - (ys.min() ?? 0)) * box.width / box.height)
    let stretch = cosh(center.y * 2 * .pi / Self.world)
    let shown = min(max(span * Self.factor, Self.least * stretch), Self.world)
    // A locator of the whole world is centred on it.
    let isWorld = shown == Self.world
    let origin = (x: isWorld ? 0 : center.x, y: isWorld ? min(max(center.y, -2e6), 4e6) : center.y)
    let resolution = shown / box.width
    let viewpoint = ResolvedViewpoint(
      center: Point(x: origin.x, y: origin.y, spatialReference: .webMercator), resolution: resolution,
      rotation: 0)
    let view = ViewState(
      width: box.width, height: box.height, pixelRatio: pixelRatio, viewpoint: viewpoint, background: nil,
      basemap: BundledBasemap.state(
        of: BasemapParts(style: ground == .dark ? .arcGISDarkGray : .arcGISLightGray), base: [],
        reference: [],
        scale: viewpoint.scale, extent: viewpoint.envelope(width: box.width, height: box.height),
        operations: MapPlane.webMercator.operations),
      timeExtent: nil, layers: [])
    let image = try await view.render().bitmap
    func place(_ x: Double, _ y: Double) -> (Double, Double) {
      (
        box.center.x + (center.x - origin.x + x) / resolution,
        box.center.y - (center.y - origin.y + y) / resolution
      )
    }
    func pixels(_ length: Double) -> Int { Int(clamping: (length * pixelRatio).rounded()) }
    var ring = outline.map { place($0.x, $0.y) }
    if span / resolution < Self.leastMark {
      let (middle, half) = (place(0, 0), Self.leastMark / 2)
      ring = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)].map {
        (middle.0 + $0.0, middle.1 + $0.1)
      }
    }
    return [
      DisplayLayer(
        index: -1, name: "locator", opacity: 1,
        batches: [
          .image(
            try DisplayImage(
              ofPage: pixels(width), pixels(height), [(image, pixels(box.xMin), pixels(box.yMin))])),
          Self.line(ring, Self.mark, 1.5 * pixelRatio, pixelRatio),
          Self.line(
            [
              (box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax),
              (box.xMin, box.yMin),
            ], PageTone(canvas: view.canvasColor).muted, pixelRatio, pixelRatio),
        ])
    ]
  }

  private static func line(
    _ points: [(Double, Double)], _ color: Color, _ width: Double, _ ratio: Double
  ) -> DisplayBatch {
    var batch = PathBatch(
      styles: [PathStyle(fill: nil, stroke: Stroke(color: color, width: width), classIndex: -1)],
      kind: .polyline)
    for (x, y) in points { batch.geometry.appendVertex(x: x * ratio, y: y * ratio) }
    batch.geometry.endPart()
    batch.geometry.endRow()
    (batch.style, batch.row) = ([0], [0])
    return .paths(batch)
  }
}
