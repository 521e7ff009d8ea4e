import MapJSON
import MapScript
import MapSnapshots
import MapState
import MapSystem

/// The step `snapshot`, which only sessions of the C interface have.
extension MapSession {
  /// Performs the step in a JSON text in UTF-8.
  mutating func answer(toRequest bytes: [UInt8]) async -> Answer {
    // The session words the error of a text that is not JSON.
    guard let step = try? JSONValue(parsing: bytes) else { return await answer(toBytes: bytes) }
    guard step["step"] == "snapshot" else { return await answer(to: step) }
    do {
      try await compare(JSONNode(step))
      return Answer.done
    } catch {
      return Answer(MapStateError(error))
    }
  }

  /// Compares the view with the reference files in `folder`, or writes them if `record` is true.
  ///
  /// A difference is an error with the changes; `artifacts` names a folder that receives the images.
  private func compare(_ step: JSONNode) async throws {
    try step.refuseUnknown(["step", "folder", "record", "blank", "artifacts"])
    let folder = try step.required("folder").string()
    if let view { await view.load() }
    let drawn = try await drawnPage()
    let snapshot = try SnapshotCase(
      folder: folder, name: FilePath.stem(of: folder), isBlank: try step.boolean("blank") ?? false)
    if try step.boolean("record") ?? false {
      return try await snapshot.record(drawn.page, drawn.layout)
    }
    let result = await snapshot.verify(drawn.page, drawn.layout)
    guard result.outcome.isFailure else { return }
    if let artifacts = try step.string("artifacts"), let pictures = result.pictures {
      let files = [
        ("expected.png", pictures.expected), ("actual.png", pictures.actual),
        ("difference.png", pictures.difference),
      ]
      try FileAccess.makeFolder(artifacts)
      try FileAccess.write(files.compactMap { name, bytes in bytes.map { ($0, "\(artifacts)/\(name)") } })
    }
    throw MapStateError(.expectation, result.text)
  }
}
