import MapDocuments
import MapGeometry
import MapJSON
import MapModel
import MapStyles
import MapSystem
import MapTiles

extension MapDocument {
  /// Opens a MapLibre style as a map with one layer.
  ///
  /// The map starts at the view that the style proposes, else it shows the extent of its sources.
  ///
  /// - Throws: ``MapStateError``.
  static func open(
    style json: JSONValue, name: String, at place: StylePlace, catalog: SourceCatalog
  ) async throws(MapStateError) -> MapDocument {
    let style = try await catalog.mapStyle(json, name: name, at: place)
    return try await open(style, json, name: name, catalog: catalog)
  }

  /// Opens a vector tile package as a map with one layer; nil for another path, and for a folder without a style.
  ///
  /// - Throws: ``MapStateError``.
  static func open(package path: String, catalog: SourceCatalog) async throws(MapStateError) -> MapDocument? {
    guard VectorTilePackage.isPackage(path) else { return nil }
    let package = try catalog.package(at: path)
    if package.style == nil, case .folder = FileAccess.look(at: path) { return nil }
    let style = try await catalog.style(of: package)
    return try await open(style, package.style ?? .null, name: path, catalog: catalog)
  }

  private static func open(
    _ style: MapStyle, _ json: JSONValue, name: String, catalog: SourceCatalog
  ) async throws(MapStateError) -> MapDocument {
    try catalog.refuseData(for: name, isDocument: true)
    // A join needs a layer with features.
    _ = try catalog.joins.resolved(LayerNames(layers: []))
    let unused = catalog.reading.optionNames.map {
      DocumentWarning(path: nil, message: "\($0) has no effect: the source is a style, which reads no table")
    }
    let layer = VectorTiledLayer(place: name, name: FilePath.stem(of: name)) { style }
    try await layer.load()
    let document = MapDocument(
      webMap: WebMap(layers: []), opened: [], isPlainData: false, path: name, inputs: [name] + style.files,
      warnings: layer.styleWarnings(at: nil) + unused, style: json)
    document.map.addOperationalLayer(layer)
    document.map.initialViewpoint = style.viewpoint
    return document
  }
}

extension VectorTiledLayer {
  /// Returns the warnings about members of the style that are unknown, not drawn or invalid.
  ///
  /// - Parameter path: the path of the layer in its document; nil if the style is the document.
  func styleWarnings(at path: JSONPath?) -> [DocumentWarning] {
    (style?.document.problems ?? []).map { problem in
      DocumentWarning(
        path: path, message: path == nil ? problem.description : "its style: \(problem)",
        outcome: problem.kind == .undrawn ? .dropped : .approximated)
    }
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
