public import MapImages
public import MapState
import MapSystem

extension SnapshotCase {
  /// Returns the names of all cases below a folder, in order, or the given names if they exist.
  ///
  /// - Throws: `MapStateError` if the folder cannot be listed or a name does not exist.
  public static func names(in root: String, named names: [String] = []) throws(MapStateError) -> [String] {
    let found = try folders(in: root).filter { FileAccess.exists("\(root)/\($0)/case.json") }
    for name in names where !found.contains(name) {
      let list = found.isEmpty ? "none" : found.joined(separator: ", ")
      throw MapStateError(.input, "no case named \"\(name)\" in \(root); available: \(list)")
    }
    return names.isEmpty ? found : names
  }

  /// Returns the folders below a folder that contain reference files but no case.
  ///
  /// - Throws: `MapStateError` if the folder cannot be listed.
  public static func orphans(in root: String) throws(MapStateError) -> [String] {
    try folders(in: root).filter { name in
      !FileAccess.exists("\(root)/\(name)/case.json")
        && SnapshotReference.fileNames.contains { FileAccess.exists("\(root)/\(name)/\($0)") }
    }
  }

  private static func folders(in root: String) throws(MapStateError) -> [String] {
    do { return try FileAccess.folders(below: root).sorted() } catch { throw MapStateError(error) }
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
