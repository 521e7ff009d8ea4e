import MapDocuments
import MapFeatures
import MapGeometry
import MapModel
import MapReaders
import MapSystem

/// The notes, warnings and files of joins.
struct JoinMessages {
  var notes: [String] = []
  var warnings: [String] = []
  /// The files of the tables.
  var inputs: [String] = []

  /// The warnings as those of a document.
  var documentWarnings: [DocumentWarning] {
    warnings.map { DocumentWarning(path: nil, message: $0, outcome: .drawn) }
  }
}

/// The mark of errors of joins, which a skipped layer must not hide.
struct JoinFailure: Error {}

/// A join with its table.
private struct OpenedJoin {
  /// The table in messages.
  let name: String
  let join: TableJoin
  let warnings: [String]
}

extension SourceCatalog {
  /// The use of indexes for a table that may be joined: all rows are read then.
  var indexUseOfJoined: IndexUse { joins.isEmpty || indexUse == .checking ? indexUse : .none }

  /// Returns the tables of a file with the columns of the tables that are joined to them.
  ///
  /// - Throws: ``MapStateError``.
  func joined(
    _ tables: [FileTable], path: String
  ) async throws(MapStateError) -> (tables: [FileTable], messages: JoinMessages) {
    guard !joins.isEmpty else { return (tables, JoinMessages()) }
    // Names mean a table, or the layer of one kind of its geometries.
    var names: [(title: String, id: String)] = []
    var tableOfLayer: [Int] = []
    for (index, table) in tables.enumerated() {
      let kinds = table.columns.map { $0.tablesByKind().compactMap(\.schema.geometryKind) } ?? []
      for title in kinds.count > 1 ? kinds.map({ "\(table.name) (\($0.rawValue))" }) : [table.name] {
        names.append((title, title))
        tableOfLayer.append(index)
      }
    }
    for (index, table) in tables.enumerated() where !names.contains(where: { $0.title == table.name }) {
      names.append((table.name, table.name))
      tableOfLayer.append(index)
    }
    let resolved = try joins.resolved(LayerNames(layers: names), tableOfLayer: tableOfLayer)
    var (joined, messages) = (tables, JoinMessages())
    for join in resolved where tables[join.layer].columns != nil {
      let opened = try await open(join, &messages)
      guard let columns = joined[join.layer].columns else { continue }
      let table = try Self.apply(opened, to: columns, layer: tables[join.layer].name, &messages)
      joined[join.layer].columns = table
    }
    return (joined, messages)
  }

  /// Returns the table of a layer with the columns of the tables that are joined to it; the rows of a service are
  /// fetched, and filters are then evaluated locally.
  ///
  /// - Throws: ``MapStateError``.
  func joined(
    _ source: any FeatureSource, layer name: String, _ resolved: [ResolvedJoin],
    _ messages: inout JoinMessages
  ) async throws(MapStateError) -> any FeatureSource {
    guard !resolved.isEmpty else { return source }
    var table: FeatureColumns
    if let memory = source.inMemory {
      table = memory.columns()
    } else {
      do { table = try await source.whole().columns() } catch { throw MapStateError(error) }
      messages.notes.append(
        "layer \"\(name)\": all \(table.rowCount) features are fetched for the join; filters are evaluated locally"
      )
    }
    for join in resolved {
      table = try Self.apply(try await open(join, &messages), to: table, layer: name, &messages)
    }
    var joined = try InMemorySource(table, path: name)
    joined.metadata = source.metadata
    return joined
  }

  private static func apply(
    _ opened: OpenedJoin, to table: FeatureColumns, layer: String, _ messages: inout JoinMessages
  ) throws(MapStateError) -> FeatureColumns {
    do throws(TableJoinError) {
      let (joined, report) = try opened.join.joined(to: table)
      messages.notes += report.notes(layer: layer, table: opened.name)
      messages.warnings += opened.warnings + report.warnings(layer: layer, table: opened.name)
      return joined
    } catch {
      throw MapStateError(
        .input, "join \(opened.name): \(error)", suggestion: error.suggestion, cause: JoinFailure())
    }
  }

  /// Reads the table of a join.
  private func open(
    _ join: ResolvedJoin, _ messages: inout JoinMessages
  ) async throws(MapStateError) -> OpenedJoin {
    let table: FeatureColumns
    var title: String
    do throws(MapStateError) {
      if SourceAddress.scheme(of: join.place) != nil {
        let (source, name) = try await openNamed(join.place)
        do { table = try await source.whole().columns() } catch { throw MapStateError(error) }
        let (address, fragment) = Self.fileAddress(join.place)
        // The name of a file is that of its copy on this machine.
        title =
          Self.isServedFile(join.place)
          ? fragment ?? FilePath.stem(of: SourceAddress.shown(address)) : name
      } else {
        let (path, fragment) = SourceAddress.split(join.place, folder: ".")
        table = try columns(path, fragment)
        title = fragment ?? (path == "-" ? "table" : FilePath.stem(of: path))
        if path != "-" { messages.inputs.append(path) }
      }
    } catch {
      // Most errors begin with the file.
      let file = SourceAddress.shown(join.file)
      let text = error.description.hasPrefix(file) ? "join \(error)" : "join \(file): \(error)"
      throw MapStateError(error.kind, text, suggestion: error.suggestion, cause: JoinFailure())
    }
    if title.isEmpty { title = "table" }
    let shown = FilePath.name(of: SourceAddress.shown(join.file))
    let warnings = table.warnings.filter { !$0.hasPrefix("no spatial reference is given") }
    return OpenedJoin(
      name: shown,
      join: TableJoin(
        table: table, name: title, key: join.key, field: join.field, takesFirst: joins.takesFirst),
      warnings: warnings.map { "join \(shown): \($0)" })
  }

  /// Returns the rows of the only table in a file.
  private func columns(_ path: String, _ fragment: String?) throws(MapStateError) -> FeatureColumns {
    // The options for coordinates are those of the layer.
    var options = ReadingOptions()
    options.skipsBadRows = reading.skipsBadRows
    let bytes: [UInt8]?
    if path == "-" {
      guard joins.readsStandardInput else {
        throw MapStateError(.input, "-: a table to join must be a file, not standard input")
      }
      do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    } else {
      bytes = nil
    }
    func read(_ options: ReadingOptions) throws(MapStateError) -> FeatureColumns {
      let request = FileRequest(fragment: fragment, reading: options)
      let tables =
        if let bytes {
          try Self.tables(bytes: bytes, name: "standard input", request)
        } else {
          try Self.tables(path, request)
        }
      guard let table = tables.first?.columns else {
        throw MapStateError(.input, "\(path): contains no table")
      }
      return table
    }
    do throws(MapStateError) { return try read(options) } catch {
      // An encoding is meant for the file of the layer, for that of the table, or for both.
      guard reading.encoding != nil else { throw error }
      options.encoding = reading.encoding
      return try read(options)
    }
  }
}
