import MapDrawing
import MapFeatures
import MapModel

/// Effects on the images of layers.
extension ViewState {
  /// Returns the drawing of a layer with its effects, in the groups around it.
  func addingEffectsAndGroups(
    to drawing: LayerDrawing, of layer: LayerState, index: Int
  ) async throws(MapStateError) -> LayerDrawing {
    let around = imageGroups(layer.groups)
    var drawing = try await addingEffects(
      to: drawing, of: layer, index: index, groupMargin: around.groups.reduce(0) { $0 + $1.margin })
    drawing.layer = addingGroups(around.groups, to: drawing.layer, isShown: isPainted(layer))
    if !around.isComplete {
      drawing.failures.append("only \(Self.mostGroups) nested groups are drawn as images of their own")
    }
    return drawing
  }

  /// Returns a layer's drawing with its effects at the scale.
  ///
  /// - Parameter groupMargin: the output pixels by which the images of the groups around it are larger than the view.
  /// - Cost: with effects that move ink, the layer is drawn a second time, for a larger view.
  func addingEffects(
    to drawing: LayerDrawing, of layer: LayerState, index: Int, groupMargin: Int = 0
  ) async throws(MapStateError) -> LayerDrawing {
    let scale = viewpoint.scale
    let own = layer.definition.featureEffect
    let functions = layer.definition.effect?.functions(atScale: scale) ?? []
    let included = own?.includedEffect?.functions(atScale: scale) ?? []
    let excluded = own?.excludedEffect?.functions(atScale: scale) ?? []
    guard !functions.isEmpty || !included.isEmpty || !excluded.isEmpty || groupMargin > 0 else {
      return drawing
    }
    let margin = effectMargin(of: layer)
    var (drawing, painted) = (drawing, drawing.layer)
    if margin + groupMargin > 0 {
      painted = try await grown(by: margin + groupMargin).drawingWithoutEffects(
        of: layer, index: index, counted: self
      ).layer
    }
    var parts = [DisplayEffect.Part(batches: painted.batches, functions: [])]
    if let own, !included.isEmpty || !excluded.isEmpty {
      do {
        let rows = try await includedRows(of: layer, own, drawing: drawing, painted: painted)
        let all = Set(painted.paintedRows)
        let selected = RowSet(rowCount: drawing.drawn.rowCount, rows: rows)
        if included.opacity * 255 < 0.5 { drawing.hide(selected, because: .opacity) }
        if excluded.opacity * 255 < 0.5 { drawing.hide(selected.inverted(), because: .opacity) }
        parts = [
          DisplayEffect.Part(batches: painted.removing(rows: rows).batches, functions: excluded),
          DisplayEffect.Part(
            batches: painted.removing(rows: all.subtracting(rows)).batches, functions: included),
        ]
      } catch {
        drawing.failures.append("the feature effect is not applied: \(error)")
      }
    }
    guard parts.count > 1 || !functions.isEmpty || groupMargin > 0 else { return drawing }
    drawing.layer.effect = DisplayEffect(
      parts: parts, functions: functions, margin: margin, pixelRatio: pixelRatio)
    return drawing
  }

  /// Returns the painted rows that a feature effect includes.
  private func includedRows(
    of layer: LayerState, _ effect: FeatureEffect, drawing: LayerDrawing, painted: DisplayLayer
  ) async throws(MapStateError) -> Set<Int> {
    let hasImage = painted.batches.contains { if case .image = $0 { true } else { false } }
    guard drawing.clusters == nil, !hasImage else {
      throw MapStateError(.input, "clusters, heat maps and dots are drawn from all features")
    }
    var question = FeatureQuestion(area: .everywhere)
    question.$whereClause = effect.$whereClause
    (question.geometry, question.objectIDs) = (effect.geometry, effect.objectIDs)
    let conditions = conditions(for: layer, asking: question)
    do {
      let rows = try await layer.source.whole().rows(conditions.query(for: .query))
      return Set(painted.paintedRows.filter { rows.contains($0) })
    } catch {
      throw MapStateError(error)
    }
  }
}
