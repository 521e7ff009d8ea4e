import MapDocuments
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapReaders
import MapSystem

#if Services
  import MapServices
#endif

/// The reading of the data that a web map names: its layers, its basemap and its tables.
struct DocumentOpening {
  private(set) var webMap: WebMap
  /// The name of the document, for messages.
  let name: String
  /// The folder of relative paths.
  let folder: String
  let catalog: SourceCatalog
  let choice: LayerChoice
  /// The fields to read, in addition to those that the layers need.
  let fields: FieldSelection
  /// The files that were read.
  private(set) var inputs: [String]
  var warnings: [DocumentWarning] = []
  /// The reasons why files of KML layers cannot be read, by the paths of the layers.
  private var failures: [JSONPath: MapStateError] = [:]
  /// The notes, warnings and files of joins.
  private(set) var joined = JoinMessages()

  init(
    webMap: WebMap, name: String, folder: String, catalog: SourceCatalog, choice: LayerChoice,
    fields: FieldSelection
  ) {
    (self.webMap, self.name, self.folder, self.catalog) = (webMap, name, folder, catalog)
    (self.choice, self.fields, inputs) = (choice, fields, [name])
  }

  private var supported: [WebMapLayer] { webMap.layers.filter(\.isSupported) }

  /// Reads the files of KML layers that may be chosen, and divides the layers into those of the files.
  ///
  /// A file that cannot be read is an error when its layer is opened.
  mutating func divideKMLLayers() async {
    for index in webMap.layers.indices.reversed() {
      let layer = webMap.layers[index]
      guard let entry = layer.kml, let url = layer.url, layer.isVisible || choice.mayReadHidden else {
        continue
      }
      do throws(MapStateError) {
        let tables = try await catalog.tables(
          at: url, documentFolder: folder, reading: layer.reading(catalog))
        let (divided, warning) = layer.divided(into: tables, url: url, entry)
        webMap.replaceLayer(at: index, by: divided)
        if let warning { warnings.append(warning) }
      } catch {
        failures[layer.path] = error
      }
    }
  }

  /// Opens the chosen layers; the others have a source that was not read.
  mutating func layers() async throws(MapStateError) -> [(layer: WebMapLayer, source: any FeatureSource)] {
    let layers = supported
    let names = LayerNames(layers: layers.map { ($0.title, $0.id) })
    let joins = try catalog.joins.resolved(names)
    let chosen: Set<Int>
    do { chosen = try choice.indexes(among: layers, names) } catch {
      throw MapStateError(
        error.kind == .usage ? .usage : .input, error.description, suggestion: error.suggestion)
    }
    var tables = SharedTables(of: chosen.sorted().map { layers[$0] }, catalog, fields)
    var opened: [(layer: WebMapLayer, source: any FeatureSource)] = []
    for (index, written) in layers.enumerated() {
      guard chosen.contains(index) else {
        opened.append((written, UnreadSource.notAsked))
        continue
      }
      var layer = written
      let source: any FeatureSource
      do {
        source = try await self.source(of: &layer, joins.filter { $0.layer == index }, &tables)
      } catch {
        let isHidden = !layer.isVisible && choice.skipsHiddenUnavailable
        guard choice.skipsUnavailable || isHidden, !(error.cause is JoinFailure) else { throw error }
        source = UnreadSource(reason: error, isUnavailable: true)
        warnings.append(
          DocumentWarning(
            path: layer.path,
            message: "layer \"\(layer.definition.name)\" is left out, because it cannot be read: \(error)"))
      }
      opened.append((layer, source))
      noteFile(layer.content)
    }
    return opened
  }

  /// Opens the table of a layer with the columns of joined tables, and adapts the layer to it.
  private mutating func source(
    of layer: inout WebMapLayer, _ joins: [ResolvedJoin], _ tables: inout SharedTables
  ) async throws(MapStateError) -> any FeatureSource {
    var read: any FeatureSource =
      if let data = catalog.drawingData, layer.url == ServiceAccess.withoutSecrets(data) {
        try await drawingTable(data, fields.union(layer.fields))
      } else {
        try await read(layer, &tables)
      }
    read = try layer.showSubtype(of: read)
    let source = layer.describing(
      try await catalog.joined(read, layer: layer.definition.name, joins, &joined))
    warnings += layer.castTexts(schema: source.schema)
    if choice.skipsUnavailable { warnings += try layer.leaveOutUnusable(schema: source.schema) }
    return source
  }

  /// Opens the data source that gives features to a drawing document; it is named by the user, as a source is.
  private func drawingTable(
    _ data: String, _ fields: FieldSelection
  ) async throws(MapStateError) -> any FeatureSource {
    var plain = catalog
    (plain.drawingData, plain.joins) = (nil, TableJoins())
    let document = try await MapDocument.open(data, catalog: plain, fields: fields)
    guard document.isPlainData, let table = document.layers.first?.layer.source else {
      throw MapStateError(.input, "\(data): --data takes a data source, not a document")
    }
    return table
  }

  /// Reads the table of a layer.
  private func read(
    _ layer: WebMapLayer, _ tables: inout SharedTables
  ) async throws(MapStateError) -> any FeatureSource {
    switch layer.content {
    case .unsupported(let kind):
      throw MapStateError(.input, "\(name): \(layer.path): layers of kind \"\(kind)\" are not supported")
    case .features(let columns):
      return try InMemorySource(columns, path: "\(name): \(layer.path)")
    case .url(let url):
      do throws(MapStateError) {
        if let failure = failures[layer.path] { throw failure }
        if let rows = layer.rows { return try InMemorySource(rows, path: url) }
        if let table = tables[layer] { return table }
        let (reading, wanted) = (layer.reading(catalog), tables.fields(of: layer, catalog, fields))
        var catalog = catalog
        // All rows of a table are read that gets other columns or domains.
        if !layer.domains.isEmpty { catalog.indexUse = catalog.indexUse == .checking ? .checking : .none }
        catalog.indexUse = catalog.indexUseOfJoined
        catalog.passesRows = catalog.passesRows && catalog.joins.isEmpty && layer.domains.isEmpty
        let table = try await catalog.open(
          url, documentFolder: folder, fields: wanted, reading: reading, isDataFile: layer.isDataFile,
          adding: layer.customParameters)
        tables.keep(table, for: layer)
        return table
      } catch {
        throw MapStateError(
          error.kind, "\(name): \(layer.urlPath): \(error)", path: "\(layer.urlPath)", cause: error)
      }
    }
  }

  /// Warns of options for files, if the document has all its features inside.
  mutating func warnUnusedOptions() {
    guard supported.allSatisfy({ if case .features = $0.content { true } else { false } }) else { return }
    warnings += catalog.reading.optionNames.map {
      DocumentWarning(
        path: nil, message: "\($0) has no effect: the document has its features inside and reads no file")
    }
  }

  /// Opens the visible layers of the basemap and adds them to it; those that fail are left out with a warning.
  mutating func openBasemap() async throws(MapStateError) {
    guard let basemap = webMap.basemap else { return }
    var layers: [(layer: FeatureLayer, isReference: Bool)] = []
    if choice.readsBasemap, let streets = webMap.streets, let style = basemap.style {
      let path = JSONPath.root["baseMap"]["tiles"]
      do {
        let opened = try await catalog.streetLayer(style, over: streets, documentFolder: folder)
        basemap.addBaseLayer(opened.layer)
        warnings += opened.warnings.map { DocumentWarning(path: path, message: $0) }
      } catch {
        warnings.append(DocumentWarning(path: path, message: "not drawn: \(error)"))
      }
    }
    for var layer in webMap.basemapLayers where choice.readsBasemap && layer.isVisible {
      let source: any FeatureSource
      do {
        switch layer.content {
        case .unsupported: continue
        case .features(let columns):
          source = try InMemorySource(columns, path: "\(name): \(layer.path)")
        case .url(let url):
          source = try await catalog.open(
            url, documentFolder: folder, fields: .all, reading: catalog.reading, isDataFile: false,
            adding: layer.customParameters)
        }
        _ = try layer.showSubtype(of: source)
      } catch {
        // A map is useful without its basemap, so a failure is only a warning.
        warnings.append(DocumentWarning(path: layer.path, message: "not drawn: \(error)"))
        continue
      }
      noteFile(layer.content)
      layers.append((layer.opened(over: layer.describing(source)), layer.isReference))
    }
    let tiles =
      choice.readsBasemap ? await webMap.basemapTileLayers.opened(by: catalog, folder, &warnings) : []
    for isReference in [false, true] {
      let own = layers.filter { $0.isReference == isReference }.map(\.layer)
      for layer in tiles.filter({ $0.document.isReference == isReference }).placed(among: own) {
        if isReference { basemap.addReferenceLayer(layer) } else { basemap.addBaseLayer(layer) }
      }
    }
    basemap.rememberDocument()
  }

  /// Opens the tables, which are not drawn; those of files and services are read at their first query.
  mutating func tables() throws(MapStateError) -> [any FeatureTable] {
    var tables: [any FeatureTable] = []
    for table in webMap.tables {
      let (title, catalog, folder, parameters) = (table.title, catalog, folder, table.customParameters)
      let opened: LocalFeatureTable
      switch table.content {
      case .unsupported: continue
      case .features(let columns):
        let source = try InMemorySource(columns, path: "\(name): \(table.path)")
        opened = LocalFeatureTable(source: source, tableName: title)
        opened.table.content.update { $0.definition = table.rowFilter(for: source.schema) }
      case .url(let url):
        opened = LocalFeatureTable(name: title) {
          var layer = table
          let read = try await catalog.open(
            url, documentFolder: folder, fields: .all, reading: catalog.reading, isDataFile: false,
            adding: parameters)
          let source = try layer.showSubtype(of: read)
          var opened = TableState.Opened(source, name: layer.title)
          opened.definition = layer.rowFilter(for: source.schema)
          return opened
        }
      }
      noteFile(table.content)
      opened.table.content.update { $0.origin = table.origin }
      tables.append(opened)
    }
    return tables
  }

  /// Adds the file of some content to ``inputs``.
  private mutating func noteFile(_ content: WebMapLayer.Content) {
    guard case .url(let url) = content, SourceAddress.scheme(of: url) == nil else { return }
    inputs.append(FilePath.join(folder, SourceAddress.split(url, folder: folder).path))
  }
}

extension WebMapLayer {
  /// Limits the layer of a subtype to its rows, by the field that the service names, and returns the table with the
  /// domains of the subtype.
  ///
  /// A layer without a title gets the name of the subtype.
  fileprivate mutating func showSubtype(
    of table: any FeatureSource
  ) throws(MapStateError) -> any FeatureSource {
    guard let code = subtypeCode else { return table }
    let subtypes = SubtypeDomains(table.metadata.layerResource)
    if !showsSubtype {
      guard let field = subtypes?.field else {
        throw MapStateError(
          .input,
          "\(path): the field of the subtypes is not known: the source does not name it; add it to the group as "
            + "layerDefinition.subtypeField")
      }
      showSubtype(in: field)
    }
    guard let subtype = subtypes?[.integer(Int64(code))] else { return table }
    if definition.title.isEmpty { definition.title = subtype.name }
    return table.replacing(domains: subtype.domains)
  }

  /// Returns the definition expression for the rows of a table without a layer.
  fileprivate func rowFilter(for schema: FeatureSchema) -> ParsedFilter {
    var layer = self
    _ = layer.castTexts(schema: schema)
    return layer.definition.$definitionExpression
  }
}

extension FeatureSource {
  /// Returns the table with other domains of some fields, by their names in lower case.
  fileprivate func replacing(domains: [String: FieldDomain]) -> any FeatureSource {
    guard !domains.isEmpty else { return self }
    if let table = inMemory { return table.with(domains: domains, replacing: true) }
    #if Services
      if let service = self as? ServiceSource { return service.with(domains: domains) }
    #endif
    return self
  }
}
