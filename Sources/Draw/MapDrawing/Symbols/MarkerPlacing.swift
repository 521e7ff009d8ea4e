import MapFeatures
import MapGeometry

/// The step that converts styled point rows into markers at pixel positions.
struct MarkerPlacing: Sendable {
  let transform: ViewTransform
  /// The world copies that the view shows.
  let worlds: ClosedRange<Int>
  /// The rows that meet the view.
  let visible: RowSet
  /// The test of markers that surely change a pixel.
  let ink: CertainInk

  /// Markers, and the rows by what the image shows of them, as in ``PaintedRows``.
  struct Part: Sendable {
    var batch: MarkerBatch
    var drawn: [Int32] = []
    var edge: [Int32] = []
    var doubtful: [Int32] = []
    var invisible: [Int32] = []
  }

  /// Places the markers of some styled rows.
  func place(_ styled: RowStyles, _ range: Range<Int>, of geometry: CoordinateBuffer) -> Part {
    placePoints(styled, range, of: geometry) ?? placeAll(styled, range, of: geometry)
  }

  /// Places the markers of any rows in any view.
  private func placeAll(_ styled: RowStyles, _ range: Range<Int>, of geometry: CoordinateBuffer) -> Part {
    var part = Part(batch: MarkerBatch(styles: []))
    part.batch.reserve(range.count)
    part.drawn.reserveCapacity(range.count)
    let (looks, canvas) = (styled.looks.markers, transform.canvas)
    let places = looks.map { $0.places(on: canvas) }
    // Plain arrays, because a style is too large to be read a million times.
    let (symbols, isBlock) = (styled.looks.looks, looks.map { $0.block != nil })
    let isCertain = looks.map(ink.isCertain)
    let (x, y) = (geometry.x.span, geometry.y.span)
    for index in range {
      let (row, symbol) = (styled.rows[index], symbols[Int(styled.styles[index])])
      let isDrawn = visible.contains(row)
      var shown = ItemInk.none
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: x[vertex], y: y[vertex], world: world)
          for style in symbol {
            guard let (inside, near) = places[style] else { continue }
            let place = isBlock[style] ? looks[style].sharpest(x: pixel.x, y: pixel.y) : pixel
            let isInside = inside.contains(x: place.x, y: place.y)
            guard
              isInside
                || (near.contains(x: place.x, y: place.y)
                  && looks[style].paints(canvas, x: place.x, y: place.y))
            else { continue }
            if shown != .certain {
              let isSure =
                isInside
                ? isCertain[style]
                : ink.isCertain(
                  looks[style], atBorderX: place.x + looks[style].offsetX, y: place.y + looks[style].offsetY)
              shown = isSure ? .certain : .doubtful
            }
            part.batch.x.append(place.x)
            part.batch.y.append(place.y)
            part.batch.style.append(UInt32(style))
            part.batch.row.append(Int32(row))
          }
        }
      }
      switch (isDrawn, shown) {
      case (true, .none): part.invisible.append(Int32(row))
      case (false, .none): break
      case (true, _): part.drawn.append(Int32(row))
      case (false, _): part.edge.append(Int32(row))
      }
      if shown == .doubtful { part.doubtful.append(Int32(row)) }
    }
    return part
  }

  /// Places points that have one marker each, in a view of one world; nil for others.
  ///
  /// A row has at most one marker, so the arrays are written by index. Each append would ask whether its array is shared
  /// and has room, which takes longer than the rest.
  private func placePoints(_ styled: RowStyles, _ range: Range<Int>, of geometry: CoordinateBuffer) -> Part? {
    let (looks, canvas) = (styled.looks.markers, transform.canvas)
    guard geometry.kind == .point, worlds.count == 1,
      styled.looks.looks.allSatisfy({ $0.count == 1 }), looks.allSatisfy({ $0.block == nil })
    else { return nil }
    let (markers, places) = (styled.looks.looks.map(\.lowerBound), looks.map { $0.places(on: canvas) })
    let (inside, near) = (places.map { $0?.inside ?? .empty }, places.map { $0?.near ?? .empty })
    let isCertain = looks.map(ink.isCertain)
    var x = [Double](repeating: 0, count: range.count)
    var y = x
    var style = [UInt32](repeating: 0, count: range.count)
    var row = [Int32](repeating: 0, count: range.count)
    var (drawn, edge): ([Int32], [Int32]) = (row, [])
    var (doubtful, invisible): ([Int32], [Int32]) = ([], [])
    var (count, drawnCount) = (0, 0)
    do {
      var xs = x.mutableSpan
      var ys = y.mutableSpan
      var styles = style.mutableSpan
      var rows = row.mutableSpan
      var drawnRows = drawn.mutableSpan
      let (allX, allY) = (geometry.x.span, geometry.y.span)
      let (styledRows, styledStyles) = (styled.rows.span, styled.styles.span)
      for index in range {
        let number = styledRows[index]
        let marker = markers[Int(styledStyles[index])]
        let pixel = transform.pixel(x: allX[number], y: allY[number], world: worlds.lowerBound)
        let isDrawn = visible.contains(number)
        let isInside = inside[marker].contains(x: pixel.x, y: pixel.y)
        guard
          isInside
            || (near[marker].contains(x: pixel.x, y: pixel.y)
              && looks[marker].paints(canvas, x: pixel.x, y: pixel.y))
        else {
          if isDrawn { invisible.append(Int32(number)) }
          continue
        }
        (xs[count], ys[count]) = (pixel.x, pixel.y)
        (styles[count], rows[count]) = (UInt32(marker), Int32(number))
        count &+= 1
        if isDrawn {
          drawnRows[drawnCount] = Int32(number)
          drawnCount &+= 1
        } else {
          edge.append(Int32(number))
        }
        guard !(isInside && isCertain[marker]) else { continue }
        let (right, down) = (pixel.x + looks[marker].offsetX, pixel.y + looks[marker].offsetY)
        if isInside || !ink.isCertain(looks[marker], atBorderX: right, y: down) {
          doubtful.append(Int32(number))
        }
      }
    }
    let rest = range.count - count
    x.removeLast(rest)
    y.removeLast(rest)
    style.removeLast(rest)
    row.removeLast(rest)
    drawn.removeLast(range.count - drawnCount)
    return Part(
      batch: MarkerBatch(x: x, y: y, style: style, row: row), drawn: drawn, edge: edge, doubtful: doubtful,
      invisible: invisible)
  }
}
