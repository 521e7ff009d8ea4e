package import MapFeatures
import MapGeometry
package import MapModel

/// The symbols of the rows of a layer, beside or over which the labels of all its classes lie.
package struct LabelledSymbols {
  let pass: SymbolPass
  let looks: SymbolStyles

  /// Finds the symbols of some rows.
  ///
  /// - Parameters:
  ///   - rows: the rows that may have labels.
  ///   - measurer: the text engine for text symbols.
  /// - Cost: one classification of the rows.
  /// - Throws: ``RendererFieldError``.
  package init(
    view: ViewState, layer: LayerState, table: FeatureColumns, rows: RowSet, measurer: TextMeasurer?
  ) throws {
    let kind = table.geometry?.kind ?? .point
    let renderer = layer.renderer.resolved(atScale: view.viewpoint.scale).suited(to: kind)
    pass = SymbolPass.joined(
      of: renderer, try RowClassifier(renderer, table: table, rows: rows, view: view))
    looks = SymbolStyles(
      pass.renderer, kind: kind, pixelRatio: view.pixelRatio * view.symbolFactor(of: layer),
      rotation: view.viewpoint.rotation, measurer: measurer)
  }
}
