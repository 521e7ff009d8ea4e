public import MapImages
public import MapState

extension SnapshotCase {
  /// The names of all cases below a folder, in order, or those given when they are there.
  ///
  /// - Throws: `MapError` when the folder cannot be listed or a name is not there.
  public static func names(in root: String, named names: [String] = []) throws(MapError) -> [String] {
    let found = try folders(in: root).filter { FileAccess.exists("\(root)/\($0)/case.json") }
    for name in names where !found.contains(name) {
      let list = found.isEmpty ? "none" : found.joined(separator: ", ")
      throw MapError(.input, "there is no case \"\(name)\" in \(root); there are \(list)")
    }
    return names.isEmpty ? found : names
  }

  /// The folders below a folder that hold a reference and no case.
  ///
  /// - Throws: `MapError` when the folder cannot be listed.
  public static func orphans(in root: String) throws(MapError) -> [String] {
    try folders(in: root).filter { name in
      !FileAccess.exists("\(root)/\(name)/case.json")
        && SnapshotReference.fileNames.contains { FileAccess.exists("\(root)/\(name)/\($0)") }
    }
  }

  private static func folders(in root: String) throws(MapError) -> [String] {
    do { return try FileAccess.folders(below: root).sorted() } catch { throw MapError(error) }
  }

  /// A case by its path below a folder of cases.
  ///
  /// - Throws: `MapError` when it cannot be read.
  public init(_ name: String, in root: String) throws(MapError) {
    try self.init(folder: root.hasSuffix("/") ? root + name : "\(root)/\(name)", name: name)
  }

  /// All cases below a folder, by name, or those named.
  ///
  /// - Throws: `MapError` when the folder cannot be listed, a name is not there, or a case cannot be read.
  public static func all(in root: String, named names: [String] = []) throws(MapError) -> [SnapshotCase] {
    var cases: [SnapshotCase] = []
    for name in try self.names(in: root, named: names) { cases.append(try SnapshotCase(name, in: root)) }
    return cases
  }

  /// True when the whole of a reference is there.
  public var hasReference: Bool {
    SnapshotReference.fileNames.allSatisfy { FileAccess.exists("\(folder)/\($0)") }
  }

  /// The reference picture; nil when there is none.
  ///
  /// - Throws: `MapError` when it is no picture, or its other files are not of it.
  public func reference() throws(MapError) -> Bitmap? { try SnapshotReference(in: folder)?.picture }
}
