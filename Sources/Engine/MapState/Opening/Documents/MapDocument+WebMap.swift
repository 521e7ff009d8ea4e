import MapDocuments
import MapFeatures
public import MapJSON
import MapModel
import MapReaders
import MapStyles
import MapSystem

/// Opens documents: web maps, and drawing documents with a data source.
extension MapDocument {
  /// Opens a document from memory; relative paths in it start at `folder`.
  ///
  /// - Parameters:
  ///   - fields: the fields that are read from files, in addition to those that the layers need.
  ///   - choice: the layers that are read.
  /// - Throws: ``MapStateError``.
  public static func open(
    json: JSONValue, name: String, folder: String, catalog: SourceCatalog = SourceCatalog(),
    fields: FieldSelection = .all, choice: LayerChoice = LayerChoice()
  ) async throws(MapStateError) -> MapDocument {
    try catalog.checkOptions()
    if StyleDocument.isStyle(json), !WebMap.isWebMap(json) {
      return try await open(style: json, name: name, at: StylePlace(folder: folder), catalog: catalog)
    }
    let json = WebMap.isWebMap(json) ? json : try drawing(json, name: name, catalog)
    let webMap = try await webMap(json, name: name, folder: folder, catalog, choice)
    if let data = catalog.drawingData.map({ ServiceAccess.withoutSecrets($0) }),
      !webMap.layers.contains(where: { $0.url == data })
    {
      try catalog.refuseData(for: name, isDocument: true)
    }
    var opening = DocumentOpening(
      webMap: webMap, name: name, folder: folder, catalog: catalog, choice: choice,
      fields: catalog.joins.fields(fields))
    await opening.divideKMLLayers()
    let layers = try await opening.layers()
    opening.warnUnusedOptions()
    try await opening.openBasemap()
    let tiles = await opening.webMap.tileLayers.opened(by: catalog, folder, &opening.warnings)
    let tables = try opening.tables()
    let document = MapDocument(
      webMap: opening.webMap, opened: layers, isPlainData: false, path: name,
      inputs: opening.inputs + opening.joined.inputs,
      warnings: opening.warnings + opening.joined.documentWarnings, notes: opening.joined.notes + tiles.notes,
      hasAllFields: opening.fields == .all)
    for (index, item) in tiles.enumerated() {
      document.map.insertOperationalLayer(item.layer, at: item.document.below + index)
    }
    document.map.addTables(tables)
    return document
  }

  /// Opens the document in a file.
  static func open(
    document bytes: [UInt8], name: String, folder: String, catalog: SourceCatalog, fields: FieldSelection,
    choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    let json = try SourceCatalog.document(bytes, name: name)
    // A web map may name the same file, which would hide that the option has no use.
    if WebMap.isWebMap(json) { try catalog.refuseData(for: name, isDocument: true) }
    return try await open(
      json: json, name: name, folder: folder, catalog: catalog, fields: fields, choice: choice)
  }

  /// Returns the web map of a drawing document over the catalogue's data source.
  private static func drawing(
    _ json: JSONValue, name: String, _ catalog: SourceCatalog
  ) throws(MapStateError) -> JSONValue {
    let data = catalog.drawingData.map { ServiceAccess.withoutSecrets($0) }
    if let drawing = DrawingDocument.webMap(json, data: data) { return drawing }
    throw MapStateError(
      .input,
      "\(name): is neither a web map (no \"operationalLayers\") nor GeoJSON, nor a MapLibre style")
  }

  /// Reads a web map with the images, map services and items that it names.
  private static func webMap(
    _ json: JSONValue, name: String, folder: String, _ catalog: SourceCatalog, _ choice: LayerChoice
  ) async throws(MapStateError) -> WebMap {
    var (portal, references) = (PortalReferences(catalog, folder: folder, choice), WrittenReferences())
    let json = references.numbered(await portal.resolved(json))
    let services = await catalog.mapServices(in: json, choice)
    do throws(JSONDecodingError) {
      return try WebMap(
        json, pictureAt: { catalog.picture(at: $0, documentFolder: folder) },
        hasTiles: { catalog.hasTiles(at: $0) }, mapServices: services, items: portal.answers)
    } catch {
      throw MapStateError(
        .input, "\(name): \(error)", path: error.path.description, suggestion: error.suggestion, cause: error)
    }
  }
}
