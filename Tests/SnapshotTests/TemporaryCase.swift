import Foundation
import MapImages
import MapSnapshots

/// A folder with one case, `made/case`, removed after the test.
final class TemporaryCase {
  let root: String

  /// A case of 8 by 6 pixels that paints one red square marker of 4 by 4 pixels in the middle of white.
  ///
  /// `members` are inserted into `case.json` unchanged.
  init(_ members: String = "", size: String = "[8, 6]") throws {
    root = FileManager.default.temporaryDirectory.appending(path: "mapstate-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(members, size: size)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var folder: String { "\(root)/made/case" }
  var reference: String { "\(folder)/reference.png" }

  /// The case as it currently is in its file.
  func read() throws -> SnapshotCase { try SnapshotCase("made/case", in: root) }

  /// Rewrites `case.json`.
  func write(
    _ members: String, size: String = "[8, 6]", center: String = "center", color: String = "[255, 0, 0]"
  ) throws {
    let text = """
      {"size": \(size), "viewpoint": {"\(center)": {"x": 0, "y": 0}, "scale": 3779.52}, \(members)
       "map": {"operationalLayers": [{"featureCollection": {"layers": [{
         "layerDefinition": {"geometryType": "esriGeometryPoint", "fields": [{"name": "n", "type": "esriFieldTypeInteger"}],
           "drawingInfo": {"renderer": {"type": "simple",
           "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": \(color), "size": 3}}}},
         "featureSet": {"features": [{"attributes": {"n": 4}, "geometry": {"x": 0, "y": 0}}]}}]}}]}}
      """
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/case.json"))
  }

  /// Changes the record's text, and its digest with it.
  func editRecord(_ edit: (String) -> String) throws {
    let path = "\(folder)/reference.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(ReferenceRecord.sealed(edit(text)).utf8).write(to: URL(filePath: path))
  }

  /// Replaces the reference image and its hash in the record.
  func replaceReference(by picture: Bitmap) throws {
    try editRecord { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.contains("\"pixels\":") ? "\"pixels\": \"\(StableHash.hexadecimal(of: picture.pixels))\"," : line
      }.joined(separator: "\n")
    }
    try Data(picture.pngData()).write(to: URL(filePath: reference))
  }

  /// The names and bytes of all files of the case.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }
    return files
  }
}
