import MapFeatures
import MapGeometry
public import MapJSON
public import MapModel

/// An opened map: the map itself, the document it came from and what reading it found.
public struct MapDocument: Sendable {
  /// The map.
  public let map: Map
  /// The document, made from the data when a plain data source was opened.
  public let webMap: WebMap
  /// The layers that could not be opened because their kind is not drawn, by name.
  public let unsupported: [String]
  /// What is not drawn as written, or was lost in reading.
  public let warnings: [DocumentWarning]
  /// The opened layers, first at the bottom.
  public let layers: [OpenedLayer]
  /// True when the source was data and not a document: it has no view of its own.
  public let isPlainData: Bool
  /// The file that it came from.
  let path: String
  /// The files that it was read from, which no output may replace.
  package let inputs: [String]

  /// The types whose values features can be ordered by.
  private static let orderable: Set<FieldType> = [
    .int16, .int32, .int64, .oid, .float32, .float64, .date, .dateOnly,
  ]

  /// Opens a web map document or one data source; "-" reads a document from standard input.
  ///
  /// - Parameter fields: those of files that are read, beside what a document's layers ask for.
  /// - Throws: ``SourceError``, naming the file and the JSON path or line at fault.
  public static func open(
    _ source: String, catalog: SourceCatalog = SourceCatalog(), fields: FieldSelection = .all
  ) async throws(SourceError) -> MapDocument {
    if SourceCatalog.scheme(of: source) != nil {
      // By its stand-in, or says why by scheme.
      let table = try await catalog.open(source, documentFolder: ".")
      let address = SourceCatalog.shown(source)
      let name = table.metadata.name
      let title = name.isEmpty ? address.split(separator: "/").last.map { String($0) } ?? address : name
      return MapDocument(
        plainData: table, title: title, url: ServiceAccess.withoutSecrets(source), path: address)
    }
    let (path, fragment) = SourceCatalog.split(source, folder: ".")

    if let vector = try SourceCatalog.vectorLayer(path, fragment: fragment, fields: fields) {
      let url = FilePath.name(of: path) + (fragment.map { "#\($0)" } ?? "")
      return MapDocument(plainData: vector.source, title: vector.name, url: url, path: path)
    }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw SourceError("\(error)") }
    let name = path == "-" ? "standard input" : path
    if SourceCatalog.format(of: bytes, path: path) == .geoJSON, !GeoJSONReader.looksLikeGeoJSON(bytes) {
      return try await open(
        document: bytes, name: name, folder: FilePath.folder(of: path), catalog: catalog, fields: fields)
    }
    let table = try SourceCatalog.table(bytes, path: name, fragment: fragment, fields: fields)
    return MapDocument(
      plainData: table, title: FilePath.stem(of: path), url: FilePath.name(of: path), path: path)
  }

  /// One data source, wrapped as a map with one layer.
  private init(plainData source: any FeatureSource, title: String, url: String, path: String) {
    var layer = WebMapLayer(id: title, title: title, url: url)
    layer.timeInfo = source.metadata.timeInfo ?? TimeInfo(onlyDateOf: source.schema)
    layer.showsLabels = source.metadata.drawingInfo?["labelingInfo"].map { !$0.isNull } ?? false
    self.init(plainData: layer, source: source, path: path)
  }

  /// One data source, wrapped as a map with one layer.
  init(plainData layer: WebMapLayer, source: any FeatureSource, path: String) {
    self.init(
      webMap: WebMap(layers: [layer]), opened: [(layer, source)], isPlainData: true, path: path,
      inputs: [path])
  }

  /// Opens a document that is in memory already; paths in it are taken from `folder`.
  ///
  /// - Parameter fields: those of files that are read, beside what the layers ask for.
  /// - Throws: ``SourceError``.
  public static func open(
    json: JSONValue, name: String, folder: String, catalog: SourceCatalog = SourceCatalog(),
    fields: FieldSelection = .all
  ) async throws(SourceError) -> MapDocument {
    guard WebMap.isWebMap(json) else {
      throw SourceError(
        "\(name): is JSON, but neither a web map (no \"operationalLayers\") nor GeoJSON")
    }
    let webMap: WebMap
    do throws(JSONDecodingError) {
      webMap = try WebMap(json) { catalog.picture(at: $0, documentFolder: folder) }
    } catch {
      throw SourceError("\(name): \(error)")
    }
    var opened: [(WebMapLayer, any FeatureSource)] = []
    var inputs = [name]
    for layer in webMap.layers {
      switch layer.content {
      case .unsupported: continue
      case .features(let columns):
        opened.append((layer, try SourceCatalog.source(columns, path: "\(name): \(layer.path)")))
      case .url(let url):
        do {
          let fields = fields.union(layer.fields)
          opened.append((layer, try await catalog.open(url, documentFolder: folder, fields: fields)))
          guard SourceCatalog.scheme(of: url) == nil else { continue }
          inputs.append(FilePath.join(folder, SourceCatalog.split(url, folder: folder).path))
        } catch {
          throw SourceError("\(name): \(layer.path).url: \(error)", kind: error.kind)
        }
      }
    }
    var basemapLayers: [(layer: FeatureLayer, isReference: Bool)] = []
    var basemapWarnings: [DocumentWarning] = []
    for layer in webMap.basemapLayers {
      let source: any FeatureSource
      do {
        switch layer.content {
        case .unsupported: continue
        case .features(let columns):
          source = try SourceCatalog.source(columns, path: "\(name): \(layer.path)")
        case .url(let url):
          source = try await catalog.open(url, documentFolder: folder)
          if SourceCatalog.scheme(of: url) == nil {
            inputs.append(FilePath.join(folder, SourceCatalog.split(url, folder: folder).path))
          }
        }
      } catch {
        // The layers of the map are what a document is about; without its basemap it is drawn all the same.
        basemapWarnings.append(DocumentWarning(path: layer.path, message: "not drawn: \(error)"))
        continue
      }
      basemapLayers.append((layer.opened(over: source), layer.isReference))
    }
    var tables: [any FeatureTable] = []
    for table in webMap.tables {
      let title = table.title
      let opened: LocalFeatureTable
      switch table.content {
      case .unsupported: continue
      case .features(let columns):
        let source = try SourceCatalog.source(columns, path: "\(name): \(table.path)")
        opened = LocalFeatureTable(source: source, tableName: title)
      case .url(let url):
        // Nothing is drawn of it, so that it is read when it is first asked.
        opened = LocalFeatureTable(name: title) {
          (try await catalog.open(url, documentFolder: folder), name: title)
        }
        if SourceCatalog.scheme(of: url) == nil {
          inputs.append(FilePath.join(folder, SourceCatalog.split(url, folder: folder).path))
        }
      }
      opened.table.content.update { $0.origin = table }
      tables.append(opened)
    }
    if let basemap = webMap.basemap {
      for (layer, isReference) in basemapLayers {
        if isReference { basemap.addReferenceLayer(layer) } else { basemap.addBaseLayer(layer) }
      }
      basemap.rememberDocument()
    }
    let document = MapDocument(
      webMap: webMap, opened: opened, isPlainData: false, path: name, inputs: inputs,
      warnings: basemapWarnings)
    document.map.addTables(tables)
    return document
  }

  /// What answering found since the map was opened, such as a filter that a service judges by rules of its own.
  public var laterWarnings: [DocumentWarning] {
    layers.flatMap { item in
      Self.sourceWarnings(item.document, item.layer.source, isPlainData: isPlainData)
    }.filter { !warnings.contains($0) }
  }

  /// What a layer's source lost, had to guess or works out here.
  private static func sourceWarnings(
    _ layer: WebMapLayer, _ source: any FeatureSource, isPlainData: Bool
  ) -> [DocumentWarning] {
    source.warnings.map {
      DocumentWarning(path: isPlainData ? nil : layer.path, message: "layer \"\(layer.title)\": \($0)")
    }
  }

  /// What of a layer's labels its geometry does not let be.
  private static func labelWarnings(_ layer: WebMapLayer, _ kind: GeometryKind?) -> [DocumentWarning] {
    func note(_ message: String) -> DocumentWarning { DocumentWarning(path: layer.path, message: message) }
    guard !layer.labelDefinitions.isEmpty else {
      return [note("shows labels, but there is no labelingInfo that says which")]
    }
    guard let kind, kind != .polyline else {
      return kind == nil ? [] : [note("line labels are not drawn yet")]
    }
    let isPoint = kind != .polygon
    let isOdd = layer.labelDefinitions.contains { definition in
      definition.placement.map { isPoint ? $0.side == nil : $0 != .polygonAlwaysHorizontal } ?? false
    }
    return isOdd
      ? [note("a label placement does not suit \(kind.rawValue) features; the usual one stands in")] : []
  }

  /// Filters of a document that cannot be used, whether or not they are in force.
  private static func filterWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [DocumentWarning] {
    var filters = [(QueryConditions.Kind.definition, layer.definitionExpression)]
    switch layer.displayFilter {
    case .manual(let definition): filters += definition.availableFilters.map { (.display, $0.whereClause) }
    case .scale(let definition): filters += definition.filters.map { (.display, $0.filter.whereClause) }
    case nil: break
    }
    return filters.compactMap { kind, clause in
      do {
        try QueryConditions.check(clause, kind, for: schema)
        return nil
      } catch {
        return DocumentWarning(path: layer.path, message: "\(error), in \"\(clause)\"")
      }
    }
  }

  private static func open(
    document bytes: [UInt8], name: String, folder: String, catalog: SourceCatalog, fields: FieldSelection
  ) async throws(SourceError) -> MapDocument {
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw SourceError("\(name): \(error)") }
    return try await open(json: json, name: name, folder: folder, catalog: catalog, fields: fields)
  }

  private init(
    webMap: WebMap, opened: [(layer: WebMapLayer, source: any FeatureSource)], isPlainData: Bool,
    path: String, inputs: [String], warnings basemapWarnings: [DocumentWarning] = []
  ) {
    var webMap = webMap
    var warnings = webMap.warnings + basemapWarnings
    if let reference = webMap.spatialReference {
      do { _ = try MapPlane.of(reference) } catch {
        warnings.append(
          DocumentWarning(
            path: JSONPath(steps: [.member("spatialReference")]),
            message: "drawn in Web Mercator (3857) instead: \(error)"))
        webMap.spatialReference = .webMercator
      }
    }
    (self.webMap, self.isPlainData, self.path, self.inputs) = (webMap, isPlainData, path, inputs)
    map = Map(document: webMap)
    var layers: [OpenedLayer] = []
    for (document, source) in opened {
      var layer = document
      let drawing = SourceDrawing(source.metadata)
      layer.take(drawing, timeInfo: source.metadata.timeInfo)
      warnings += drawing.warnings.map {
        DocumentWarning(path: isPlainData ? nil : layer.path, message: "layer \"\(layer.title)\": \($0)")
      }
      let added = layer.featureLayer(over: source)
      map.addOperationalLayer(added)
      if isPlainData, case .url(let url) = document.content {
        let folder = FilePath.folder(of: FileAccess.realPath(path) ?? path)
        let place = SourceCatalog.scheme(of: url) == nil ? FilePath.join(folder, url) : url
        added.featureTable?.table.content.update { $0.url = place }
      }
      layers.append(OpenedLayer(layer: added, document: layer))
      warnings += Self.sourceWarnings(layer, source, isPlainData: isPlainData)
      warnings += Self.filterWarnings(layer, source.schema)
      for order in layer.drawingOrder {
        guard let index = source.schema.index(ofField: order.fieldName),
          !Self.orderable.contains(source.schema.fields[index].fieldType)
        else { continue }
        warnings.append(
          DocumentWarning(
            path: layer.path,
            message:
              "drawing order: field \"\(order.fieldName)\" is neither number nor date and orders nothing"))
      }
      if layer.showsLabels {
        warnings += Self.labelWarnings(layer, source.schema.geometryKind)
      }
      if let renderer = layer.renderer, let kind = source.schema.geometryKind {
        let symbols = renderer.classSymbols + (renderer.defaultSymbol.map { [$0] } ?? [])
        if symbols.contains(where: { !$0.suits(kind) }) {
          warnings.append(
            DocumentWarning(
              path: layer.path,
              message: "a symbol does not suit \(kind.rawValue) features; the default one stands in"))
        }
      }
    }
    (self.layers, self.warnings) = (layers, warnings)
    map.add(warnings)
    unsupported = webMap.layers.compactMap { layer in
      if case .unsupported = layer.content { layer.title.isEmpty ? layer.id : layer.title } else { nil }
    }
  }
}
