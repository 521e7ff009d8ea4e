import MapCairo
import MapDrawing
import MapFeatures
import MapModel
public import MapVector

extension MapPage {
  /// Returns the page as SVG.
  ///
  /// - Throws: ``MapStateError``.
  public func svgData(_ options: SVGOptions = SVGOptions()) async throws(MapStateError) -> [UInt8] {
    let lists = try await displayLists(joinsTiles: true)
    let drawn: DisplayList
    do { drawn = try lists.map.applyingEffects() } catch { throw MapStateError(error) }
    var features: [Int: SVGFeatures] = [:]
    if options.writesIDs || options.writesTitles {
      for (index, layer) in map.layers.enumerated()
      where !(layer.source is UnreadSource) && layer.cells == nil {

        features[index] = try await svgFeatures(of: layer, index: index, options)
      }
      if options.writesIDs {
        for layer in map.tileLayers where layer.entersIDImages && layer.isShown(atScale: map.viewpoint.scale)
        {
          try await features.merge(map.styleFeatures(of: layer)) { $1 }
        }
      }
    }
    return SVGWriter.svg(
      of: drawn, at: lists.origin, page: lists.page, pixelRatio: map.pixelRatio, title: title,
      description: layout.subtitle, options: options, features: features)
  }

  private func svgFeatures(
    of layer: LayerState, index: Int, _ options: SVGOptions
  ) async throws(MapStateError) -> SVGFeatures {
    let layer = try await map.fetched(layer)
    // The rows of clusters are not those of features.
    let drawn =
      options.writesIDs && map.aggregation(of: layer) == nil
      ? Array(try await map.drawing(of: layer, index: index).painted) : []
    return try await map.naming(layer) {
      let table = try await layer.source.whole().shownColumns(on: map.spatialReference)
      let ids = ObjectIDs(table)
      var features = SVGFeatures()
      features.ids = (0..<table.rowCount).map { ids.id(ofRow: $0) }
      features.drawn = drawn
      guard options.writesTitles,
        let field = table.schema.fields.firstIndex(where: { $0.fieldType == .text })
      else { return features }
      features.titles = (0..<table.rowCount).map { table.columns[field].value(at: $0).rendererText(null: "") }
      return features
    }
  }
}
