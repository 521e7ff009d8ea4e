import MapDrawing
import MapGeometry
import MapImages
import MapModel

extension CairoContext {
  /// Hatches the path and keeps it; `box` contains the path and is within the coordinate limit.
  ///
  /// The lines are anchored to the image's top left corner, so that neighbouring areas and bands align.
  func paint(_ hatch: Hatch, of item: HatchedItem, box: PathSides, window: BandWindow) throws(CairoError) {
    switch hatch.pattern {
    case .image, .gradient:
      // One pixel more, because the edge of the area mixes it in.
      let shown = Envelope(
        xMin: max(box.left, 0) - 1, yMin: max(box.top, window.origin) - 1,
        xMax: min(box.right, window.width) + 1,
        yMax: min(box.bottom, window.bottom + window.top - window.origin) + 1)
      let fill: FillPixels?
      do throws(PNGError) {
        fill = try FillPixels(hatch, of: item.batch, item: item.index, in: shown)
      } catch { throw .noMemory }
      guard let fill else { return }
      let surface = try CairoSurface(width: fill.width, height: fill.height, format: .argb32)
      try surface.withMutablePixels { pixels in
        for index in fill.pixels.indices { pixels[index] = fill.pixels[index] }
      }
      surface.setAsSource(of: self, x: Double(fill.x), y: Double(fill.y))
      self.fill()
    case nil, .lines, .shapes:
      insidePath {
        setColor(hatch.color)
        strokeLines(of: hatch, box)
      }
    }
  }

  /// Strokes the lines in the current colour, without clipping; shapes have their own colours.
  func strokeLines(of hatch: Hatch, _ box: PathSides) {
    if case .shapes(let shapes, let stepX, let stepY, let shifts)? = hatch.pattern {
      paint(shapes, stepX: stepX, stepY: stepY, shifts: shifts, box)
      return
    }
    setLineWidth(hatch.lineWidth)
    setLineEnds(cap: .square, join: .miter, miterLimit: Stroke.miterLimit)
    newPath()
    addLines(of: hatch, box)
    stroke()
  }

  private func addLines(of hatch: Hatch, _ box: PathSides) {
    let (left, right, top, bottom) = (box.left, box.right, box.top, box.bottom)
    if case .lines(let separation, let angle)? = hatch.pattern {
      addLines(separation: separation, angle: angle, reach: hatch.lineWidth, box)
      return
    }
    let unit = hatch.lineWidth
    // The centre of a line lies half a width inside its tile, so that horizontal and vertical lines fill whole
    // pixels.
    let straight = HatchPlaces(every: 8 * unit, offset: unit / 2)
    let diagonal = HatchPlaces(every: 16 * unit, offset: 0)
    if hatch.style == .horizontal || hatch.style == .cross {
      for y in straight.places(from: top, to: bottom) { addLine(left, y, right, y) }
    }
    if hatch.style == .vertical || hatch.style == .cross {
      for x in straight.places(from: left, to: right) { addLine(x, top, x, bottom) }
    }
    // Forward diagonals fall to the right with constant x - y; backward diagonals rise with constant x + y.
    if hatch.style == .forwardDiagonal || hatch.style == .diagonalCross {
      for c in diagonal.places(from: left - bottom, to: right - top) {
        addLine(c + top, top, c + bottom, bottom)
      }
    }
    if hatch.style == .backwardDiagonal || hatch.style == .diagonalCross {
      for c in diagonal.places(from: left + top, to: right + bottom) {
        addLine(c - top, top, c - bottom, bottom)
      }
    }
  }

  /// Adds parallel lines at an angle, counter-clockwise from the horizontal, across a box.
  private func addLines(separation: Double, angle: Double, reach: Double, _ box: PathSides) {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    // Along a line, and across the lines.
    let corners = [box.left, box.right].flatMap { x in
      [box.top, box.bottom].map { y in (along: x * cosine - y * sine, across: x * sine + y * cosine) }
    }
    let along = corners.map(\.along)
    let across = corners.map(\.across)
    guard let first = along.min(), let last = along.max(), let low = across.min(), let high = across.max()
    else { return }
    let (start, end) = (first - reach, last + reach)
    for place in HatchPlaces(every: separation, offset: 0).places(from: low - reach, to: high + reach) {
      addLine(
        start * cosine + place * sine, place * cosine - start * sine,
        end * cosine + place * sine, place * cosine - end * sine)
    }
  }

  /// Paints shapes at the points of a grid over a box, shape by shape at each point.
  private func paint(
    _ shapes: [PatternShape], stepX: Double, stepY: Double, shifts: Bool, _ box: PathSides
  ) {
    let xs = shapes.flatMap(\.x)
    let ys = shapes.flatMap(\.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
    let reach = shapes.compactMap { $0.stroke?.reach }.max() ?? 0
    useEvenOddRule()
    // The middle of the first tile is half a step from the corner.
    for y in HatchPlaces(every: stepY, offset: stepY / 2).places(
      from: box.top - bottom - reach, to: box.bottom - top + reach)
    {
      let row = ((y - stepY / 2) / stepY).rounded()
      let shift = shifts && row.truncatingRemainder(dividingBy: 2) != 0 ? stepX / 2 : 0
      for x in HatchPlaces(every: stepX, offset: stepX / 2 + shift).places(
        from: box.left - right - reach, to: box.right - left + reach)
      {
        for shape in shapes {
          newPath()
          for part in shape.parts {
            for index in part {
              if index == part.lowerBound {
                move(x: x + shape.x[index], y: y + shape.y[index])
              } else {
                line(x: x + shape.x[index], y: y + shape.y[index])
              }
            }
            if shape.isClosed { close() }
          }
          if let color = shape.fill {
            setColor(color)
            fill()
          }
          guard let pen = shape.stroke else { continue }
          setColor(pen.color)
          setLineWidth(pen.width)
          setLineEnds(cap: pen.cap, join: pen.join, miterLimit: pen.miterLimit)
          stroke()
        }
      }
    }
  }

  private func addLine(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    move(x: x0, y: y0)
    line(x: x1, y: y1)
  }
}

/// An item of a batch that is hatched.
struct HatchedItem {
  let batch: PathBatch
  let index: Int
}

/// Positions at equal steps along an axis.
private struct HatchPlaces {
  let step: Double
  let offset: Double

  init(every step: Double, offset: Double) { (self.step, self.offset) = (step, offset) }

  /// Returns the positions between two coordinates, and one more on either side.
  func places(from first: Double, to last: Double) -> some Sequence<Double> {
    let start = ((first - offset) / step).rounded(.down) - 1
    let end = ((last - offset) / step).rounded(.up) + 1
    return stride(from: start, through: end, by: 1).lazy.map { $0 * step + offset }
  }
}
