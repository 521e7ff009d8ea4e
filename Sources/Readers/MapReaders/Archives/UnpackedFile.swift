import MapSystem

/// The file of features in a zip archive or gzip file, unpacked into a private folder.
///
/// The folder is removed when the last copy of this value is released.
package struct UnpackedFile: Sendable {
  /// The absolute path of the unpacked file or folder.
  package let path: String
  /// The name of a layer in the file; nil if none was given.
  package let layer: String?
  private let archive: String
  private let folder: PrivateFolder

  /// Unpacks the file of features with the files that belong to it; nil if the path is not an archive.
  ///
  /// - Parameters:
  ///   - path: the archive, recognised by its first bytes.
  ///   - head: the first bytes of the archive.
  ///   - fragment: the file in the archive, as path, file name or stem, with `/` and a layer in the file if it has
  ///     several; or only a layer, if the archive has one file of features.
  /// - Throws: ``ArchiveError``, `FileError`.
  package init?(_ path: String, head: [UInt8], fragment: String?) throws {
    guard Self.isArchive(head) else { return nil }
    archive = path
    folder = try PrivateFolder()
    if GzipFile.looksLikeGzip(head) {
      let name = FilePath.name(of: path)
      let file = try RandomAccessFile(path)
      let isNamed = ["gz", "tgz"].contains(FilePath.pathExtension(of: path))
      self.path = try folder.write(isNamed ? FilePath.stem(of: name) : name) {
        try GzipFile.decode(file, $0)
      }
      layer = fragment
      return
    }
    let zip = try ZipArchive(RandomAccessFile(path))
    let (file, layer) = try Self.choice(Self.files(in: zip.entries.map(\.name)), fragment)
    let isFolder = !zip.entries.contains { $0.name == file }
    let stem =
      isFolder
      ? file + "/"
      : FilePath.join(FilePath.folder(of: file), FilePath.name(of: file).prefix { $0 != "." } + ".")
    for entry in zip.entries where entry.name == file || entry.name.lowercased().hasPrefix(stem.lowercased())
    {
      _ = try folder.write(entry.name) { try zip.read(entry, $0) }
    }
    (self.path, self.layer) = (FilePath.join(folder.path, file), layer)
  }

  /// Returns whether the first bytes of a file are those of an archive.
  package static func isArchive(_ head: [UInt8]) -> Bool {
    ZipArchive.looksLikeZip(head) || GzipFile.looksLikeGzip(head)
  }

  /// Returns a message with the place in the archive instead of the private folder.
  package func message(_ text: String) -> String {
    text.split(separator: folder.path + "/", omittingEmptySubsequences: false).joined(
      separator: archive + ": ")
  }

  /// Returns the files and folders of features among the names of entries.
  ///
  /// Files that are often documentation count only if there are no others.
  package static func files(in names: [String]) -> [String] {
    var found: [[String]] = [[], []]
    for name in names {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      if parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }) { continue }
      if let place = parts.firstIndex(where: { $0.lowercased().hasSuffix(".gdb") }), place < parts.count - 1 {
        let folder = parts[...place].joined(separator: "/")
        if !found[0].contains(folder) { found[0].append(folder) }
        continue
      }
      let ending = FilePath.pathExtension(of: name)
      if endings.contains(ending) { found[0].append(name) }
      if ["json", "txt", "xml"].contains(ending) { found[1].append(name) }
    }
    return found.first { !$0.isEmpty } ?? []
  }

  /// The endings of readable files; the other files of a format, such as `.dbf`, follow them.
  private static let endings: Set<String> = [
    "arrow", "arrows", "csv", "feather", "fgb", "geojson", "geojsonl", "gml", "gpkg", "gpx", "kml", "mif",
    "ndjson", "osm", "pbf", "shp",
    "sqlite",
    "tab", "topojson", "tsv",
  ]

  /// Returns the file that a fragment names, or the only one, and the layer in it.
  package static func choice(
    _ files: [String], _ fragment: String?
  ) throws(ArchiveError) -> (file: String, layer: String?) {
    if let fragment {
      // A path names one file; a file name or a stem may name several.
      let names: [(String) -> String] = [{ $0 }, FilePath.name(of:), FilePath.stem(of:)]
      for name in names {
        let found = files.filter { name($0) == fragment || fragment.hasPrefix(name($0) + "/") }
        guard found.count < 2 else {
          throw ArchiveError(
            "\(found.count) files in the archive are named \"\(fragment)\": "
              + "\(found.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ")); name one with its folder")
        }
        guard let file = found.first else { continue }
        return (file, name(file) == fragment ? nil : String(fragment.dropFirst(name(file).count + 1)))
      }
    }
    // A KMZ file has one main file, and its other files are linked from it.
    if let file = files.first(where: { $0.lowercased() == "doc.kml" })
      ?? (files.count == 1 ? files.first : nil)
    {
      return (file, fragment)
    }
    guard !files.isEmpty else { throw ArchiveError("the archive contains no file of features") }
    let list = files.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = files.count > 30 ? " and \(files.count - 30) more" : ""
    if let fragment {
      throw ArchiveError("no file \"\(fragment)\" in the archive; available: \(list)\(more)")
    }
    throw ArchiveError(
      "the archive contains \(files.count) files of features: \(list)\(more); name one after the path, as in "
        + "archive.zip#file")
  }
}
