public import MapImages
public import MapState
import MapSystem

extension SnapshotCase {
  /// Returns the names of all cases below a folder, in order, or the given names if they exist.
  ///
  /// A case has several names: the path below the folder, a path to the case or its `case.json`, and the name with dots
  /// of JUnit reports.
  /// - Throws: `MapStateError` if the folder cannot be listed or a name does not exist.
  public static func names(in root: String, named names: [String] = []) throws(MapStateError) -> [String] {
    let found = try folders(in: root).filter { FileAccess.exists("\(root)/\($0)/case.json") }
    return names.isEmpty
      ? found
      : try names.map { name throws(MapStateError) in
        guard let known = known(name, among: found, in: root) else {
          let list = found.isEmpty ? "none" : found.joined(separator: ", ")
          throw MapStateError(.input, "no case named \"\(name)\" in \(root); available: \(list)")
        }
        return known
      }
  }

  /// Returns the name of the case that a user means; nil if there is none.
  static func known(_ name: String, among names: [String], in root: String) -> String? {
    if names.contains(name) { return name }
    var path = name
    for ending in ["/case.json", "/"] where path.hasSuffix(ending) { path.removeLast(ending.count) }
    let folders = [path, FilePath.join(root, path)].compactMap { FileAccess.realPath($0) }
    if let own = FileAccess.realPath(root) {
      for folder in folders where folder.hasPrefix(own == "/" ? own : own + "/") {
        let below = String(folder.dropFirst(own.count).drop { $0 == "/" })
        if names.contains(below) { return below }
      }
    }
    let dotted = names.filter { $0.replacing("/", with: ".") == name }
    return dotted.count == 1 ? dotted[0] : nil
  }

  /// Returns the folders below a folder that contain reference files but no case.
  ///
  /// - Throws: `MapStateError` if the folder cannot be listed.
  public static func orphans(in root: String) throws(MapStateError) -> [String] {
    try folders(in: root).filter { name in
      !FileAccess.exists("\(root)/\(name)/case.json")
        && SnapshotReference.fileNames.contains { FileAccess.exists("\(root)/\(name)/\($0)") }
        && !isOther(name, in: root)
    }
  }

  private static func folders(in root: String) throws(MapStateError) -> [String] {
    do {
      let folders = try FileAccess.folders(below: root).sorted()
      for folder in [root] + folders.map({ "\(root)/\($0)" }) {
        // Bytes that are no UTF-8 became the replacement character, so no file has that name.
        for name in try FileAccess.names(in: folder)
        where name.contains("\u{FFFD}") && !FileAccess.exists("\(folder)/\(name)") {
          throw MapStateError(.input, "\(folder)/\(name): the name is not in UTF-8; rename it")
        }
      }
      return folders
    } catch {
      throw MapStateError(error)
    }
  }

  /// Reads a case by its path below a folder of cases.
  ///
  /// - Throws: `MapStateError` if it cannot be read.
  public init(_ name: String, in root: String) throws(MapStateError) {
    try self.init(folder: root.hasSuffix("/") ? root + name : "\(root)/\(name)", name: name)
  }

  /// Reads all cases below a folder, or those with the given names.
  ///
  /// - Throws: `MapStateError` if the folder cannot be listed, a name does not exist, or a case cannot be read.
  public static func all(in root: String, named names: [String] = []) throws(MapStateError) -> [SnapshotCase]
  {
    var cases: [SnapshotCase] = []
    for name in try self.names(in: root, named: names) { cases.append(try SnapshotCase(name, in: root)) }
    return cases
  }

  /// Whether all reference files exist.
  public var hasReference: Bool {
    SnapshotReference.fileNames.allSatisfy { FileAccess.exists("\(folder)/\($0)") }
  }

  /// Returns the reference image; nil if there is none.
  ///
  /// - Throws: `MapStateError` if it is not an image, or if the other reference files do not match it.
  public func reference() throws(MapStateError) -> Bitmap? { try SnapshotReference(in: folder)?.picture }
}
