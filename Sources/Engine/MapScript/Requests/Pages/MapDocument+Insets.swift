import MapFeatures
import MapGeometry
package import MapLayout
package import MapModel
package import MapState

/// The small maps of other areas on a page.
extension MapDocument {
  /// The free view pixels around the area of an inset.
  private static let insetPadding = 4.0

  /// Returns a layout whose insets have the extents of their areas in a view.
  ///
  /// - Throws: `MapStateError` of kind input for a name that no bookmark, layer or feature has.
  package func placingInsets(
    of layout: PageLayout, in view: ViewState
  ) async throws(MapStateError) -> PageLayout {
    var layout = layout
    for index in layout.insets.indices {
      do {
        let plane = try MapPlane.of(view.spatialReference)
        switch layout.insets[index].place {
        case .bounds(let bounds): layout.insets[index].extent = try plane.box(of: bounds, "the inset")
        case .named(let name):
          let area = try await area(named: name, in: view)
          layout.insets[index].extent = try plane.box(of: area, "the inset \"\(name)\"")
        }
      } catch {
        throw MapStateError(error)
      }
    }
    return layout
  }

  /// Returns the area of a bookmark, of the features of a layer, or of the features with a text.
  private func area(named name: String, in view: ViewState) async throws -> Envelope {
    let plane = try MapPlane.of(view.spatialReference)
    if let bookmark = map.bookmarks.first(where: { $0.name == name }) {
      return try ResolvedViewpoint.resolve(
        bookmark.viewpoint, on: plane, width: view.width, height: view.height, padding: 0,
        current: view.viewpoint
      ).envelope(width: view.width, height: view.height)
    }
    let layers = view.layers.filter { !($0.source is UnreadSource) }
    if let layer = layers.first(where: { $0.name == name || $0.id == name }) {
      return try await GroundExtent(of: [view.ground(of: layer, FeatureQuestion())], on: plane).extent()
    }
    var pieces: [GroundExtent.Piece] = []
    for layer in layers where layer.isVisible {
      let query = try view.conditions(for: layer, asking: FeatureQuestion(area: .everywhere)).query(
        for: .stage(.time))
      let fetched = try await layer.source.fetch(query)
      let table = try fetched.shownColumns(on: view.spatialReference)
      let texts = table.schema.fields.indices.filter { table.schema.fields[$0].fieldType == .text }
      let rows = try fetched.rows(query).filter { row in
        texts.contains { table.columns[$0].value(at: row) == .text(name) }
      }
      pieces.append(.rows(RowSet(rowCount: table.rowCount, rows: rows), table))
    }
    let extent = try GroundExtent(of: pieces, on: plane).extent()
    guard !extent.isEmpty else {
      throw MapStateError(.input, "--inset: no bookmark, layer or feature is named \"\(name)\"")
    }
    return extent
  }

  /// Returns a page with the maps of its insets, which have the layers, the time and the emphasis of its map.
  ///
  /// - Parameter cells: the cells in which points are counted; nil for symbols.
  /// - Throws: `MapStateError`.
  package func addingInsets(to page: MapPage, cells: CountingCells?) throws(MapStateError) -> MapPage {
    var page = page
    page.insets = []
    for (inset, box) in zip(page.layout.insets, page.arrangement.insets) {
      guard let extent = inset.extent, let box else { continue }
      var viewpoint = Viewpoint(boundingGeometry: extent)
      if extent.width == 0, extent.height == 0 {
        viewpoint = Viewpoint(center: extent.center, scale: MapView.scaleOfPoint)
      }
      let view = try MapView(
        map: map, width: box.width, height: box.height, pixelRatio: page.map.pixelRatio, viewpoint: viewpoint,
        padding: Self.insetPadding)
      (view.timeExtent, view.now) = (page.map.timeExtent, page.map.now)
      var state = try view.freeze().counting(in: cells)
      state.emphasis = page.map.emphasis
      page.insets.append(PageInset(map: state, box: box))
    }
    return page
  }
}
