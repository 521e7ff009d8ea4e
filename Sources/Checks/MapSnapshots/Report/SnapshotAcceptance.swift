import MapJSON
public import MapState
import MapSystem

/// The images of the last report, to be accepted as reference images: the reviewed ones, not newly drawn ones.
public struct SnapshotAcceptance: Sendable {
  private let folder: String
  private let root: String
  /// The names of the failed cases with an image, in order.
  public let names: [String]

  /// Reads a report of the cases below `root`.
  ///
  /// - Throws: `MapStateError` if there is no report, or if it belongs to another folder.
  public init(reportFolder: String, root: String) throws(MapStateError) {
    (folder, self.root) = (
      reportFolder, root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    )
    let path = "\(reportFolder)/report.json"
    do {
      let report = JSONNode(try JSONValue(parsing: FileAccess.read(path)))
      let other = try report.required("root").string()
      guard FileAccess.realPath(other) == FileAccess.realPath(self.root) else {
        throw MapStateError(.input, "\(path) reports the cases in \(other), not in \(self.root)")
      }
      names = try report.elements("cases").filter { $0["accept"] != nil }.map {
        try $0.required("name").string()
      }
    } catch let error as FileError {
      throw MapStateError(
        .input, "\(error); run verify with --report-dir first, which writes the report")
    } catch let error as MapStateError {
      throw error
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
  }

  /// Makes the image of a case in the report its reference image, and returns the name of the case.
  ///
  /// - Parameter asked: the path below the folder of cases, or another name as for `verify`.
  /// - Throws: `MapStateError` if the report has no image of the case, or if a file cannot be written.
  @discardableResult
  public func accept(_ asked: String) throws(MapStateError) -> String {
    guard let name = SnapshotCase.known(asked, among: names, in: root) else {
      let list = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw MapStateError(.input, "no image of \"\(asked)\" to accept in \(folder); available: \(list)")
    }
    guard FileAccess.exists("\(root)/\(name)/case.json") else {
      throw MapStateError(.input, "case \"\(name)\" no longer exists in \(root)")
    }
    // All files are read first, so that an incomplete report leaves the reference files unchanged.
    guard let reference = try SnapshotReference(in: "\(folder)/cases/\(name)") else {
      throw MapStateError(.input, "\(folder)/cases/\(name) no longer contains an image; verify again")
    }
    try reference.write(to: "\(root)/\(name)")
    return name
  }
}
