import MapJSON
import MapScript
import MapState
import MapSystem

/// A further reference that a case accepts, in a folder of the case's folder.
struct OtherReference: Hashable, Sendable {
  /// The name of the folder.
  let name: String
  /// The platform whose images it has.
  let platform: String
  /// The reason for it.
  let reason: String

  /// Reads a further reference of a case.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown(["folder", "platform", "reason"])
    name = try node.required("folder").string()
    platform = try node.required("platform").string()
    reason = try node.required("reason").string()
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw node.invalid("the folder of a reference must be in the case's folder")
    }
    guard !platform.isEmpty, !reason.isEmpty else {
      throw node.invalid("a further reference needs a \"platform\" and a \"reason\"")
    }
  }
}

extension SnapshotCase {
  /// Compares a drawn case with its further references; nil if it is equal to none of them.
  ///
  /// - Throws: `MapStateError`, also for a further reference that is missing.
  func judgeOthers(_ drawn: DrawnSnapshot) async throws(MapStateError) -> SnapshotResult? {
    for other in others {
      let path = "\(folder)/\(other.name)"
      guard let reference = try SnapshotReference(in: path) else {
        throw MapStateError(.input, "\(path): no reference; copy the files of the case in a report into it")
      }
      var result = try await judge(drawn, against: reference)
      guard result.outcome.isPass else { continue }
      result.notes.append("as the reference \(other.name) (\(other.platform)): \(other.reason)")
      return result
    }
    return nil
  }

  /// Returns whether a folder below the folder of cases contains a further reference of the case above it.
  static func isOther(_ name: String, in root: String) -> Bool {
    let folder = FilePath.folder(of: "\(root)/\(name)")
    guard let bytes = try? FileAccess.read("\(folder)/case.json"), let json = try? JSONValue(parsing: bytes)
    else { return false }
    return json["references"]?.array?.contains { $0["folder"]?.string == FilePath.name(of: name) } ?? false
  }
}
