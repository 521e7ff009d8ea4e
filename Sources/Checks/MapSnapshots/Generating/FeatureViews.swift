import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapState

/// Views that show the features of a class: one feature, the half around the middle, and all but far ones.
struct FeatureViews {
  /// A view with its name.
  struct View {
    let word: String
    let center: Point
    let scale: Double
  }

  /// The boxes of the features, in the map's spatial reference.
  let boxes: [Envelope]

  /// The maximum number of features that are considered; of more, an even selection is.
  private static let limit = 20_000

  init(_ boxes: [Envelope]) {
    let step = max(1, boxes.count / Self.limit)
    self.boxes = step == 1 ? boxes : stride(from: 0, to: boxes.count, by: step).map { boxes[$0] }
  }

  /// Collects the features that are drawn of a layer, or of a class of its renderer, wherever they are.
  ///
  /// - Parameters:
  ///   - classIndex: The class, -1 for the default symbol; nil for all.
  ///   - labels: The label class whose features are collected; nil for all features.
  init(
    of layer: LayerState, class classIndex: Int?, labels: LabelDefinition? = nil, in view: ViewState
  ) async throws(MapStateError) {
    var found: [Envelope] = []
    do {
      let fetched = try await layer.source.whole()
      let table = try fetched.shownColumns(on: view.spatialReference)
      var conditions = view.conditions(for: layer)
      (conditions.viewArea, conditions.isShown) = (nil, true)
      if let labels { conditions.$labelWhere = labels.$whereClause }
      let rows = try fetched.rows(conditions.query(for: labels == nil ? .drawing : .labels))
      let classifier = try RowClassifier(layer.renderer, table: table, view: view)
      if let geometry = table.geometry {
        for row in rows
        where classIndex.map({ classifier.isIn($0, row: row) })
          ?? (classifier.classes[row] != RowClassifier.notDrawn)
        {
          // Tables in WGS 84 and in Web Mercator are drawn without projecting their columns.
          let own = geometry.envelope(ofRow: row).with(spatialReference: table.schema.spatialReference)
          guard let box = own.projected(to: view.spatialReference) ?? (own.isEmpty ? nil : own) else {
            continue
          }
          if !box.isEmpty, box.xMin.isFinite, box.xMax.isFinite, box.yMin.isFinite, box.yMax.isFinite {
            found.append(box)
          }
        }
      }
    } catch {
      throw MapStateError(error)
    }
    self.init(found)
  }

  /// The feature nearest to the median of all, which a few far features do not move; nil without features.
  var middle: Envelope? {
    guard !boxes.isEmpty else { return nil }
    let x = boxes.map { $0.xMin + $0.xMax }.sorted()[boxes.count / 2] / 2
    let y = boxes.map { $0.yMin + $0.yMax }.sorted()[boxes.count / 2] / 2
    return boxes.min { Self.distance($0, x, y) < Self.distance($1, x, y) }
  }

  /// The centre of the feature nearest to the median, then points on its bounding box, which an area covers in part.
  var centers: [Point] {
    guard let middle else { return [] }
    let (x, y) = ((middle.xMin + middle.xMax) / 2, (middle.yMin + middle.yMax) / 2)
    guard middle.width > 0, middle.height > 0 else { return [Point(x: x, y: y)] }
    return [
      Point(x: x, y: y), Point(x: middle.xMin, y: y), Point(x: x, y: middle.yMin),
      Point(x: middle.xMin, y: middle.yMin),
    ]
  }

  private static func distance(_ box: Envelope, _ x: Double, _ y: Double) -> Double {
    let (dx, dy) = ((box.xMin + box.xMax) / 2 - x, (box.yMin + box.yMax) / 2 - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the views, from near to far, within a range of scale denominators; 0 is no limit.
  ///
  /// - Parameters:
  ///   - size: the width and height of the image in view pixels.
  ///   - start: the view of the document, whose scale is used where features have no extent.
  func views(
    size: (width: Double, height: Double), start: ResolvedViewpoint, minScale: Double, maxScale: Double
  ) -> [View] {
    guard let middle else { return [] }
    let (x, y) = ((middle.xMin + middle.xMax) / 2, (middle.yMin + middle.yMax) / 2)
    let sorted = boxes.sorted { Self.distance($0, x, y) < Self.distance($1, x, y) }
    let half = Array(sorted.prefix((sorted.count + 1) / 2))
    let reach = 4 * Self.distance(sorted[(sorted.count - 1) * 3 / 4], x, y)
    let most = sorted.filter { Self.distance($0, x, y) <= max(reach, middle.width, middle.height) }
    let perUnit = start.scale / start.resolution
    var (views, least) = ([View](), 0.0)
    for (word, shown) in [("near", [middle]), ("middle", half), ("far", most)] {
      let box = shown.reduce(Envelope.empty) { $0.union($1) }
      let fitted = max(box.width / size.width, box.height / size.height) * 1.2 * perUnit
      let usual = start.scale * (word == "near" ? 0.25 : word == "middle" ? 1 : 4)
      var scale = max(fitted > 0 ? fitted : usual, least)
      if minScale > 0 { scale = min(scale, minScale) }
      if maxScale > 0 { scale = max(scale, maxScale) }
      scale = min(
        max(scale, ResolvedViewpoint.scaleLimits.lowerBound), ResolvedViewpoint.scaleLimits.upperBound)
      // A number with few digits is readable, and its view the same to a few pixels.
      scale = Self.rounded(scale)
      if minScale > 0, scale > minScale { scale = minScale }
      if maxScale > 0, scale < maxScale { scale = maxScale }
      least = scale * 2
      if views.contains(where: { abs($0.scale / scale - 1) < 0.01 }) { continue }
      let center =
        fitted > 0 ? Point(x: (box.xMin + box.xMax) / 2, y: (box.yMin + box.yMax) / 2) : Point(x: x, y: y)
      views.append(View(word: word, center: center, scale: scale))
    }
    return views
  }

  /// Returns a number with three significant digits.
  private static func rounded(_ value: Double) -> Double {
    var unit = 1.0
    while value / unit >= 1000 { unit *= 10 }
    while value / unit < 100, unit > 1e-6 { unit /= 10 }
    return (value / unit).rounded() * unit
  }
}
