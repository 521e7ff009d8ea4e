import MapJSON
import MapScript
import MapState
import MapSystem

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
