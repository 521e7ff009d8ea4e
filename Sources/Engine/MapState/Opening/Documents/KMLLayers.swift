import MapDocuments
import MapFeatures
import MapGeometry
import MapModel
import MapReaders
import MapSystem

extension SourceCatalog {
  /// Returns all tables of a file that a document names.
  ///
  /// - Throws: ``MapStateError``.
  func tables(
    at url: String, documentFolder: String, reading: ReadingOptions
  ) async throws(MapStateError) -> [FileTable] {
    let place = SourceAddress.shown(url)
    let work = CurrentWork.begin("reading \(place)")
    defer { CurrentWork.end(work) }
    var request = FileRequest(reading: reading, choice: LayerChoice(), isOfDocument: true)
    guard let scheme = SourceAddress.scheme(of: url) else {
      request.fragment = SourceAddress.split(url, folder: documentFolder).fragment
      request.folders = folders(of: documentFolder)
      return try Self.tables(try path(of: url, documentFolder: documentFolder), request)
    }
    try Self.check(scheme, of: url)
    switch try standIn(for: url) {
    case .file(let path):
      let (file, fragment) = SourceAddress.split(path, folder: ".")
      request.fragment = fragment
      do { return try Self.tables(file, request) } catch {
        throw MapStateError(error.kind, "\(place): its stand-in \(error)", cause: error)
      }
    case .service(let other) where Self.isServedFile(other):
      return try await servedTables(at: other, isNamedByDocument: false, request)
    case nil where !SourceAddress.isOfDatabase(url):
      return try await servedTables(at: url, isNamedByDocument: true, request)
    default: throw MapStateError(.input, "\(place): is no file, as a KML layer needs")
    }
  }
}

extension WebMapLayer {
  /// Returns the layers of a KML file, the lowest first: areas, then lines, then points, each in the order of the folders.
  ///
  /// Of the folders, those are shown that the document lists; without a list, those that the file does not hide.
  ///
  /// - Returns: The layers, and a warning if none of them is visible in a visible layer.
  /// - Source: design decision; the order of kinds is that of ArcGIS. A layer of a document has its own switch, so the
  ///   outermost document of the file is always shown.
  func divided(
    into tables: [FileTable], url: String, _ entry: KMLEntry
  ) -> (layers: [WebMapLayer], warning: DocumentWarning?) {
    var parts: [WebMapLayer] = []
    for table in tables {
      guard let columns = table.columns else { continue }
      // Hidden placemarks are not drawn.
      let warnings = columns.warnings.filter { $0 != table.folder?.hiddenWarning }
      let kinds = columns.with(warnings: warnings).tablesByKind()
      for part in kinds {
        let kind = kinds.count > 1 ? part.schema.geometryKind?.rawValue : nil
        parts.append(
          layer(of: part, in: table, kind: kind, isOnlyTable: tables.count == 1, url: url, entry))
      }
    }
    let order: [GeometryKind] = [.polygon, .polyline, .multipoint, .point]
    let places = parts.map { part in
      part.rows?.schema.geometryKind.flatMap { order.firstIndex(of: $0) } ?? order.count
    }
    let sorted = parts.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { parts[$0] }
    return (sorted.count > 1 ? joined(sorted, entry) : sorted, warning(tables, sorted, entry))
  }

  /// Returns the layer of a table, or of one kind of its geometries.
  private func layer(
    of rows: FeatureColumns, in table: FileTable, kind: String?, isOnlyTable: Bool, url: String,
    _ entry: KMLEntry
  ) -> WebMapLayer {
    var layer = self
    let name = isOnlyTable && !definition.title.isEmpty ? definition.title : table.name
    (layer.kml, layer.rows) = (nil, rows)
    layer.title = kind.map { "\(name) (\($0))" } ?? name
    if !isOnlyTable, !definition.title.isEmpty {
      layer.definition.groupTitles.append(definition.title)
    }
    let ends = [isOnlyTable ? nil : table.name, kind].compactMap { $0 }.joined(separator: "/")
    layer.content = .url(ends.isEmpty ? url : url + (url.contains("#") ? "/" : "#") + ends)
    layer.isVisible = definition.isVisible && entry.shows(table.folder)
    layer.definition.visibilityField = table.folder?.visibilityField
    layer.definition.renderer = table.styles?.renderer(for: rows.schema.geometryKind)
    layer.definition.darkRenderer = table.styles?.renderer(for: rows.schema.geometryKind, on: .dark)
    layer.listsLabelClasses = true
    if [.point, .multipoint].contains(rows.schema.geometryKind), let field = table.folder?.nameField {
      layer.definition.labelDefinitions = KMLStyles.labels(of: field, table.styles)
    }
    return layer
  }

  /// Returns layers with ids of their own, whose common image has the blend mode and the effect of the document's layer.
  private func joined(_ layers: [WebMapLayer], _ entry: KMLEntry) -> [WebMapLayer] {
    var group = LayerGroup(.document(path), opacity: entry.opacity)
    (group.blendMode, group.effect) = (definition.blendMode, definition.effect)
    return layers.enumerated().map { index, written in
      var layer = written
      layer.id = "\(definition.id)_\(index)"
      (layer.definition.blendMode, layer.definition.effect) = (.normal, nil)
      layer.definition.groups.append(group)
      return layer
    }
  }

  private func warning(
    _ tables: [FileTable], _ layers: [WebMapLayer], _ entry: KMLEntry
  ) -> DocumentWarning? {
    guard definition.isVisible, !layers.contains(where: \.isVisible) else { return nil }
    let names = tables.compactMap { table in table.folder?.numbers.last.map { "\($0) \"\(table.name)\"" } }
    let list =
      names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " and \(names.count - 10) more" : "")
    let message =
      entry.visibleFolders.isEmpty
      ? "the file hides all its folders; list the numbers of those to show"
      : "no folder with placemarks is shown: it is not listed, or a folder around it is not"
    return DocumentWarning(path: path["visibleFolders"], message: "\(message); folders: \(list)")
  }
}

extension KMLEntry {
  /// Whether a folder is shown.
  ///
  /// - Source: design decision for the numbers: folders and documents are counted in the order of the file, from 0. The
  ///   web map specification says only that they are numbers.
  fileprivate func shows(_ folder: KMLFolder?) -> Bool {
    guard let folder else { return true }
    return visibleFolders.isEmpty
      ? !folder.isHidden : folder.numbers.dropFirst().allSatisfy(visibleFolders.contains)
  }
}
