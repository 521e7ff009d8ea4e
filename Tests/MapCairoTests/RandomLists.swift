import MapDrawing
import MapGeometry
import MapModel
import MapTestSupport

/// Random display lists from a seed: markers, lines and areas, transparent and opaque, inside and outside the
/// image.
struct RandomLists {
  var random: SeededGenerator
  let width: Int
  let height: Int

  init(seed: UInt64, width: Int, height: Int) {
    (random, self.width, self.height) = (SeededGenerator(seed: seed), width, height)
  }

  mutating func list(layers: Int, itemsPerBatch: Int) -> DisplayList {
    var list = DisplayList(
      width: width, height: height, background: Bool.random(using: &random) ? .white : nil)
    for index in 0..<layers {
      let opacity = [1, 1, 0.5, 0.123][Int.random(in: 0..<4, using: &random)]
      let batches = (0..<4).map { kind in
        switch kind {
        case 0: DisplayBatch.paths(paths(.polygon, count: itemsPerBatch))
        case 1: DisplayBatch.paths(paths(.polyline, count: itemsPerBatch))
        case 2: DisplayBatch.labels(labels(count: itemsPerBatch))
        default: DisplayBatch.markers(markers(count: itemsPerBatch))
        }
      }
      list.layers.append(
        DisplayLayer(index: index, name: "layer \(index)", opacity: opacity, batches: batches))
    }
    return list
  }

  mutating func markers(count: Int) -> MarkerBatch {
    var batch = MarkerBatch(
      styles: (0..<5).map { index in
        MarkerStyle(
          shape: index % 2 == 0 ? .circle : .square, size: Double.random(in: 0.5...30, using: &random),
          fill: index == 4 ? nil : color(), outline: index < 2 ? nil : stroke(), classIndex: index)
      })
    for row in 0..<count {
      let (x, y) = place()
      batch.x.append(x)
      batch.y.append(y)
      batch.style.append(UInt32.random(in: 0..<5, using: &random))
      batch.row.append(Int32(row))
    }
    return batch
  }

  /// Labels of curved letters.
  mutating func labels(count: Int) -> LabelBatch {
    let letter = GlyphOutline(steps: [
      .move(x: 0, y: 0), .line(x: 0.6, y: 0), .curve(x1: 0.9, y1: 0.3, x2: 0.2, y2: 0.6, x: 0.5, y: 0.8),
      .line(x: 0, y: 0.7), .close,
    ])
    let styles = (0..<3).map { index in
      LabelStyle(
        size: Double.random(in: 5...30, using: &random), slant: index == 1 ? 0.2 : 0,
        color: index == 2 ? nil : color(),
        haloColor: index == 0 ? nil : color(),
        haloWidth: index == 0 ? 0 : Double.random(in: 0.5...4, using: &random),
        classIndex: index)
    }
    let items = (0..<count).map { row in
      let (x, y) = place()
      let style = Int.random(in: 0..<3, using: &random)
      let size = styles[style].size
      return LabelItem(
        text: "", style: UInt32(style), row: Int32(row),
        box: Envelope(xMin: x, yMin: y - size, xMax: x + 3 * size, yMax: y).grown(
          by: styles[style].haloWidth),
        glyphs: (0..<3).map { LabelItem.Glyph(outline: 0, x: x + Double($0) * 0.8 * size, y: y) })
    }
    return LabelBatch(outlines: [letter], styles: styles, items: items)
  }

  mutating func paths(_ kind: GeometryKind, count: Int) -> PathBatch {
    var batch = PathBatch(
      styles: (0..<4).map { index in
        PathStyle(fill: kind == .polygon && index != 3 ? color() : nil, stroke: stroke(), classIndex: index)
      }, kind: kind)
    for row in 0..<count {
      let (x, y) = place()
      let reach = Double.random(in: 1...60, using: &random)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let vertices = (0..<Int.random(in: 2...7, using: &random)).map { _ in
          (
            x + Double.random(in: -reach...reach, using: &random),
            y + Double.random(in: -reach...reach, using: &random)
          )
        }
        for (x, y) in vertices + (kind == .polygon ? [vertices[0]] : []) {
          batch.geometry.appendVertex(x: x, y: y)
        }
        batch.geometry.endPart()
      }
      batch.geometry.endRow()
      batch.style.append(UInt32.random(in: 0..<4, using: &random))
      batch.row.append(Int32(row))
    }
    return batch
  }

  /// A position in the image or slightly outside; a third of them on quarter pixels.
  private mutating func place() -> (Double, Double) {
    let x = Double.random(in: -20...Double(width) + 20, using: &random)
    let y = Double.random(in: -20...Double(height) + 20, using: &random)
    return Int.random(in: 0..<3, using: &random) == 0
      ? ((x * 4).rounded() / 4, (y * 4).rounded() / 4) : (x, y)
  }

  private mutating func color() -> Color {
    Color(
      red: UInt8.random(in: 0...255, using: &random), green: UInt8.random(in: 0...255, using: &random),
      blue: UInt8.random(in: 0...255, using: &random),
      alpha: Bool.random(using: &random) ? 255 : UInt8.random(in: 0...255, using: &random))
  }

  private mutating func stroke() -> Stroke {
    Stroke(color: color(), width: [0.4, 1, 1.5, 2, 7][Int.random(in: 0..<5, using: &random)])
  }
}
