import MapJSON
public import MapState

/// The last report's pictures, to be taken as references: what was looked at, and not what would be drawn now.
public struct SnapshotAcceptance: Sendable {
  private let folder: String
  private let root: String
  /// The cases that failed with a picture, in order.
  public let names: [String]

  /// Reads a report of cases below `root`.
  ///
  /// - Throws: `MapError` when there is no report or it is of another folder.
  public init(reportFolder: String, root: String) throws(MapError) {
    (folder, self.root) = (
      reportFolder, root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    )
    let path = "\(reportFolder)/report.json"
    do {
      let report = JSONNode(try JSONValue(parsing: FileAccess.read(path)))
      let other = try report.required("root").string()
      guard FileAccess.realPath(other) == FileAccess.realPath(self.root) else {
        throw MapError(.input, "\(path) is of the cases in \(other), not in \(self.root)")
      }
      names = try report.elements("cases").filter { $0["accept"] != nil }.map {
        try $0.required("name").string()
      }
    } catch let error as FileError {
      throw MapError(
        .input, "\(error); verify with --report-dir writes the report that accept takes from")
    } catch let error as MapError {
      throw error
    } catch {
      throw MapError(.input, "\(path): \(error)")
    }
  }

  /// Makes what the report shows of a case its reference.
  ///
  /// - Throws: `MapError` when the report has no picture of it, or a file cannot be written.
  public func accept(_ name: String) throws(MapError) {
    guard names.contains(name) else {
      let list = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw MapError(.input, "there is nothing to accept of \"\(name)\" in \(folder); there is \(list)")
    }
    guard FileAccess.exists("\(root)/\(name)/case.json") else {
      throw MapError(.input, "there is no case \"\(name)\" in \(root) any more")
    }
    // Read whole, so that a report that was cleared half leaves the reference as it was.
    guard let reference = try SnapshotReference(in: "\(folder)/cases/\(name)") else {
      throw MapError(.input, "\(folder)/cases/\(name) holds no picture any more; verify again")
    }
    try reference.write(to: "\(root)/\(name)")
  }
}
