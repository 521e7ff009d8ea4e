import MapDocuments
import MapGeometry
import MapJSON
import MapModel
import MapStyles
import MapSystem

extension MapDocument {
  /// Opens a MapLibre style as a map with one layer.
  ///
  /// The map starts at the view that the style proposes, else it shows the extent of its sources.
  ///
  /// - Throws: ``MapStateError``.
  static func open(
    style json: JSONValue, name: String, at place: StylePlace, catalog: SourceCatalog
  ) async throws(MapStateError) -> MapDocument {
    try catalog.refuseData(for: name, isDocument: true)
    // A join needs a layer with features.
    _ = try catalog.joins.resolved(LayerNames(layers: []))
    let unused = catalog.reading.optionNames.map {
      DocumentWarning(path: nil, message: "\($0) has no effect: the source is a style, which reads no table")
    }
    let style = try await catalog.mapStyle(json, name: name, at: place)
    let layer = VectorTiledLayer(place: name, name: FilePath.stem(of: name)) { style }
    try await layer.load()
    let problems = style.document.problems.map {
      DocumentWarning(
        path: nil, message: $0.description, outcome: $0.kind == .undrawn ? .dropped : .approximated)
    }
    let document = MapDocument(
      webMap: WebMap(layers: []), opened: [], isPlainData: false, path: name, inputs: [name] + style.files,
      warnings: problems + unused, style: json)
    document.map.addOperationalLayer(layer)
    document.map.initialViewpoint = style.viewpoint
    return document
  }
}

extension MapStyle {
  /// The view that the style proposes, else the extent of its sources; nil without either.
  var viewpoint: Viewpoint? {
    if let center = document.center {
      return Viewpoint(
        latitude: center.latitude, longitude: center.longitude, zoom: min(max(document.zoom ?? 0, 0), 24),
        rotation: document.bearing)
    }
    let extent = extent
    return extent.isEmpty ? nil : Viewpoint(boundingGeometry: extent, rotation: document.bearing)
  }

  /// The files of the sources and images.
  var files: [String] {
    let files = sources.values.compactMap { source -> String? in
      switch source {
      case .tiles(let tiles): tiles.place
      case .images(let images): images.place
      case .image(let image): image.place
      case .features(let features): features.place
      }
    }
    return (files + sprites.files).filter { SourceAddress.scheme(of: $0) == nil }.sorted()
  }
}
