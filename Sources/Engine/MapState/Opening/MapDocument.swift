package import MapDocuments
import MapFeatures
import MapGeometry
public import MapJSON
public import MapModel
public import MapReaders
import MapStyles
import MapSystem

/// An opened map: the map, its document and the warnings of reading it.
public struct MapDocument: Sendable {
  /// The map.
  public let map: Map
  /// The document; generated from the data if a plain data source was opened.
  package let webMap: WebMap
  /// The names of the layers that were not opened because their kind is not supported.
  public let unsupported: [String]
  /// The warnings about deviations from the document and losses in reading.
  public let warnings: [DocumentWarning]
  /// Decisions of reading that a user may want to know: the zoom level of tiles, and what joins did.
  public let notes: [String]
  /// The opened layers, first at the bottom.
  public let layers: [OpenedLayer]
  /// The tables of a plain data source whose geometries are of several kinds, with their layers.
  let splitTables: [SplitTable]
  /// Whether the source was plain data and not a document.
  ///
  /// Plain data have no view of their own.
  public let isPlainData: Bool
  /// The file that it was read from.
  package let path: String
  /// All files that it was read from.
  ///
  /// No output may overwrite them.
  package let inputs: [String]

  /// Opens a web map document or one data source; "-" or "/dev/stdin" reads standard input.
  ///
  /// - Parameters:
  ///   - fields: the fields that are read from files, in addition to those that a document's layers need.
  ///   - choice: the layers of a document that are read; a data source is always read.
  /// - Throws: ``MapStateError``, naming the file and the JSON path or line at fault.
  public static func open(
    _ source: String, catalog: SourceCatalog = SourceCatalog(), fields: FieldSelection = .all,
    choice: LayerChoice = LayerChoice()
  ) async throws(MapStateError) -> MapDocument {
    guard (catalog.reading.xField == nil) == (catalog.reading.yField == nil) else {
      throw MapStateError(.usage, "the coordinate columns x and y go together; give both of them")
    }
    // Names of added fields depend on all fields of a layer.
    let fields = catalog.joins.isEmpty ? fields : .all
    if SourceAddress.scheme(of: source) != nil {
      try catalog.refuseData(for: SourceAddress.shown(source), isDocument: false)
      if !SourceCatalog.namesDataFile(source) {
        try FileRequest(reading: catalog.reading).refuseDialect(SourceAddress.shown(source))
      }
      // The address may have a stand-in; an unsupported scheme is an error.
      let (table, tableName) = try await catalog.openNamed(source, fields: fields)
      let address = SourceAddress.shown(source)
      let name = SourceAddress.isOfDatabase(source) ? tableName : table.metadata.name
      let title = name.isEmpty ? address.split(separator: "/").last.map { String($0) } ?? address : name
      var messages = JoinMessages()
      let joins = try catalog.joins.resolved(LayerNames(layers: [(title, title)]))
      let joined = try await catalog.joined(table, layer: title, joins, &messages)
      return MapDocument(
        plainData: joined, title: title, url: ServiceAccess.withoutSecrets(source), path: address, messages)
    }
    let (place, fragment) = SourceAddress.split(source, folder: ".")
    let path = place == "/dev/stdin" ? "-" : place
    let request = FileRequest(
      fragment: fragment, fields: fields, reading: catalog.reading, indexUse: catalog.indexUseOfJoined,
      choice: choice)
    if let tables = try SourceCatalog.binaryTables(path, request) {
      try catalog.refuseData(for: path, isDocument: false)
      return try MapDocument(await catalog.joined(tables, path: path), fragment: fragment, path: path)
    }
    let input = path == "-" ? StandardInput() : nil
    if let input, let tables = try SourceCatalog.tables(in: input, request) {
      try catalog.refuseData(for: "standard input", isDocument: false)
      return try MapDocument(await catalog.joined(tables, path: path), fragment: fragment, path: path)
    }
    let bytes: [UInt8]
    do { bytes = try input?.rest() ?? FileAccess.read(path) } catch { throw MapStateError(error) }
    let name = path == "-" ? "standard input" : path
    if TextFormat(bytes, path: name) == .otherJSON {
      return try await open(
        document: bytes, name: name, folder: FilePath.folder(of: path), catalog: catalog, fields: fields,
        choice: choice)
    }
    try catalog.refuseData(for: name, isDocument: false)
    let tables = try SourceCatalog.tables(bytes: bytes, name: name, request)
    return try MapDocument(await catalog.joined(tables, path: path), fragment: fragment, path: path)
  }

  /// Creates a map of the tables of a file: a layer for each table, and for each kind of its geometries.
  private init(
    _ joined: (tables: [FileTable], messages: JoinMessages), fragment: String?, path: String
  ) throws(MapStateError) {
    let (tables, messages) = joined
    var opened: [(layer: WebMapLayer, source: any FeatureSource)] = []
    var split: [SplitTable] = []
    for table in tables {
      let name = table.name == "standard input" ? "-" : table.name
      let place = FilePath.name(of: path)
      let tableFragment = fragment ?? (tables.count > 1 ? name : nil)
      if let source = table.indexed {
        let url = place + (tableFragment.map { "#" + $0 } ?? "")
        opened.append((Self.layer(of: source, title: name, url: url), source))
        continue
      }
      guard let columns = table.columns else {
        opened.append((WebMapLayer(id: name, title: name, url: "\(place)#\(name)"), UnreadSource.notAsked))
        continue
      }
      let parts = columns.tablesByKind()
      for part in parts {
        let kind = parts.count > 1 ? part.schema.geometryKind?.rawValue : nil
        let title = kind.map { "\(name) (\($0))" } ?? name
        let ends = [tableFragment, kind].compactMap { $0 }
        let url = place + (ends.isEmpty ? "" : "#" + ends.joined(separator: "/"))
        var source = try InMemorySource(part, path: path)
        source.metadata.attribution = table.attribution
        var layer = Self.layer(of: source, title: title, url: url)
        layer.definition.renderer = table.styles?.renderer(for: part.schema.geometryKind)
        opened.append((layer, source))
      }
      if parts.count > 1 {
        split.append(
          SplitTable(
            name: name, layers: opened.count - parts.count..<opened.count,
            source: try InMemorySource(columns, path: path)))
      }
    }
    self.init(
      webMap: WebMap(layers: opened.map(\.layer)), opened: opened, isPlainData: true, path: path,
      inputs: [path] + messages.inputs, warnings: messages.documentWarnings,
      notes: tables.flatMap(\.notes).reduce(into: messages.notes) { notes, note in
        if !notes.contains(note) { notes.append(note) }
      }, splitTables: split)
  }

  /// Creates a map with one layer from one data source.
  private init(
    plainData source: any FeatureSource, title: String, url: String, path: String, _ messages: JoinMessages
  ) {
    self.init(
      webMap: WebMap(layers: [Self.layer(of: source, title: title, url: url)]),
      opened: [(Self.layer(of: source, title: title, url: url), source)], isPlainData: true, path: path,
      inputs: [path] + messages.inputs, warnings: messages.documentWarnings, notes: messages.notes)
  }

  /// Returns the layer of a plain table.
  private static func layer(of source: any FeatureSource, title: String, url: String) -> WebMapLayer {
    var layer = WebMapLayer(id: title, title: title, url: url)
    layer.timeInfo = source.metadata.timeInfo ?? TimeInfo(onlyDateOf: source.schema)
    layer.labelsAreEnabled = source.metadata.drawingInfo?["labelingInfo"].map { !$0.isNull } ?? false
    return layer
  }

  /// Returns a map of the same data with other definitions of its layers, and with warnings of their making.
  package func restyled(_ definitions: [WebMapLayer], warnings: [String]) -> MapDocument {
    MapDocument(
      webMap: WebMap(layers: definitions),
      opened: zip(definitions, layers).map { (layer: $0, source: $1.layer.source) }, isPlainData: true,
      path: path, inputs: inputs, warnings: warnings.map { DocumentWarning(path: nil, message: $0) },
      notes: notes, splitTables: splitTables)
  }

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
    guard WebMap.isWebMap(json) else {
      let data = catalog.drawingData.map { ServiceAccess.withoutSecrets($0) }
      guard let drawing = DrawingDocument.webMap(json, data: data) else {
        if StyleDocument.isStyle(json) {
          throw MapStateError(
            .input,
            "\(name): is a MapLibre style; styles are not drawn yet, but inspect and explain read them")
        }
        throw MapStateError(
          .input, "\(name): is neither a web map (no \"operationalLayers\") nor GeoJSON")
      }
      return try await open(
        json: drawing, name: name, folder: folder, catalog: catalog, fields: fields, choice: choice)
    }
    var references = WrittenReferences()
    let json = references.numbered(json)
    let services = await catalog.mapServices(in: json, choice)
    let webMap: WebMap
    do throws(JSONDecodingError) {
      webMap = try WebMap(
        json, pictureAt: { catalog.picture(at: $0, documentFolder: folder) },
        hasTiles: { catalog.hasTiles(at: $0) }, mapServices: services)
    } catch {
      throw MapStateError(
        .input, "\(name): \(error)", path: error.path.description, suggestion: error.suggestion, cause: error)
    }
    let layers = webMap.layers.filter(\.isSupported)
    if let data = catalog.drawingData.map({ ServiceAccess.withoutSecrets($0) }),
      !webMap.layers.contains(where: { $0.url == data })
    {
      try catalog.refuseData(for: name, isDocument: true)
    }
    // Names of added fields depend on all fields of a layer.
    let fields = catalog.joins.isEmpty ? fields : .all
    let names = LayerNames(layers: layers.map { ($0.title, $0.id) })
    let joins = try catalog.joins.resolved(names)
    var messages = JoinMessages()
    let chosen: Set<Int>
    do {
      chosen = try choice.indexes(among: layers, names)
    } catch {
      throw MapStateError(
        error.kind == .usage ? .usage : .input, error.description, suggestion: error.suggestion)
    }
    var opened: [(WebMapLayer, any FeatureSource)] = []
    var inputs = [name]
    var openingWarnings: [DocumentWarning] = []
    var tables = SharedTables(of: chosen.sorted().map { layers[$0] }, catalog, fields)
    for (index, written) in layers.enumerated() {
      var layer = written
      guard chosen.contains(index) else {
        opened.append((layer, UnreadSource.notAsked))
        continue
      }
      do {
        let read =
          if let data = catalog.drawingData, layer.url == ServiceAccess.withoutSecrets(data) {
            try await drawingTable(data, catalog, fields.union(layer.fields))
          } else {
            try await read(layer, of: name, folder, catalog, fields, &tables)
          }
        let joined = try await catalog.joined(
          read, layer: layer.definition.name, joins.filter { $0.layer == index }, &messages)
        let table = layer.describing(joined)
        openingWarnings += layer.castTexts(schema: table.schema)
        if choice.skipsUnavailable { openingWarnings += try layer.leaveOutUnusable(schema: table.schema) }
        opened.append((layer, table))
      } catch {
        let isHidden = !layer.isVisible && choice.skipsHiddenUnavailable
        guard choice.skipsUnavailable || isHidden, !(error.cause is JoinFailure) else { throw error }
        opened.append((layer, UnreadSource(reason: error, isUnavailable: true)))
        openingWarnings.append(
          DocumentWarning(
            path: layer.path,
            message: "layer \"\(layer.definition.name)\" is left out, because it cannot be read: \(error)"))
      }
      if case .url(let url) = layer.content, SourceAddress.scheme(of: url) == nil {
        inputs.append(FilePath.join(folder, SourceAddress.split(url, folder: folder).path))
      }
    }
    let isEmbedded = layers.allSatisfy { if case .features = $0.content { true } else { false } }
    if isEmbedded, catalog.reading != ReadingOptions() {
      for option in catalog.reading.optionNames {
        openingWarnings.append(
          DocumentWarning(
            path: nil,
            message: "\(option) has no effect: the document has its features inside and reads no file"))
      }
    }
    var basemapLayers: [(layer: FeatureLayer, isReference: Bool)] = []
    for layer in webMap.basemapLayers where choice.readsBasemap && layer.isVisible {
      let source: any FeatureSource
      do {
        switch layer.content {
        case .unsupported: continue
        case .features(let columns):
          source = try InMemorySource(columns, path: "\(name): \(layer.path)")
        case .url(let url):
          source = try await catalog.open(url, documentFolder: folder)
          if SourceAddress.scheme(of: url) == nil {
            inputs.append(FilePath.join(folder, SourceAddress.split(url, folder: folder).path))
          }
        }
      } catch {
        // A map is useful without its basemap, so a failure is only a warning.
        openingWarnings.append(DocumentWarning(path: layer.path, message: "not drawn: \(error)"))
        continue
      }
      basemapLayers.append((layer.opened(over: layer.describing(source)), layer.isReference))
    }
    let (basemapTiles, tiles) = (
      choice.readsBasemap ? await webMap.basemapTileLayers.opened(by: catalog, folder, &openingWarnings) : [],
      await webMap.tileLayers.opened(by: catalog, folder, &openingWarnings)
    )
    var others: [any FeatureTable] = []
    for table in webMap.tables {
      let title = table.title
      let opened: LocalFeatureTable
      switch table.content {
      case .unsupported: continue
      case .features(let columns):
        let source = try InMemorySource(columns, path: "\(name): \(table.path)")
        opened = LocalFeatureTable(source: source, tableName: title)
      case .url(let url):
        // A table is not drawn, so it is read at its first query.
        opened = LocalFeatureTable(name: title) {
          TableState.Opened(try await catalog.open(url, documentFolder: folder), name: title)
        }
        if SourceAddress.scheme(of: url) == nil {
          inputs.append(FilePath.join(folder, SourceAddress.split(url, folder: folder).path))
        }
      }
      opened.table.content.update { $0.origin = table.origin }
      others.append(opened)
    }
    if let basemap = webMap.basemap {
      for isReference in [false, true] {
        let own = basemapLayers.filter { $0.isReference == isReference }.map(\.layer)
        let layers = basemapTiles.filter { $0.document.isReference == isReference }.placed(among: own)
        for layer in layers {
          if isReference { basemap.addReferenceLayer(layer) } else { basemap.addBaseLayer(layer) }
        }
      }
      basemap.rememberDocument()
    }
    let document = MapDocument(
      webMap: webMap, opened: opened, isPlainData: false, path: name, inputs: inputs + messages.inputs,
      warnings: openingWarnings + messages.documentWarnings, notes: messages.notes,
      hasAllFields: fields == .all)
    for (index, item) in tiles.enumerated() {
      document.map.insertOperationalLayer(item.layer, at: item.document.below + index)
    }
    document.map.addTables(others)
    return document
  }

  /// Opens the data source that gives features to a drawing document; it is named by the user, as a source is.
  private static func drawingTable(
    _ data: String, _ catalog: SourceCatalog, _ fields: FieldSelection
  ) async throws(MapStateError) -> any FeatureSource {
    var plain = catalog
    (plain.drawingData, plain.joins) = (nil, TableJoins())
    let document = try await open(data, catalog: plain, fields: fields)
    guard document.isPlainData, let table = document.layers.first?.layer.source else {
      throw MapStateError(.input, "\(data): --data takes a data source, not a document")
    }
    return table
  }

  /// Reads the table of a layer.
  private static func read(
    _ layer: WebMapLayer, of name: String, _ folder: String, _ catalog: SourceCatalog,
    _ fields: FieldSelection, _ tables: inout SharedTables
  ) async throws(MapStateError) -> any FeatureSource {
    switch layer.content {
    case .unsupported(let kind):
      throw MapStateError(.input, "\(name): \(layer.path): layers of kind \"\(kind)\" are not supported")
    case .features(let columns):
      return try InMemorySource(columns, path: "\(name): \(layer.path)")
    case .url(let url):
      do {
        if let table = tables[layer] { return table }
        let (reading, wanted) = (layer.reading(catalog), tables.fields(of: layer, catalog, fields))
        var catalog = catalog
        // All rows of a table are read that gets other columns or domains.
        if !layer.domains.isEmpty { catalog.indexUse = catalog.indexUse == .checking ? .checking : .none }
        catalog.indexUse = catalog.indexUseOfJoined
        let table = try await catalog.open(
          url, documentFolder: folder, fields: wanted, reading: reading, isDataFile: layer.isDataFile)
        tables.keep(table, for: layer)
        return table
      } catch {
        throw MapStateError(
          error.kind, "\(name): \(layer.path).url: \(error)", path: "\(layer.path).url", cause: error)
      }
    }
  }

  /// The warnings from queries since the map was opened, such as a filter that a service evaluates by its own
  /// rules.
  public var laterWarnings: [DocumentWarning] {
    let known = Set(warnings)
    return layers.flatMap { item in
      Self.sourceWarnings(item.document, item.layer.source, isPlainData: isPlainData)
    }.filter { !known.contains($0) }
  }

  /// Returns the warnings of a layer's source: losses, assumptions, and operations computed locally instead of by a
  /// service.
  private static func sourceWarnings(
    _ layer: WebMapLayer, _ source: any FeatureSource, isPlainData: Bool
  ) -> [DocumentWarning] {
    source.warnings.map {
      DocumentWarning(
        path: isPlainData ? nil : layer.path, message: "layer \"\(layer.title)\": \($0)", outcome: .drawn)
    }
  }

  private static func open(
    document bytes: [UInt8], name: String, folder: String, catalog: SourceCatalog, fields: FieldSelection,
    choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes, limits: WebMap.limits) } catch {
      throw MapStateError(.input, "\(name): \(error)", cause: error)
    }
    // A web map may name the same file, which would hide that the option has no use.
    if WebMap.isWebMap(json) { try catalog.refuseData(for: name, isDocument: true) }
    return try await open(
      json: json, name: name, folder: folder, catalog: catalog, fields: fields, choice: choice)
  }

  private init(
    webMap: WebMap, opened: [(layer: WebMapLayer, source: any FeatureSource)], isPlainData: Bool,
    path: String, inputs: [String], warnings openingWarnings: [DocumentWarning] = [], notes: [String] = [],
    hasAllFields: Bool = false, splitTables: [SplitTable] = []
  ) {
    (self.splitTables, self.notes) = (splitTables, notes)
    var webMap = webMap
    var warnings = webMap.warnings + openingWarnings
    if let reference = webMap.spatialReference {
      do { _ = try MapPlane.of(reference) } catch .missingLibrary {
        // The document is right; every view of its map reports the missing library.
      } catch {
        warnings.append(
          DocumentWarning(
            path: JSONPath(steps: [.member("spatialReference")]),
            message: "drawn in Web Mercator (3857) instead: \(error)", outcome: .approximated))
        webMap.spatialReference = .webMercator
      }
    }
    (self.webMap, self.isPlainData, self.path, self.inputs) = (webMap, isPlainData, path, inputs)
    map = Map(document: webMap)
    var layers: [OpenedLayer] = []
    for (document, source) in opened {
      var layer = document
      let drawing = SourceDrawing(source.metadata)
      layer.definition.take(drawing, timeInfo: source.metadata.timeInfo)
      warnings += drawing.warnings.map {
        DocumentWarning(
          path: isPlainData ? nil : layer.path, message: "layer \"\(layer.title)\": \($0)",
          outcome: .approximated)
      }
      let added = layer.featureLayer(over: source)
      map.addOperationalLayer(added)
      if isPlainData, case .url(let url) = document.content {
        let folder = FilePath.folder(of: FileAccess.realPath(path) ?? path)
        let place = SourceAddress.scheme(of: url) == nil ? FilePath.join(folder, url) : url
        added.featureTable?.table.content.update { $0.url = place }
      }
      layers.append(OpenedLayer(layer: added, document: layer))
      // A table that was not read has no warnings.
      guard !(source is UnreadSource) else { continue }
      warnings += Self.sourceWarnings(layer, source, isPlainData: isPlainData)
      warnings += layerWarnings(layer, source, hasAllFields: hasAllFields || layer.holdsItsTable)
    }
    (self.layers, self.warnings) = (layers, warnings)
    map.add(warnings)
    unsupported = webMap.layers.compactMap { layer in
      if case .unsupported = layer.content { layer.title.isEmpty ? layer.id : layer.title } else { nil }
    }
  }
}
