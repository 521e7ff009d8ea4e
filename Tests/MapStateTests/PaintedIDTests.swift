import MapCairo
import MapDrawing
import MapGeometry
import MapState
import MapTestSupport
import Testing

/// The painted rows, the drawn rows and the queried rows agree over random views.
@Suite struct PaintedIDTests {
  @Test(
    "Painted ids equal the drawn and edge features in upright and rotated views",
    arguments: [(.point, 80, 3000), (.polyline, 50, 250), (.polygon, 50, 250)] as [(GeometryKind, Int, Int)])
  func scenes(_ kind: GeometryKind, _ views: Int, _ rows: Int) async throws {
    var covering = 0
    for seed in 0..<views { covering += try await check(RandomScene(kind, seed: UInt64(seed))) }
    #expect(covering > rows)
  }

  @Test(
    "Features past ±180° are painted in every world copy and counted once",
    arguments: [(.point, 80, 3000), (.polyline, 40, 200), (.polygon, 40, 200)] as [(GeometryKind, Int, Int)])
  func uncutScenes(_ kind: GeometryKind, _ views: Int, _ rows: Int) async throws {
    var covering = 0
    for seed in 0..<views {
      covering += try await check(RandomScene(kind, seed: UInt64(seed), isUncut: true))
    }
    #expect(covering > rows, "\(covering)")
  }

  /// Returns the number of rows that had to be painted.
  private func check(_ scene: RandomScene) async throws -> Int {
    let view = try scene.view()
    let state = view.freeze()
    let layer = state.layers[0]
    let drawing = try await state.drawing(of: layer, index: 0)
    let image = try IDPainter.image(of: await state.displayList())
    let painted = Set(image.rows(ofLayer: 0))
    let (drawn, edge) = (Set(drawing.drawn), Set(drawing.edge))
    #expect(drawn.isDisjoint(with: edge))
    #expect(painted.isSubset(of: drawn.union(edge)))

    // Rows that must be painted, from the coordinates alone: symbols over a pixel's centre.
    let covering = scene.rowsCoveringPixels(of: state)
    #expect(
      covering.isSubset(of: painted), "not painted: \(covering.subtracting(painted).sorted()) of \(scene)")

    // Rows that must be drawn, from the coordinates alone: geometries that intersect the canvas.
    if let meeting = scene.rowsMeetingCanvas(of: state) {
      #expect(meeting.sure.isSubset(of: drawn), "not drawn: \(meeting.sure.subtracting(drawn).sorted())")
      #expect(drawn.isSubset(of: meeting.perhaps), "drawn: \(drawn.subtracting(meeting.perhaps).sorted())")
    }
    let queried = Set(try await state.rows(of: layer, for: .drawing))
    #expect(drawn == queried.intersection(scene.symbolised))

    let funnel = try await state.funnel(of: layer, drawing: drawing)
    let count = try await state.count(of: layer, FeatureQuestion())
    #expect(funnel.extent == count)
    #expect(funnel.total == layer.source.rowCount)
    #expect(funnel.display == queried.count)
    #expect(funnel.drawn == drawn.count)
    #expect(funnel.edge == edge.count)
    return covering.count
  }
}
