import MapDrawing
import MapFeatures
import MapModel

extension ViewState {
  /// Returns remarks about the features of a layer that the image may not show as expected.
  func notes(of layer: LayerState, drawing: LayerDrawing) async throws(MapStateError) -> [String] {
    // The points that a database groups are not fetched.
    guard drawing.groupedPoints == nil else { return [] }
    return try await naming(layer) {
      let features = try await layer.source.whole()
      let rows = try features.rows(conditions(for: layer).query(for: .drawing))
      let outside = outsideNotes(of: layer, features.columns(), rows, place: " in the view") { renderer in
        renderer.defaultSymbol == nil ? "not drawn" : "drawn with the symbol of other values"
      }
      let notes = outside + [try sharedNote(of: layer, features, drawing), try await outsideNote(of: layer)]
      return (notes + [features.table.longEdgeNote()]).compactMap { $0 }
    }
  }

  /// Returns a note about the features that a default view leaves outside; nil for other views, and if there are none.
  ///
  /// - Parameter question: the filters of a question, if the view is that of one.
  func outsideNote(of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion()) async throws
    -> String?
  {
    guard leavesFeaturesOutside, layer.isShown(atScale: viewpoint.scale) else { return nil }
    var asked = question
    (asked.area, asked.geometry) = (.everywhere, nil)
    let all = try conditions(for: layer, asking: asked).query(for: .stage(.time))
    asked.area = .view
    let shown = try conditions(for: layer, asking: asked).query(for: .stage(.time))
    let fetched = try await layer.source.fetch(all)
    let (rows, inView) = (try fetched.rows(all), try fetched.rows(shown))
    let table = try fetched.shownColumns(on: spatialReference)
    let ground = GroundExtent(of: [.rows(rows, table)], on: try MapPlane.of(spatialReference))
    let (outside, cut) = ground.rows(outside: extent, inView)
    guard outside + cut > 0 else { return nil }
    let features = "\(rows.count) \(rows.count == 1 ? "feature" : "features")"
    let parts =
      cut == 0
      ? "\(outside) of \(features)"
      : outside == 0
        ? "parts of \(cut) of \(features)" : "\(outside) of \(features) and parts of \(cut) more"
    return
      "\(parts) lie outside the view, far from all others; --fit all shows everything, --inset some of it"
  }

  /// Returns a note about points that look like one, because they have one position; nil if they are less than half.
  private func sharedNote(
    of layer: LayerState, _ features: FetchedFeatures, _ drawing: LayerDrawing
  ) throws -> String? {
    let renderer = layer.renderer.resolved(atScale: viewpoint.scale)
    if case .heatmap = renderer { return nil }
    guard drawing.cells == nil, drawing.clusters == nil, let points = features.table.table.geometry,
      points.mayShareHalf
    else { return nil }
    let rows = try features.rows(conditions(for: layer).query(for: .drawing))
    let (count, positions) = points.positions(of: rows)
    guard count > 2, positions * 2 <= count else { return nil }
    let places = positions == 1 ? "1 position" : "\(positions) positions"
    return "the \(count) features in the view lie at \(places), where each one hides those below it; "
      + "--aggregate hexagon counts them"
  }

  /// Returns notes about values of rows below the lowest class, above the highest, and in gaps between classes; none for
  /// another renderer.
  ///
  /// - Parameters:
  ///   - place: the words after the number of features, such as " in the view".
  ///   - fate: the words for the result, such as "not drawn".
  func outsideNotes(
    of layer: LayerState, _ table: FeatureColumns, _ rows: RowSet, place: String = "",
    fate: (ClassBreaksRenderer) -> String
  ) -> [String] {
    guard case .classBreaks(let renderer) = layer.renderer.resolved(atScale: viewpoint.scale),
      renderer.valueExpression == nil, let lowest = renderer.classBreaks.map(\.minimum).min(),
      let highest = renderer.classBreaks.map(\.maximum).max(),
      lowest > -Double.greatestFiniteMagnitude || highest < Double.greatestFiniteMagnitude
    else { return [] }
    func column(_ name: String) -> Column? {
      table.schema.index(ofField: name).map { table.columns[$0] }
    }
    guard let values = column(renderer.fieldName) else { return [] }
    var divisors: Column?
    if case .field(let name) = renderer.normalization { divisors = column(name) }
    var (below, above, between) = (0, 0, 0)
    for row in rows {
      guard let own = values.number(at: row),
        let value = renderer.normalized(own, divisor: divisors?.number(at: row))
      else { continue }
      if value < lowest {
        below += 1
      } else if value > highest {
        above += 1
      } else if renderer.classIndex(of: value) == nil {
        between += 1
      }
    }
    func note(_ count: Int, _ words: String) -> String? {
      guard count > 0 else { return nil }
      let feature = count == 1 ? "1 feature\(place) has a value" : "\(count) features\(place) have a value"
      return "\(feature) \(words): \(fate(renderer))"
    }
    return [
      note(below, "below the lowest class, which begins at \(lowest.thousandths)"),
      note(between, "in no class, although between the lowest and the highest"),
      note(above, "above the highest class, which ends at \(highest.thousandths)"),
    ].compactMap { $0 }
  }
}
