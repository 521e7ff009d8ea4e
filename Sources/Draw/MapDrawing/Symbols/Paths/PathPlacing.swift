import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The step that converts styled lines and areas into paths, and into the markers and pie charts on them.
///
/// A class, because the code that copies so many values would be larger than that which uses them.
final class PathPlacing: Sendable {
  /// Paths, markers and charts, and the rows by what the image shows of them.
  struct Part: Sendable {
    var paths: PathBatch
    var markers: MarkerBatch
    var charts: ShapeBatch?
    /// The rows, whether they meet the view, and the certainty that their items change a pixel.
    var rows: [(row: Int, isInView: Bool, ink: ItemInk)] = []
    /// The number of rows without a symbol, because the shapes of others have too many vertices.
    var left = 0
  }

  /// A row with its symbol.
  private struct Item {
    let index: Int
    let row: Int
    let isInView: Bool
    /// The styles of its paths, the lowest first.
    let looks: Range<Int>
    /// The positions of its chart.
    let chartPlaces: MarkerPlaces?
  }

  /// The geometry of a row in one world copy, in pixels; kept from row to row, because allocations take time.
  private struct Pixels {
    var whole: CoordinateBuffer
    /// The dashes of each part of a symbol.
    var dashes: [CoordinateBuffer] = []
    /// The geometry that is stroked and filled, for each part of a symbol with effects.
    var changed: [Int: CoordinateBuffer] = [:]
    var scratch: CoordinateBuffer
  }

  private let transform: ViewTransform
  /// The world copies that the view shows.
  private let worlds: ClosedRange<Int>
  /// The rows that meet the view.
  private let visible: RowSet
  /// The test of items that surely change a pixel.
  private let ink: CertainInk
  private let styled: RowStyles
  private let styles: SymbolStyles
  private let geometry: CoordinateBuffer
  /// The image with room for the cuts of clipping, and the joins at them.
  private let window: Envelope
  /// The image with room for markers.
  private let markerWindow: Envelope
  private let hasGradient: Bool

  /// The distance from the image within which an area is painted whole, in pixels.
  private static let largestMargin = 16_384.0

  init(
    _ styled: RowStyles, of geometry: CoordinateBuffer, visible: RowSet, transform: ViewTransform,
    worlds: ClosedRange<Int>, ink: CertainInk
  ) {
    (self.styled, styles) = (styled, styled.looks)
    (self.geometry, self.visible) = (geometry, visible)
    (self.transform, self.worlds, self.ink) = (transform, worlds, ink)
    window = transform.canvas.grown(by: styled.reach + 8)
    markerWindow = transform.canvas.grown(by: styled.reach + 1)
    hasGradient = styled.looks.paths.contains { $0.hatch?.isGradient ?? false }
  }

  /// Places all rows, on all cores.
  func place() -> Part {
    let pieces = geometry.pieces(of: styled.rows)
    let parts = concurrentMap(pieces.count) { place(pieces[$0]) }
    // A single part is often large, so it is not copied.
    var whole = parts.count == 1 ? parts[0] : emptyPart
    whole.markers = MarkerBatch(styles: styles.markers)
    if parts.count > 1 { whole.paths.reserve(parts.map(\.paths)) }
    for part in parts {
      whole.markers.append(part.markers)
      guard parts.count > 1 else { break }
      whole.paths.append(part.paths)
      if let own = part.charts { whole.charts?.append(own) }
      whole.rows += part.rows
      whole.left += part.left
    }
    return whole
  }

  private var emptyPart: Part {
    Part(
      paths: PathBatch(styles: styles.paths, kind: geometry.kind), markers: MarkerBatch(styles: []),
      charts: styled.charts.map { ShapeBatch(symbols: .charts($0)) })
  }

  private func place(_ piece: Range<Int>) -> Part {
    var part = emptyPart
    var pixels = Pixels(
      whole: CoordinateBuffer(kind: geometry.kind), scratch: CoordinateBuffer(kind: geometry.kind))
    for index in piece {
      let row = styled.rows[index]
      let looks = styles.looks[Int(styled.styles[index])]
      if styled.charts == nil, part.paths.geometry.vertexCount > PathBatch.largestShapes,
        looks.contains(where: { styles.places[$0] != nil })
      {
        part.left += 1
        part.rows.append((row, visible.contains(row), .none))
        continue
      }
      let item = item(index, looks)
      let (firstPath, firstMarker) = (part.paths.row.count, part.markers.row.count)
      let firstChart = part.charts?.row.count ?? 0
      for world in worlds { place(item, world, &pixels, into: &part) }
      let shown = certainty(of: part, pathsFrom: firstPath, markersFrom: firstMarker, chartsFrom: firstChart)
      part.rows.append((row, item.isInView, shown))
    }
    return part
  }

  private func item(_ index: Int, _ looks: Range<Int>) -> Item {
    let row = styled.rows[index]
    guard styled.charts != nil else {
      return Item(
        index: index, row: row, isInView: visible.contains(row), looks: looks, chartPlaces: nil)
    }
    // The shapes of a chart's class are those of legends; only the fill below them is drawn.
    let shape = looks.first { styles.places[$0] != nil }
    return Item(
      index: index, row: row, isInView: visible.contains(row),
      looks: looks.lowerBound..<(shape ?? looks.upperBound), chartPlaces: shape.flatMap { styles.places[$0] })
  }

  // MARK: One row

  private func place(_ item: Item, _ world: Int, _ pixels: inout Pixels, into part: inout Part) {
    let extent = transform.project(item.row, of: geometry, world: world, into: &pixels.whole)
    guard extent.meets(window) else { return }
    // Effects, dashes, markers and arrows start at the line's own ends, wherever the line is clipped.
    applyEffectsAndDashes(item.looks, &pixels)
    let spots = spots(of: item.looks, on: pixels.whole)
    placeMarkers(item, on: pixels.whole, into: &part.markers)
    placeCharts(item, on: pixels.whole, into: &part.charts)
    let pathExtent = pathExtent(of: item.looks, pixels.whole, extent)
    let heads =
      styles.arrows.isEmpty
      ? [] : item.looks.map { styles.arrows[$0]?.heads(of: pixels.whole, on: transform.canvas) ?? [] }
    // The edge of a whole area decides its gradient, so it is not clipped if it can be painted.
    let keepsEdge =
      (pathExtent?.depth ?? 0) > 0 && transform.canvas.grown(by: Self.largestMargin).contains(extent)
    clip(&pixels, keepsWhole: keepsEdge || window.contains(extent))
    for (place, style) in item.looks.enumerated() {
      if let spots = spots[style], let shape = styles.shapes[style] {
        for spot in spots {
          part.paths.append(
            shape, at: spot, style: style, row: item.row, pathExtent, on: transform.canvas)
        }
        continue
      }
      append(item, place, style, pixels, pathExtent, heads.isEmpty ? [] : heads[place], to: &part.paths)
    }
  }

  private func applyEffectsAndDashes(_ looks: Range<Int>, _ pixels: inout Pixels) {
    if !pixels.changed.isEmpty { pixels.changed = [:] }
    for (place, style) in looks.enumerated() {
      if let effects = styles.effects[style] {
        pixels.changed[place] = effects.applied(to: pixels.whole)
      }
      guard let dashed = styles.dashed[style] else { continue }
      while pixels.dashes.count <= place { pixels.dashes.append(CoordinateBuffer(kind: geometry.kind)) }
      let cutter = DashedPath(pattern: dashed.pattern, window: window)
      let path = pixels.changed[place] ?? pixels.whole
      pixels.dashes[place].removeAll()
      for part in path.parts(ofRow: 0) {
        let range = path.vertices(ofPart: part)
        cutter.append(x: path.x[range], y: path.y[range], to: &pixels.dashes[place])
      }
      pixels.dashes[place].endRow()
    }
  }

  private func spots(of looks: Range<Int>, on path: CoordinateBuffer) -> [Int: [MarkerPlaces.Spot]] {
    var spots: [Int: [MarkerPlaces.Spot]] = [:]
    for style in looks {
      if let places = styles.places[style] { spots[style] = places.spots(of: path, in: markerWindow) }
    }
    return spots
  }

  private func placeMarkers(_ item: Item, on path: CoordinateBuffer, into markers: inout MarkerBatch) {
    for marker in styles.placedMarkers[Int(styled.styles[item.index])] {
      for spot in marker.places.spots(of: path, in: markerWindow) {
        let style = marker.style(at: spot)
        guard styles.markers[style].paints(transform.canvas, x: spot.x, y: spot.y) else { continue }
        let place = styles.markers[style].sharpest(x: spot.x, y: spot.y)
        markers.append(x: place.x, y: place.y, style: style, row: item.row)
      }
    }
  }

  private func placeCharts(_ item: Item, on path: CoordinateBuffer, into batch: inout ShapeBatch?) {
    guard let charts = styled.charts, let places = item.chartPlaces else { return }
    for spot in places.spots(of: path, in: markerWindow)
    where charts.paints(transform.canvas, chart: item.index, x: spot.x, y: spot.y) {
      batch?.append(x: spot.x, y: spot.y, symbol: item.index, row: item.row)
    }
  }

  private func pathExtent(
    of looks: Range<Int>, _ path: CoordinateBuffer, _ extent: Envelope
  ) -> PathExtent? {
    guard hasGradient else { return nil }
    let followsEdge = looks.contains { styles.paths[$0].hatch?.followsEdge ?? false }
    return PathExtent(box: extent, depth: followsEdge ? PoleOfInaccessibility.depth(ofRow: 0, of: path) : 0)
  }

  /// Clips the geometry to the window, and rounds areas to the grid.
  private func clip(_ pixels: inout Pixels, keepsWhole: Bool) {
    if !keepsWhole {
      pixels.scratch.removeAll()
      pixels.scratch.appendRow(0, of: pixels.whole, clippedTo: window)
      swap(&pixels.whole, &pixels.scratch)
    }
    for (place, path) in pixels.changed where !window.contains(path.envelope(ofRow: 0)) {
      var inside = CoordinateBuffer(kind: geometry.kind)
      inside.appendRow(0, of: path, clippedTo: window)
      pixels.changed[place] = inside
    }
    // Areas share borders and have many vertices too close to distinguish; lines are better left unchanged.
    if geometry.kind == .polygon {
      pixels.scratch.removeAll()
      pixels.scratch.appendRow(0, of: pixels.whole, thinnedTo: PathBatch.gridSteps)
      swap(&pixels.whole, &pixels.scratch)
    }
  }

  /// Appends the fill and the stroke of a part of a symbol, with its arrowheads.
  private func append(
    _ item: Item, _ place: Int, _ style: Int, _ pixels: Pixels, _ extent: PathExtent?,
    _ heads: [[(x: Double, y: Double)]], to batch: inout PathBatch
  ) {
    let dashed = styles.dashed[style]
    let path = pixels.changed[place] ?? pixels.whole
    let stroked = dashed == nil ? path : pixels.dashes[place]
    let stroke = styles.paths[dashed?.style ?? style].stroke
    guard
      item.isInView || !heads.isEmpty
        || paints(stroked, stroke, closed: dashed == nil && stroked.kind == .polygon)
    else { return }
    if styles.paths[style].paints { batch.append(path, style: style, row: item.row, extent) }
    if let dashed { batch.append(stroked, style: dashed.style, row: item.row, extent) }
    if let arrows = styles.arrows[style] {
      for head in heads { batch.append(head, style: arrows.style, row: item.row, extent) }
    }
  }

  private func paints(_ path: CoordinateBuffer, _ stroke: Stroke?, closed: Bool) -> Bool {
    guard let stroke else { return false }
    let reach = StrokeReach(canvas: transform.canvas, stroke: stroke)
    return path.parts(ofRow: 0).contains { part in
      let range = path.vertices(ofPart: part)
      return reach.paints(x: path.x[range], y: path.y[range], closed: closed)
    }
  }

  // MARK: Ink

  /// Returns the certainty of the items of the last row.
  private func certainty(
    of part: Part, pathsFrom firstPath: Int, markersFrom firstMarker: Int, chartsFrom firstChart: Int
  ) -> ItemInk {
    var shown = ItemInk.none
    for item in firstPath..<part.paths.row.count where shown != .certain {
      shown = max(shown, ink.ink(ofItem: item, in: part.paths))
    }
    for item in firstMarker..<part.markers.row.count where shown != .certain {
      let style = styles.markers[Int(part.markers.style[item])]
      let inside = style.places(on: transform.canvas)?.inside ?? .empty
      let isSure =
        ink.isCertain(style) && inside.contains(x: part.markers.x[item], y: part.markers.y[item])
      shown = isSure ? .certain : .doubtful
    }
    guard let batch = part.charts, let charts = styled.charts else { return shown }
    for item in firstChart..<batch.row.count where shown != .certain {
      let isSure =
        charts.isCertain(Int(batch.symbol[item]), opacity: ink.opacity)
        && transform.canvas.contains(batch.box(ofItem: item))
      shown = isSure ? .certain : .doubtful
    }
    return shown
  }
}
