import MapFeatures
import MapGeometry
package import MapLayout
package import MapModel
package import MapState

/// The small maps of other areas on a page.
extension MapDocument {
  /// The free view pixels around the area of an inset.
  private static let insetPadding = 4.0

  /// Returns a layout whose insets have the extents of their areas, each on the plane of its own map.
  ///
  /// - Parameter view: a view of the map, with the conditions of its layers.
  /// - Throws: `MapStateError`: of kind input for a name that no bookmark, layer or feature has, and of kind usage for a
  ///   spatial reference that no map can have.
  package func placingInsets(
    of layout: PageLayout, in view: ViewState
  ) async throws(MapStateError) -> PageLayout {
    var layout = layout
    for index in layout.insets.indices {
      do {
        let plane = try layout.insets[index].plane(in: view)
        let extent: Envelope
        switch layout.insets[index].place {
        case .bounds(let bounds): extent = try plane.box(of: bounds, "the inset")
        case .named(let name):
          let area = try await area(named: name, on: plane, in: view)
          extent = try plane.box(of: area, "the inset \"\(name)\"")
        }
        layout.insets[index].extent = extent
        guard layout.insets[index].reference == nil else { continue }
        // An inset is drawn without rotation, and the direction of north does not depend on the resolution.
        layout.insets[index].north =
          ResolvedViewpoint(center: extent.center, resolution: 1, rotation: 0, on: plane).north
      } catch {
        throw MapStateError(error)
      }
    }
    return layout
  }

  /// Returns the area of a bookmark, of the features of a layer, or of the features with a text.
  ///
  /// - Parameter plane: the plane on which the area is measured.
  private func area(
    named name: String, on plane: MapPlane, in view: ViewState
  ) async throws -> Envelope {
    if let bookmark = map.bookmarks.first(where: { $0.name == name }) {
      return try ResolvedViewpoint.resolve(
        bookmark.viewpoint, on: plane, width: view.width, height: view.height, padding: 0,
        current: view.viewpoint
      ).envelope(width: view.width, height: view.height)
    }
    let layers = view.layers.filter { !($0.source is UnreadSource) }
    if let layer = layers.first(where: { $0.name == name || $0.id == name }) {
      return try await GroundExtent(
        of: [view.ground(of: layer, FeatureQuestion(), in: plane.reference)], on: plane
      ).extent()
    }
    var pieces: [GroundExtent.Piece] = []
    for layer in layers where layer.isVisible {
      let query = try view.conditions(for: layer, asking: FeatureQuestion(area: .everywhere)).query(
        for: .stage(.time))
      let fetched = try await layer.source.fetch(query)
      let table = try fetched.shownColumns(on: plane.reference)
      let texts = table.schema.fields.indices.filter { table.schema.fields[$0].fieldType == .text }
      let rows = try fetched.rows(query).filter { row in
        texts.contains { table.columns[$0].value(at: row) == .text(name) }
      }
      pieces.append(.rows(RowSet(rowCount: table.rowCount, rows: rows), table))
    }
    let extent = try GroundExtent(of: pieces, on: plane).extent()
    guard !extent.isEmpty else {
      let written = name.lastIndex(of: "@").map { name[name.index(after: $0)...] }
      throw MapStateError(
        .input,
        "--inset: no bookmark, layer or feature is named \"\(name)\""
          + (written.map { ", and \"\($0)\" is no spatial reference" } ?? ""))
    }
    return extent
  }

  /// Returns a page with the maps of its insets, which have the layers, the time and the emphasis of its map.
  ///
  /// The map keeps its spatial reference.
  ///
  /// - Parameter cells: the cells in which points are counted; nil for symbols.
  /// - Throws: `MapStateError`.
  package func addingInsets(to page: MapPage, cells: CountingCells?) throws(MapStateError) -> MapPage {
    var page = page
    page.insets = []
    for (inset, box) in zip(page.layout.insets, page.arrangement.insets) {
      guard let extent = inset.extent, let box else { continue }
      let plane = try inset.plane(in: page.map)
      let view = try MapView(
        map: map, width: box.width, height: box.height, pixelRatio: page.map.pixelRatio,
        viewpoint: Viewpoint(center: page.map.viewpoint.center, scale: page.map.viewpoint.scale))
      (view.timeExtent, view.now) = (page.map.timeExtent, page.map.now)
      var target = Viewpoint(boundingGeometry: extent)
      if extent.width == 0, extent.height == 0 {
        target = Viewpoint(center: extent.center, scale: MapView.scaleOfPoint)
      }
      let viewpoint: ResolvedViewpoint
      do {
        viewpoint = try ResolvedViewpoint.resolve(
          target, on: plane, width: view.width, height: view.height, padding: Self.insetPadding)
      } catch {
        throw MapStateError(error, kind: .usage)
      }
      var state = try view.freeze(showing: map.clamped(viewpoint, on: plane)).counting(in: cells)
      state.emphasis = page.map.emphasis
      page.insets.append(PageInset(map: state, box: box))
    }
    return page
  }
}

extension PageLayout.Inset {
  /// Returns the plane of the inset's map, in a view of the map.
  ///
  /// - Throws: `MapStateError` with the text of the inset for a spatial reference of its own.
  fileprivate func plane(in view: ViewState) throws(MapStateError) -> MapPlane {
    do {
      return try MapPlane.of(reference ?? view.spatialReference)
    } catch {
      guard reference != nil else { throw MapStateError(error) }
      let refused = MapStateError(error, kind: .usage)
      throw MapStateError(refused.kind, "--inset \(self): \(refused)", cause: error)
    }
  }
}
