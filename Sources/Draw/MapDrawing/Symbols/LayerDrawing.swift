package import MapFeatures
package import MapModel

/// A symbolised layer: its items in pixels and the rows to which they belong.
package struct LayerDrawing: Sendable {
  /// The items in painting order.
  package var layer: DisplayLayer
  /// The rows whose geometry meets the view and whose symbol changes a pixel of the image.
  package private(set) var drawn: RowSet
  /// The rows outside the view whose symbol changes a pixel of the image.
  package private(set) var edge: RowSet
  /// The rows of both that may change no pixel: ``settle(painting:)`` decides about them.
  package private(set) var doubtful: RowSet
  /// The rows that have a symbol and whose geometry meets the view, but whose symbol changes no pixel of the image.
  ///
  /// Later features that cover a symbol do not matter.
  package private(set) var invisible: RowSet
  /// The number of rows in the view that change no pixel, by the reason; rows without a size are among them.
  package private(set) var invisibility: [Invisibility: Int] = [:]
  /// The characters of text symbols that the font lacks, by code point.
  package let missingGlyphs: [Unicode.Scalar]
  /// The failures of the renderer's expressions, and of markers that are not drawn.
  package var failures: [String]

  /// The clusters that replace features of the layer; nil for a layer without clusters.
  package var clusters: Clusters?

  /// The counts that replace the symbols of the layer; nil for a layer with symbols.
  package var cells: CellCounts?

  /// The number of drawn points, if the source has counted them in groups, so that rows stand for several points; nil if
  /// ``drawn`` has all of them.
  package var groupedPoints: Int?

  /// The clusters of a layer.
  package struct Clusters: Sendable {
    /// The clusters as a layer, whose rows have the numbers of their first features.
    package let layer: LayerState
    /// The clusters in the view that change a pixel.
    package let drawn: RowSet
    /// The clusters in the view that change no pixel.
    package let invisible: RowSet
    /// The features in all clusters but the invisible ones.
    package private(set) var members: RowSet
    /// The rows of the features of each cluster, by the cluster's row.
    package let features: [Int: [Int]]

    /// Creates the clusters of a layer.
    ///
    /// - Parameter members: the features in all clusters.
    package init(
      layer: LayerState, drawn: RowSet, invisible: RowSet, members: RowSet, features: [Int: [Int]]
    ) {
      (self.layer, self.drawn, self.invisible, self.features) = (layer, drawn, invisible, features)
      self.members = members
      for row in invisible { for member in features[row] ?? [] { self.members.remove(member) } }
    }

    /// The clusters in the view.
    package var inView: RowSet { drawn.union(invisible) }
  }

  /// The painted rows: ``drawn`` and ``edge`` together.
  package var painted: RowSet { drawn.union(edge) }

  /// The rows that have a symbol and whose geometry meets the view: ``drawn`` and ``invisible`` together.
  ///
  /// These may have labels: a transparent symbol is a common way to show labels only.
  package var inView: RowSet { drawn.union(invisible) }

  /// Creates a drawing.
  package init(layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar] = []) {
    self.init(layer: layer, drawn: drawn, edge: edge, missingGlyphs: missingGlyphs, failures: [])
  }

  /// Creates a drawing with the failures of expressions.
  package init(
    layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar], failures: [String]
  ) {
    (self.layer, self.drawn, self.edge, self.missingGlyphs) = (layer, drawn, edge, missingGlyphs)
    self.failures = failures
    let none = RowSet(rowCount: drawn.rowCount)
    (doubtful, invisible) = (none, none)
  }

  /// Creates a drawing of rows with the reasons why some are invisible.
  init(
    layer: DisplayLayer, rows: PaintedRows, invisibility: [Invisibility: Int],
    missingGlyphs: [Unicode.Scalar], failures: [String]
  ) {
    self.init(
      layer: layer, drawn: rows.drawn, edge: rows.edge, missingGlyphs: missingGlyphs, failures: failures)
    (doubtful, invisible, self.invisibility) = (rows.doubtful, rows.invisible, invisibility)
  }

  /// Returns the drawing with the items of another drawing of the same layer on top, such as of selected features.
  package func adding(_ above: LayerDrawing) -> LayerDrawing {
    var display = DisplayLayer(
      index: layer.index, name: layer.name, opacity: layer.opacity,
      batches: layer.batches + above.layer.batches)
    display.blendMode = layer.blendMode
    var both = self
    both.layer = display
    both.drawn.formUnion(above.drawn)
    both.edge.formUnion(above.edge)
    both.edge.subtract(both.drawn)
    // A row is certain if one of its items is.
    both.doubtful.subtract(above.painted.subtracting(above.doubtful))
    both.doubtful.formUnion(above.doubtful.subtracting(painted.subtracting(doubtful)))
    both.invisible.subtract(both.drawn)
    return both
  }

  /// Returns the drawing with clusters on top, which have a drawing of their own.
  package func adding(clusters above: LayerDrawing, _ clusters: Clusters) -> LayerDrawing {
    var display = DisplayLayer(
      index: layer.index, name: layer.name, opacity: layer.opacity,
      batches: layer.batches + above.layer.batches)
    display.blendMode = layer.blendMode
    var both = LayerDrawing(
      layer: display, drawn: drawn, edge: edge, missingGlyphs: missingGlyphs + above.missingGlyphs,
      failures: failures + above.failures)
    (both.doubtful, both.invisible, both.invisibility) = (doubtful, invisible, invisibility)
    for (reason, count) in above.invisibility { both.invisibility[reason, default: 0] += count }
    both.clusters = clusters
    return both
  }

  /// Moves rows that change no pixel from ``drawn`` to ``invisible``, and out of ``edge``.
  package mutating func hide(_ rows: RowSet, because reason: Invisibility) {
    let hidden = drawn.intersection(rows)
    invisibility[reason, default: 0] += hidden.count
    invisible.formUnion(hidden)
    drawn.subtract(rows)
    edge.subtract(rows)
    doubtful.subtract(rows)
  }

  /// Decides about the doubtful rows.
  ///
  /// - Parameter painted: the doubtful rows that change a pixel.
  package mutating func settle(painting painted: RowSet) {
    hide(doubtful.subtracting(painted), because: .other)
    doubtful = RowSet(rowCount: doubtful.rowCount)
  }
}

extension RowSet {
  func union(_ other: RowSet) -> RowSet {
    var rows = self
    rows.formUnion(other)
    return rows
  }

  func subtracting(_ other: RowSet) -> RowSet {
    var rows = self
    rows.subtract(other)
    return rows
  }
}
