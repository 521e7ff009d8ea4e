import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Whether a symbol just outside reaches into the view, compared with painting at twelve times the size.
///
/// Slivers are excluded: only paint deeper than a sixteenth of a pixel counts, and a predicted symbol must
/// paint in an image that is a sixteenth of a pixel larger.
@Suite struct ReachTests {
  private static let side = 12.0
  private static let scale = 12.0
  private static let sliver = 1.0 / 16

  private static func canvas(grownBy distance: Double = 0) -> Envelope {
    Envelope(xMin: 0, yMin: 0, xMax: side, yMax: side).grown(by: distance)
  }

  private static func isPainted(_ batch: DisplayBatch) throws -> Bool {
    let size = Int(side * scale)
    let layer = DisplayLayer(index: 0, name: "", opacity: 1, batches: [batch])
    let list = DisplayList(width: size, height: size, background: nil, layers: [layer])
    let bitmap = try CairoPainter.bitmap(of: list)
    return stride(from: 3, to: bitmap.pixels.count, by: 4).contains { bitmap.pixels[$0] > 0 }
  }

  @Test("A stroke reaches into the view exactly when it paints a pixel there")
  func strokes() throws {
    var random = SeededGenerator(seed: 42)
    var (painted, missed, sharp) = (0, 0, 0)
    for index in 0..<1200 {
      let closed = index % 3 == 0
      let width = [0.5, 2, 6, 15][Int.random(in: 0..<4, using: &random)]
      let cap = SimpleLineSymbol.Cap.allCases[index / 3 % 3]
      let join = SimpleLineSymbol.Join.allCases[index / 9 % 3]
      // Around a point beside the image, near enough that about half of the strokes reach in.
      let along = Double.random(in: -10...22, using: &random)
      let off = Double.random(in: 0...width * 2 + 3, using: &random)
      let side = Self.side
      let (x, y) = [(along, -off), (along, side + off), (-off, along), (side + off, along)][index % 4]
      var vertices: [(x: Double, y: Double)] = (0..<Int.random(in: 2...4, using: &random)).map { _ in
        (x + Double.random(in: -12...12, using: &random), y + Double.random(in: -12...12, using: &random))
      }
      if index % 5 == 0, vertices.count > 2 {
        // A spike, so that miters become bevels; sometimes it goes straight back.
        let spike = Double.random(in: 0...0.6, using: &random) * Double(index % 10 == 0 ? 0 : 1)
        vertices[2] = (vertices[0].x + spike, vertices[0].y - spike)
        sharp += 1
      }
      // Rows whose geometry lies in the image are drawn anyway.
      var geometry = CoordinateBuffer(kind: closed ? .polygon : .polyline)
      for vertex in vertices + (closed ? [vertices[0]] : []) {
        geometry.appendVertex(x: vertex.x, y: vertex.y)
      }
      geometry.endPart()
      geometry.endRow()
      func reaches(_ distance: Double) -> Bool {
        StrokeReach(
          canvas: Self.canvas(grownBy: distance),
          stroke: Stroke(color: .black, width: width, cap: cap, join: join)
        )
        .paints(x: geometry.x[...], y: geometry.y[...], closed: closed)
      }
      let style = PathStyle(
        fill: nil, stroke: Stroke(color: .black, width: width * Self.scale, cap: cap, join: join),
        classIndex: 0)
      var batch = PathBatch(styles: [style], kind: geometry.kind)
      for vertex in geometry.x.indices {
        batch.geometry.appendVertex(x: geometry.x[vertex] * Self.scale, y: geometry.y[vertex] * Self.scale)
      }
      batch.geometry.endPart()
      batch.geometry.endRow()
      (batch.style, batch.row) = ([0], [0])
      let isPainted = try Self.isPainted(.paths(batch))
      if isPainted { painted += 1 } else { missed += 1 }
      #expect(
        !isPainted || reaches(Self.sliver), "painted, not seen: \(vertices) width \(width) closed \(closed)")
      #expect(
        isPainted || !reaches(-Self.sliver), "seen, not painted: \(vertices) width \(width) closed \(closed)")
    }
    #expect(painted > 100, "\(painted) \(missed) \(sharp)")
    #expect(missed > 100, "\(painted) \(missed) \(sharp)")
    #expect(sharp > 40, "\(painted) \(missed) \(sharp)")
  }

  @Test("A miter reaches ten half widths, and a sharper join is cut")
  func miterLimit() {
    let canvas = Self.canvas()
    func paints(_ spread: Double, tipAt y: Double) -> Bool {
      // A spike upwards: its tip is at y, its miter above by halfWidth / sin(angle / 2).
      StrokeReach(canvas: canvas, stroke: Stroke(color: .black, width: 2)).paints(
        x: [6 - 100 * spread, 6, 6 + 100 * spread], y: [y - 100, y, y - 100], closed: false)
    }
    // sin(angle / 2) = spread / hypot(1, spread).
    #expect(paints(0.102, tipAt: -9.5))
    #expect(!paints(0.102, tipAt: -10.1))
    #expect(!paints(0.099, tipAt: -9.5))
    #expect(!paints(0.099, tipAt: -1.1))
    #expect(paints(0.099, tipAt: 0.1))
  }

  @Test("A marker of any shape reaches into the view exactly when it paints a pixel there")
  func markers() throws {
    var random = SeededGenerator(seed: 43)
    var (painted, missed) = (0, 0)
    for index in 0..<1200 {
      let shape = MarkerShape.allCases[index % MarkerShape.allCases.count]
      let angle = index % 4 == 0 ? Double.random(in: 0..<360, using: &random) : 0
      let shift = index % 7 == 0 ? Double.random(in: -9...9, using: &random) : 0
      let size = [0, 3, 10, 60][Int.random(in: 0..<4, using: &random)] as Double
      let width = index % 3 == 0 ? 0 : Double.random(in: 0.5...5, using: &random)
      let fill: Color? = index % 5 == 0 || shape == .cross || shape == .x ? nil : .black
      let reach = (size + width) / 2 + 1
      let x = Double.random(in: -reach...Self.side + reach, using: &random)
      let y = Bool.random(using: &random) ? -Double.random(in: 0...reach, using: &random) : x
      func style(_ scale: Double) -> MarkerStyle {
        MarkerStyle(
          shape: shape, size: size * scale, angle: angle, offsetX: shift * scale, offsetY: -shift * scale,
          fill: fill,
          outline: width == 0 ? nil : Stroke(color: .black, width: width * scale), classIndex: 0)
      }
      var batch = MarkerBatch(styles: [style(Self.scale)])
      (batch.x, batch.y, batch.style, batch.row) = ([x * Self.scale], [y * Self.scale], [0], [0])
      let isPainted = try Self.isPainted(.markers(batch))
      if isPainted { painted += 1 } else { missed += 1 }
      func reaches(_ distance: Double) -> Bool {
        style(1).paints(Self.canvas(grownBy: distance), x: x, y: y)
      }
      #expect(!isPainted || reaches(Self.sliver), "painted, not seen: \(style(1)) at \(x) \(y)")
      #expect(isPainted || !reaches(-Self.sliver), "seen, not painted: \(style(1)) at \(x) \(y)")
    }
    #expect(painted > 300, "\(painted) \(missed)")
    #expect(missed > 300, "\(painted) \(missed)")
  }
}
