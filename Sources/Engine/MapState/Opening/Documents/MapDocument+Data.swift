import MapDocuments
import MapFeatures
import MapModel
public import MapReaders
import MapSystem

/// Opens data sources, and the documents in files.
extension MapDocument {
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
    try catalog.checkOptions()
    if SourceAddress.scheme(of: source) != nil {
      return try await open(address: source, catalog, fields, choice)
    }
    guard !source.hasPrefix("item:") || FileAccess.exists(source) else {
      throw MapStateError(
        .input, "\(source): an item of a portal has 32 hexadecimal digits after \"item:\"")
    }
    let (place, fragment) = SourceAddress.split(source, folder: ".")
    let path = place == "/dev/stdin" ? "-" : place
    let name = path == "-" ? "standard input" : path
    if fragment == nil, let package = try await open(package: path, catalog: catalog) { return package }
    if case .file(let head) = FileAccess.look(at: path), StyledLayerDocument.isStyle(head) {
      return try await open(styledLayers: path, named: fragment, catalog, choice)
    }
    let request = FileRequest(
      fragment: fragment, fields: catalog.joins.fields(fields), reading: catalog.reading,
      indexUse: catalog.indexUseOfJoined, passesRows: catalog.passesRows && catalog.joins.isEmpty,
      choice: choice, readsGeometry: catalog.readsGeometry || !catalog.joins.isEmpty, share: catalog.share,
      report: catalog.readingReport)
    let input = path == "-" ? StandardInput() : nil
    var tables = try SourceCatalog.binaryTables(path, request)
    if tables == nil, let input { tables = try SourceCatalog.tables(in: input, request) }
    if tables == nil {
      let bytes: [UInt8]
      do { bytes = try input?.rest() ?? FileAccess.read(path) } catch { throw MapStateError(error) }
      guard TextFormat(bytes, path: name) != .otherJSON else {
        return try await open(
          document: bytes, name: name, folder: FilePath.folder(of: path), catalog: catalog, fields: fields,
          choice: choice)
      }
      tables = try SourceCatalog.tables(bytes: bytes, name: name, request)
    }
    try catalog.refuseData(for: name, isDocument: false)
    return try MapDocument(
      await catalog.joined(tables ?? [], path: path), fragment: fragment, path: path)
  }

  /// Opens the data source of a catalogue with the style in a file, as a drawing document.
  ///
  /// - Parameter name: the name of the layer or the style; nil for the only one, or for those with the titles of the layers.
  /// - Throws: ``MapStateError``; without a data source also.
  private static func open(
    styledLayers path: String, named name: String?, _ catalog: SourceCatalog, _ choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    guard let data = catalog.drawingData else {
      throw MapStateError(
        .input,
        "\(path): is a style (SLD) and has no features; name them with --data, or draw them with --style \(path)"
      )
    }
    let file = try StyledLayerFile(path: path)
    var plain = catalog
    plain.drawingData = nil
    let document = try await open(data, catalog: plain, choice: choice)
    guard document.isPlainData else {
      throw MapStateError(.input, "\(data): --data takes a data source, not a document")
    }
    var opened: [(layer: WebMapLayer, source: any FeatureSource)] = []
    var (losses, firstError) = ([DocumentWarning](), MapStateError?.none)
    for item in document.layers where !item.isUnread {
      var layer = item.document
      do throws(MapStateError) {
        let drawing = try file.drawing(named: name, of: item.layer.source, titled: layer.title)
        layer.draw(by: drawing)
        losses += drawing.warnings
      } catch {
        firstError = firstError ?? error
        losses.append(DocumentWarning(path: nil, message: "layer \"\(layer.title)\" is left out: \(error)"))
        continue
      }
      opened.append((layer, item.layer.source))
    }
    if opened.isEmpty, let firstError { throw firstError }
    let styled = MapDocument(
      webMap: WebMap(layers: opened.map(\.layer)), opened: opened, isPlainData: false, path: path,
      inputs: [path] + document.inputs, notes: document.notes, hasAllFields: true)
    return styled.adding(document.warnings + losses)
  }

  /// Opens an item of a portal, or its stand-in.
  ///
  /// - Throws: ``MapStateError``.
  private static func open(
    item address: PortalItemAddress, _ catalog: SourceCatalog, _ fields: FieldSelection,
    _ choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    var catalog = catalog
    let item = try await catalog.services.item(address)
    if item.type == "Vector Tile Service" {
      let style = try await catalog.style(of: item).style
      return try await open(style: style.json, name: style.name, at: style.place, catalog: catalog)
    }
    let map = try await catalog.webMap(of: item)
    // A document of a server names no files of this machine, and its items are those of its portal.
    (catalog.allowedFolders, catalog.services.portal) = ([], address.portal)
    return try await open(
      json: map, name: address.url, folder: address.url + "/", catalog: catalog, fields: fields,
      choice: choice)
  }

  /// Opens the style or the table at an address.
  private static func open(
    address source: String, _ catalog: SourceCatalog, _ fields: FieldSelection, _ choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    var source = source
    if let item = PortalItemAddress(source: source, portal: catalog.services.portal) {
      switch try catalog.standIn(for: item.place) {
      case .file(let path)?:
        return try await open(path, catalog: catalog, fields: fields, choice: choice)
      case .service(let other)?:
        guard let other = PortalItemAddress(source: other, portal: catalog.services.portal) else {
          return try await open(other, catalog: catalog, fields: fields, choice: choice)
        }
        return try await open(item: other, catalog, fields, choice)
      case .source?: source = item.place
      case nil: return try await open(item: item, catalog, fields, choice)
      }
    }
    if let style = try await catalog.servedStyle(at: source) {
      return try await open(style: style.json, name: style.name, at: style.place, catalog: catalog)
    }
    try catalog.refuseData(for: SourceAddress.shown(source), isDocument: false)
    if SourceCatalog.isServedFile(source), try catalog.standIn(for: source) == nil {
      return try await open(file: source, catalog, fields, choice)
    }
    if !SourceCatalog.namesDataFile(source) {
      try FileRequest(reading: catalog.reading).refuseDialect(SourceAddress.shown(source))
    }
    // The address may have a stand-in; an unsupported scheme is an error.
    let (table, tableName) = try await catalog.openNamed(
      source, fields: catalog.joins.fields(fields))
    let address = SourceAddress.shown(source)
    let name = SourceAddress.isOfDatabase(source) ? tableName : table.metadata.name
    let title = name.isEmpty ? address.split(separator: "/").last.map { String($0) } ?? address : name
    var messages = JoinMessages()
    // A file that replaces a service is read with the options.
    if !SourceCatalog.namesDataFile(source), !(table is InMemorySource) {
      let isDatabase = SourceAddress.isOfDatabase(source)
      messages.warnings += catalog.reading.optionNames
        .filter { !isDatabase || ["--encoding", "--tile-zoom"].contains($0) }
        .map { "\($0) has no effect: the source is a \(isDatabase ? "database" : "service"), not a file" }
    }
    let joins = try catalog.joins.resolved(LayerNames(layers: [(title, title)]))
    let joined = try await catalog.joined(table, layer: title, joins, &messages)
    return MapDocument(
      plainData: joined, title: title, url: ServiceAccess.withoutSecrets(source), path: address, messages)
  }

  /// Opens the tables of a file on a server.
  private static func open(
    file source: String, _ catalog: SourceCatalog, _ fields: FieldSelection, _ choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    let (address, fragment) = SourceCatalog.fileAddress(source)
    let place = SourceAddress.shown(address)
    let work = CurrentWork.begin("reading \(place)")
    defer { CurrentWork.end(work) }
    let request = FileRequest(
      fields: catalog.joins.fields(fields), reading: catalog.reading, indexUse: catalog.indexUseOfJoined,
      choice: choice)
    let tables = try await catalog.servedTables(at: source, isNamedByDocument: false, request)
    return try MapDocument(
      await catalog.joined(tables, path: place), fragment: fragment, path: place,
      address: ServiceAccess.withoutSecrets(address))
  }

  /// Creates a map of the tables of a file: a layer for each table, and for each kind of its geometries.
  ///
  /// - Parameter address: the address of a file on a server, which documents name; nil for other files.
  private init(
    _ joined: (tables: [FileTable], messages: JoinMessages), fragment: String?, path: String,
    address: String? = nil
  ) throws(MapStateError) {
    let (tables, messages) = joined
    var opened: [(layer: WebMapLayer, source: any FeatureSource)] = []
    var (split, warnings): ([SplitTable], [String]) = ([], [])
    let tracks = TrackTables(tables)
    for table in tables {
      let name = table.name == "standard input" ? "-" : table.name
      let place = address ?? FilePath.name(of: path)
      let tableFragment = fragment ?? (tables.count > 1 ? name : nil)
      // The names of several tables tell them apart; that of one is not a title, like the name of its file.
      let isNamedByFile = tables.count == 1
      if let source = table.indexed {
        let url = place + (tableFragment.map { "#" + $0 } ?? "")
        var layer = Self.layer(of: source, title: name, url: url)
        layer.definition.isNamedByFile = isNamedByFile
        opened.append((layer, source))
        continue
      }
      guard let columns = table.columns else {
        opened.append((WebMapLayer(id: name, title: name, url: "\(place)#\(name)"), UnreadSource.notAsked))
        continue
      }
      var parts = columns.tablesByKind()
      if table.styles?.hasLabelStyles ?? false {
        warnings.append(
          "layer \"\(name)\": the colours and sizes of names (LabelStyle) are not drawn; a KML layer of a web map has them"
        )
      }
      if parts.count > 1 {
        // The warnings are those of the table, and of no single kind.
        warnings += columns.warnings.map { "layer \"\(name)\": \($0)" }
        parts = parts.map { $0.with(warnings: []) }
      }
      for part in parts {
        let kind = parts.count > 1 ? part.schema.geometryKind?.rawValue : nil
        let title = kind.map { "\(name) (\($0))" } ?? name
        let ends = [tableFragment, kind].compactMap { $0 }
        let url = place + (ends.isEmpty ? "" : "#" + ends.joined(separator: "/"))
        let source = try table.source(of: part, path: path)
        var layer = Self.layer(of: source, title: title, url: url)
        let kindOfPart = part.schema.geometryKind
        layer.definition.renderer = table.styles?.renderer(for: kindOfPart)
        layer.definition.darkRenderer = table.styles?.renderer(for: kindOfPart, on: .dark)
        layer.definition.isNamedByFile = isNamedByFile
        layer.isVisible = !tracks.hidden.contains(table.name)
        opened.append((layer, source))
      }
      if parts.count > 1 {
        split.append(
          SplitTable(
            name: name, layers: opened.count - parts.count..<opened.count,
            source: try table.source(of: columns, path: path)))
      }
    }
    self.init(
      webMap: WebMap(layers: opened.map(\.layer)), opened: opened, isPlainData: true, path: path,
      inputs: [path] + messages.inputs,
      warnings: messages.documentWarnings
        + warnings.map { DocumentWarning(path: nil, message: $0, outcome: .drawn) },
      notes: messages.notes, splitTables: split)
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
}
