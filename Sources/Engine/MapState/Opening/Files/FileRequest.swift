import MapFeatures
import MapGeometry
import MapReaders
import MapSystem

/// The use of the spatial indexes of files.
package enum IndexUse: Sendable {
  /// All rows are read, and none by an index.
  case none
  /// Questions about small extents are answered by the index of a large file, without reading all rows.
  ///
  /// It is for programs that ask once. An index that leaves out features gives answers without them.
  case answering
  /// As ``answering``, for questions that name values of fields: Parquet files exclude rows by their statistics.
  case filtering
  /// All rows are read and compared with the index.
  case checking
}

/// One of several shares of the row groups of a table, in the order of the rows.
package struct RowShare: Hashable, Sendable {
  /// The number of the share, from 0.
  package let index: Int
  /// The number of shares.
  package let count: Int

  /// Creates a share; nil unless `index` is from 0 to below `count`.
  package init?(index: Int, count: Int) {
    guard (0..<max(count, 0)).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }
}

/// A request for the tables of a file.
struct FileRequest {
  /// The layer, and with or without it the kind of its geometries, such as `roads/polyline`; nil for all.
  var fragment: String?
  var fields = FieldSelection.all
  var reading = ReadingOptions()
  /// The use of the file's spatial index.
  var indexUse = IndexUse.none
  /// Whether the rows are passed on and not kept, so that a large file is read in pieces.
  var passesRows = false
  /// The tables to read, if several are allowed; nil if the file must have one.
  var choice: LayerChoice?
  /// Whether a document names the file; options for CSV are then no error for files of other formats.
  var isOfDocument = false
  /// Whether geometries are read of a format that can leave them out.
  var readsGeometry = true
  /// The share of the row groups of Parquet files that is read; nil for all.
  var share: RowShare?
  /// Learns what each reading of Parquet files reads; nil learns nothing.
  var report: (@Sendable (String) -> Void)?
  /// The names of Parquet files, and of folders with some, that are left out of the table.
  var leftOut: [String] = []
  /// The folders that tiles and the files of a table may be in, also through links; nil for all.
  var folders: AllowedFolders?

  /// The fields to read: the requested ones and those of coordinates.
  var wanted: FieldSelection {
    fields.union(FieldSelection([reading.xField, reading.yField].compactMap { $0 }))
  }

  /// Refuses options for CSV for a source of another format, unless a document names it.
  ///
  /// - Parameter isSheet: whether it is a spreadsheet, which has a decimal sign.
  func refuseDialect(_ path: String, isSheet: Bool = false) throws(MapStateError) {
    let options = reading.dialectOptions.filter { !isSheet || $0 != "--decimal" }
    guard !isOfDocument, let option = options.first else { return }
    throw MapStateError(.usage, "\(path): \(option) has no use: it is for CSV, which this source is not")
  }

  /// Returns the tables that the fragment names, or all.
  func chosen(_ tables: [FileTable], _ path: String) throws(MapStateError) -> [FileTable] {
    let tables = tables.map { $0.noting(reading) }
    let list = tables.map { "\"\($0.name)\"" }.joined(separator: ", ")
    guard let fragment else {
      guard tables.count == 1 || choice != nil else {
        throw MapStateError(
          .input,
          "\(path): contains \(tables.count) layers: \(list); name one after the path, as in file#layer")
      }
      return tables
    }
    let (layer, kind) = Self.parts(of: fragment, known: tables.map(\.name))
    let found = layer.map { layer in tables.filter { $0.name == layer } } ?? tables
    guard !found.isEmpty else {
      throw MapStateError(.input, "\(path): no layer named \"\(fragment)\"; available: \(list)")
    }
    return try found.map { table throws(MapStateError) in try table.of(kind, path) }
  }

  /// Divides a fragment into the name of a layer and a kind of geometry: `NAME/KIND`, or `NAME (KIND)` as in the titles
  /// of layers.
  static func parts(of fragment: String, known: [String]) -> (layer: String?, kind: GeometryKind?) {
    if known.contains(fragment) { return (fragment, nil) }
    for kind in [GeometryKind.point, .multipoint, .polyline, .polygon]
    where fragment.hasSuffix(" (\(kind.rawValue))") {
      return (String(fragment.dropLast(kind.rawValue.count + 3)), kind)
    }
    if let kind = GeometryKind(rawValue: fragment) { return (nil, kind) }
    guard let slash = fragment.lastIndex(of: "/"),
      let kind = GeometryKind(rawValue: String(fragment[fragment.index(after: slash)...]))
    else { return (fragment, nil) }
    return (String(fragment[..<slash]), kind)
  }
}

extension ReadingOptions {
  /// The names of the options of the tool that are given.
  package var optionNames: [String] {
    [
      ("--source-reference", sourceReference != nil), ("--x", xField != nil), ("--y", yField != nil),
      ("--encoding", encoding != nil), ("--skip-bad-rows", skipsBadRows), ("--tile-zoom", tileZoom != nil),
    ].filter(\.1).map(\.0) + dialectOptions
  }

  /// The names of the given options that are for CSV; sheets have a decimal sign, too.
  var dialectOptions: [String] {
    [("--delimiter", delimiter != nil), ("--decimal", decimalSign != nil)].filter(\.1).map(\.0)
  }
}

extension MapStateError {
  /// Runs a body that reads a file; errors that do not name the file get its path.
  static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(MapStateError) -> Value {
    do { return try body() } catch let error as MapStateError {
      throw error
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }
}
