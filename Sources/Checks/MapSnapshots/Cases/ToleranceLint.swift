import MapJSON
package import MapScript
package import MapState
import MapSystem

/// A check of snapshot cases: the changes that their tolerances and masks hide.
///
/// A change that only the comparison of images could show is a finding. A case that compares styles and data, too, gets a
/// note.
package struct ToleranceLint: Sendable {
  /// The findings of all cases.
  package private(set) var answer = LintAnswer(findings: [], warnings: [])
  /// The file of the case of each finding.
  package private(set) var files: [String] = []

  /// Checks the case in a file `case.json`, or all cases in a folder and below it; nil for another source.
  ///
  /// - Cost: no case is drawn; some 70 comparisons of images for each case with a tolerance or a mask.
  /// - Throws: `MapStateError` if a case or its reference cannot be read.
  package init?(_ source: String) throws(MapStateError) {
    guard let folders = try Self.folders(source), !folders.isEmpty else { return nil }
    var (findings, notes) = ([LintFinding](), [String]())
    for folder in folders {
      let snapshot = try SnapshotCase(folder: folder, name: folder)
      guard snapshot.isTolerant else { continue }
      guard let reference = try SnapshotReference(in: folder) else {
        notes.append("case \"\(folder)\": has no reference, so its tolerance is not checked")
        continue
      }
      guard let hidden = try snapshot.hiddenChanges(in: reference) else { continue }
      let message = "case \"\(folder)\": \(hidden.text)"
      guard !snapshot.comparesRecord, !hidden.texts.isEmpty else {
        notes.append(message)
        continue
      }
      let path = JSONPath.root[snapshot.tolerance.isWiderThanUsual ? "tolerance" : "masks"]
      findings.append(
        LintFinding(
          .hiddenChange, at: path, layer: "", message,
          suggestion: "reduce it, or remove \"compare\": \"image\" to compare styles and data as well"))
      files.append("\(folder)/case.json")
    }
    answer = LintAnswer(findings: findings, warnings: [], notes: notes)
  }

  /// Returns the folders of the cases that a source names; nil for a file that is no case.
  private static func folders(_ source: String) throws(MapStateError) -> [String]? {
    if FilePath.name(of: source) == "case.json" { return [FilePath.folder(of: source)] }
    // A geodatabase is a folder, too.
    guard (try? FileAccess.checkFolder(source)) != nil, FilePath.pathExtension(of: source) != "gdb" else {
      return nil
    }
    let root = source.count > 1 && source.hasSuffix("/") ? String(source.dropLast()) : source
    let below = try SnapshotCase.names(in: root).map { root == "/" ? "/\($0)" : "\(root)/\($0)" }
    return (FileAccess.exists("\(root)/case.json") ? [root] : []) + below
  }
}
