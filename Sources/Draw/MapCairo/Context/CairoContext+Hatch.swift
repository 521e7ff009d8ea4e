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
    let box = Envelope(xMin: box.left, yMin: box.top, xMax: box.right, yMax: box.bottom)
    if case .shapes(let shapes, _, _, _)? = hatch.pattern {
      paint(shapes, at: hatch.shapePoints(over: box))
      return
    }
    setLineWidth(hatch.lineWidth)
    setLineEnds(cap: .square, join: .miter, miterLimit: Stroke.miterLimit)
    newPath()
    for line in hatch.lines(across: box) {
      move(x: line.x0, y: line.y0)
      self.line(x: line.x1, y: line.y1)
    }
    stroke()
  }

  /// Paints shapes at points, shape by shape at each point.
  private func paint(_ shapes: [PatternShape], at points: [(x: Double, y: Double)]) {
    useEvenOddRule()
    for (x, y) in points {
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

/// An item of a batch that is hatched.
struct HatchedItem {
  let batch: PathBatch
  let index: Int
}
