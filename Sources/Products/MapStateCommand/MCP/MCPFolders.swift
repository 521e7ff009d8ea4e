import MapState
import MapSystem

/// The folders whose files the tools may open.
struct MCPFolders: Sendable {
  private let folders: [String]
  private let allowed: AllowedFolders
  /// The number of names that messages list.
  private static let listed = 100

  /// - Throws: `MapStateError` for a path that is not a folder.
  init(_ folders: [String]) throws(MapStateError) {
    do {
      for folder in folders { try FileAccess.checkFolder(folder) }
    } catch {
      throw MapStateError(error)
    }
    self.folders = folders
    allowed = AllowedFolders(folders)
  }

  /// Returns the path of a source that a caller names relative to one of the folders.
  ///
  /// A file outside the folders gets the same error as a missing one, so that a caller learns nothing about others.
  /// - Throws: `MapStateError` of kind input.
  func path(of source: String) throws(MapStateError) -> String {
    // The order of SourceAddress.split: the whole text, then the longest part before a #.
    let ends = source.indices.filter { source[$0] == "#" }.reversed()
    for folder in folders where !source.utf8.contains(0) {
      for end in [source.endIndex] + ends where end > source.startIndex {
        let path = FilePath.join(folder, String(source[..<end]))
        guard FileAccess.exists(path) else { continue }
        guard allowed.contains(path, allowsFolders: true) == true else { break }
        return path + source[end...]
      }
    }
    throw MapStateError(.input, "no file \"\(source)\" in the folders of this server; available: \(list)")
  }

  /// The names of the files and folders that can be opened, with a slash after folders.
  var list: String {
    var names: [String] = []
    for folder in folders {
      let found = ((try? FileAccess.names(in: folder)) ?? []).filter { name in
        !name.hasPrefix(".") && allowed.contains(FilePath.join(folder, name), allowsFolders: true) ?? false
      }
      names += found.sorted().map { name in
        let isFolder = (try? FileAccess.checkFolder(FilePath.join(folder, name))) != nil
        return MessageText.line(name) + (isFolder ? "/" : "")
      }
    }
    let rest = names.count - Self.listed
    return names.prefix(Self.listed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
