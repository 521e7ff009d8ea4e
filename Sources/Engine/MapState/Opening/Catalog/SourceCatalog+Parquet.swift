import MapFeatures
import MapReaders
import MapSystem

/// Parquet files that are one table: those of a folder, or those that a pattern names.
///
/// - Source: folders named `key=value`, as Hive, Spark, DuckDB and pyarrow write them.
extension SourceCatalog {
  /// The limits of the search: files, names that are looked at, and the depth of folders.
  ///
  /// - Source: design decision.
  static let mostFiles = 10_000
  private static let mostNames = 200_000, deepest = 16

  /// Returns the table of the files of a folder or pattern; nil for another path, and for a folder without such files.
  ///
  /// - Throws: ``MapStateError``.
  static func parquetTables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable]? {
    var leftOut: [String] = []
    guard let found = try parquetFiles(path, request.folders, leftOut: &leftOut) else { return nil }
    try request.refuseDialect(path)
    let files = try found.map { file throws(MapStateError) in
      do { return try file.opened() } catch { throw MapStateError(error) }
    }
    var request = request
    request.leftOut = leftOut
    return try parquetTables(path, files, request)
  }

  /// Returns the table in Parquet files, which is read in part if the files are large and have boxes.
  ///
  /// - Throws: ``MapStateError``.
  static func parquetTables(
    _ path: String, _ files: [ParquetTable.File], _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    let size = files.reduce(0) { $0 + $1.size }
    var partly = request
    if request.indexUse == .filtering { partly.indexUse = .answering }
    partly.readsGeometry = true
    let indexed = try indexedTable(path, partly, size: size) { [partly] all in
      // Reading the whole table reports the faults of its files.
      guard let table = try? ParquetTable(path, files, partly, ReadingOptions()) else { return nil }
      let name = FilePath.stem(of: path)
      guard !request.readsGeometry else { return IndexedParquet(table, name: name, all: all) }
      return IndexedParquet(table, name: name) {
        let columns = try ParquetTable(path, files, request, ReadingOptions()).read()
        return try InMemorySource(columns.withEmptyGeometries(of: table.geometrySchema), path: path)
      }
    }
    if let indexed { return [indexed] }
    return try FileTable.parquet(path, files, request)
  }

  /// Refuses a source whose rows cannot be read in shares of row groups.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  package static func checkShares(_ path: String) throws(MapStateError) {
    if case .file(let head) = FileAccess.look(at: path), ParquetReader.looksLikeParquet(head) { return }
    let ending = FilePath.pathExtension(of: SourceAddress.shown(path))
    if isServedFile(path), path.hasSuffix("/") || parquetEndings.contains(ending) { return }
    var leftOut: [String] = []
    guard try parquetFiles(path, nil, leftOut: &leftOut) == nil else { return }
    throw withoutShares(SourceAddress.shown(path))
  }

  /// Returns the error for a source whose rows cannot be read in shares.
  static func withoutShares(_ path: String) -> MapStateError {
    MapStateError(
      .usage, "\(path): cannot be read in shares of row groups, because it is not Parquet; use --ordinal")
  }

  /// A file of a table, with its name in messages and the values of its folders.
  private struct Found {
    let path: String
    let name: String
    let values: [(name: String, value: String?)]

    /// Returns the file with its size; it is opened for each reading, because of many files few can stay open.
    func opened() throws(FileError) -> ParquetTable.File {
      let size = try RandomAccessFile(path).size
      return ParquetTable.File(
        name: name, size: size, values: values, bytes: { [path] in try RandomAccessFile(path).bytes($0) })
    }
  }

  /// Returns the files of a folder or pattern in the order of their names; nil for another path.
  ///
  /// - Parameter leftOut: learns the names of files of rows, and of folders with some, that are set aside.
  private static func parquetFiles(
    _ path: String, _ allowed: AllowedFolders?, leftOut: inout [String]
  ) throws(MapStateError) -> [Found]? {
    let base: String
    let pattern: [Substring]
    if case .folder = FileAccess.look(at: path) {
      guard FilePath.pathExtension(of: path) != "gdb" else { return nil }
      (base, pattern) = (path, ["**"])
    } else {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard path != "-", !FileAccess.exists(path), let first = parts.firstIndex(where: isPattern) else {
        return nil
      }
      base =
        first == 0
        ? "." : parts[..<first].joined(separator: "/") + (first == 1 && path.first == "/" ? "/" : "")
      pattern = Array(parts[first...])
    }
    var names = mostNames
    let isFolder = pattern == ["**"]
    var found = try files(base, "", pattern[...], &names, &leftOut).filter { !isFolder || isNamedParquet($0) }
    // Another part of the pattern may name what a `**` leaves out.
    let read = Set(
      found.flatMap { name in
        name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) } + [name]
      })
    leftOut = Set(leftOut).subtracting(read).sorted()
    guard !isFolder || !found.isEmpty else { return nil }
    guard !found.isEmpty else { throw MapStateError(.input, "\(path): names no file") }
    guard found.count <= mostFiles else {
      throw MapStateError(.input, "\(path): has \(found.count) files; a table has at most \(mostFiles)")
    }
    found.sort()
    return try found.map { name throws(MapStateError) in
      let file = FilePath.join(base, name)
      guard allowed?.contains(file) ?? true else {
        throw MapStateError(.input, "\(file): \(AllowedFolders.refusal)")
      }
      guard case .file(let head) = FileAccess.look(at: file), ParquetReader.looksLikeParquet(head) else {
        throw MapStateError(
          .input,
          "\(file): is not a Parquet file; several files are read as one table only if all are Parquet")
      }
      return Found(path: file, name: name, values: values(of: name))
    }
  }

  private static func isPattern(_ part: Substring) -> Bool { part.contains { $0 == "*" || $0 == "?" } }

  /// The endings of the names of Parquet files.
  static let parquetEndings: Set<String> = ["parquet", "geoparquet", "parq", "pq"]

  /// Whether a name below a folder is that of a file of rows.
  static func isNamedParquet(_ name: String) -> Bool {
    hasParquetEnding(name) && !name.split(separator: "/").contains(where: isSetAside)
  }

  static func hasParquetEnding(_ name: String) -> Bool {
    parquetEndings.contains(FilePath.pathExtension(of: name))
  }

  /// Whether programs leave out files and folders of such a name, in which they keep logs, statistics and parts of
  /// unfinished work.
  static func isSetAside(_ name: Substring) -> Bool { name.first == "_" || name.first == "." }

  /// Returns the files below a folder that a pattern names; `**` are any folders.
  private static func files(
    _ base: String, _ folder: String, _ pattern: ArraySlice<Substring>, _ left: inout Int,
    _ leftOut: inout [String], depth: Int = 0
  ) throws(MapStateError) -> [String] {
    guard let part = pattern.first, depth <= deepest else { return [] }
    let names: [String]
    do { names = try FileAccess.names(in: folder.isEmpty ? base : FilePath.join(base, folder)) } catch {
      throw MapStateError(error)
    }
    left -= names.count
    guard left >= 0 else {
      throw MapStateError(.input, "\(base): has more than \(mostNames) names to look at")
    }
    let isAny = part == "**"
    var found: [String] = []
    for name in names where isAny || matches(name[...], part) {
      let below = folder.isEmpty ? name : folder + "/" + name
      if isAny, isSetAside(name[...]) {
        if holdsParquet(FilePath.join(base, below), &left) { leftOut.append(below) }
        continue
      }
      switch FileAccess.look(at: FilePath.join(base, below)) {
      case .folder:
        found += try files(
          base, below, isAny ? pattern : pattern.dropFirst(), &left, &leftOut, depth: depth + 1)
      case .file where pattern.count == 1: found.append(below)
      default: break
      }
    }
    // Any folders are also none.
    if isAny, pattern.count > 1 {
      found += try files(base, folder, pattern.dropFirst(), &left, &leftOut, depth: depth + 1)
    }
    return depth == 0 ? Array(Set(found)) : found
  }

  /// Whether a path is that of a Parquet file, or of a folder with one.
  private static func holdsParquet(_ path: String, _ left: inout Int) -> Bool {
    if hasParquetEnding(path) { return true }
    // A file has no names.
    let names = (try? FileAccess.names(in: path)) ?? []
    left -= names.count
    return names.contains(where: hasParquetEnding)
  }

  /// Whether a name fits a pattern of letters, `?` for one and `*` for any number of them.
  private static func matches(_ name: Substring, _ pattern: Substring) -> Bool {
    let (name, pattern) = (Array(name), Array(pattern))
    guard pattern.first == "." || name.first != "." else { return false }
    // For each length of the name, whether the pattern so far fits.
    var fits = [true] + [Bool](repeating: false, count: name.count)
    for letter in pattern {
      var next = [Bool](repeating: false, count: fits.count)
      for length in fits.indices {
        if letter == "*" {
          next[length] = fits[length] || (length > 0 && next[length - 1])
        } else if length > 0, letter == "?" || letter == name[length - 1] {
          next[length] = fits[length - 1]
        }
      }
      fits = next
    }
    return fits[name.count]
  }

  /// Returns the values of the folders of a file that are named `key=value`.
  static func values(of name: String) -> [(name: String, value: String?)] {
    name.split(separator: "/").dropLast().compactMap { folder in
      guard let sign = folder.firstIndex(of: "="), sign > folder.startIndex else { return nil }
      let value = decoded(folder[folder.index(after: sign)...])
      return (decoded(folder[..<sign]), value == "__HIVE_DEFAULT_PARTITION__" ? nil : value)
    }
  }

  /// Returns a text whose percent signs are followed by the hexadecimal digits of bytes.
  private static func decoded(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
