import MapJSON
import MapSnapshots
package import MapState
import MapSystem

/// A report of snapshots that is reviewed: its failed cases, their images, and the decisions about them.
///
/// The decisions are kept in `review.json` in the folder of the report, until another report replaces it.
package struct SnapshotReview: Sendable {
  /// The decision about a case.
  typealias Decision = ReviewDecisions.Decision

  /// The names of images in paths, and their files in the report.
  private static let images = [
    "expected": "expected.png", "actual": "reference.png", "difference": "difference.png",
  ]

  private let folder: String
  private let cases: String

  /// Opens the report in a folder.
  ///
  /// - Parameter cases: the folder of cases, whose reference images accepted images replace.
  /// - Throws: `MapStateError` without a report of these cases.
  package init(_ folder: String, cases: String) throws(MapStateError) {
    (self.folder, self.cases) = (folder, cases)
    _ = try SnapshotAcceptance(reportFolder: folder, root: cases)
  }

  /// The report, as it was read last.
  private struct Report {
    let file: FileRevision?
    let json: JSONValue
    /// A hash of the report.
    let revision: String
    /// The entries of failed cases by their names, and the names in order.
    let failed: [String: JSONValue]
    let names: [String]
  }

  private var last: Report?

  /// Returns the report, which is read again after a change of its file.
  private mutating func report() throws(MapStateError) -> Report {
    let path = "\(folder)/report.json"
    let file = FileRevision(path)
    if let last, file != nil, last.file == file { return last }
    let (bytes, json): ([UInt8], JSONValue)
    do {
      bytes = try FileAccess.read(path)
      json = try JSONValue(parsing: bytes)
    } catch { throw MapStateError(error) }
    var (failed, names) = ([String: JSONValue](), [String]())
    for entry in json["cases"]?.array ?? [] {
      guard let name = entry["name"]?.string, let outcome = entry["outcome"]?.string,
        !["same", "equivalent", "skipped", "unchanged"].contains(outcome), failed[name] == nil
      else { continue }
      failed[name] = entry
      names.append(name)
    }
    let report = Report(
      file: file, json: json, revision: StableHash.hexadecimal(of: bytes), failed: failed, names: names)
    last = report
    return report
  }

  /// The decisions about the report with a revision.
  private func decisions(_ revision: String) -> ReviewDecisions {
    ReviewDecisions(folder: folder, revision: revision)
  }

  /// Returns the failed cases, each with its images and the decision about it.
  mutating func list() throws(MapStateError) -> JSONValue {
    let report = try report()
    let decisions = decisions(report.revision)
    let failed: [JSONValue] = report.names.map { name in
      let entry = report.failed[name] ?? .null
      var object: JSONObject = ["name": .string(name), "outcome": entry["outcome"] ?? .null]
      object["title"] = entry["title"]
      object["detail"] = entry["detail"]
      object["changes"] = .array((entry["changes"]?.array ?? []).map { .string(Self.line($0)) })
      object["numbers"] = entry["numbers"]
      object["images"] = .array(
        Self.images.keys.sorted().filter { file($0, of: name) != nil }.map { .string($0) })
      object["canAccept"] = .boolean(entry["accept"] != nil)
      object["decision"] = decisions.byName[name].map { .string($0.rawValue) } ?? .null
      return .object(object)
    }
    return [
      "root": report.json["root"] ?? .null, "report": .string(report.revision),
      "passed": report.json["passed"] ?? 0, "skipped": report.json["skipped"] ?? 0, "cases": .array(failed),
    ]
  }

  /// Returns a change in one line: its layer, its class and what has changed.
  private static func line(_ change: JSONValue) -> String {
    let place = ["layer", "class"].compactMap { change[$0]?.string }.filter { !$0.isEmpty }
    let labels = change["labels"]?.boolean == true ? ["labels"] : []
    let text = change["summary"]?.string ?? ""
    let parts = place + labels
    return parts.isEmpty ? text : parts.joined(separator: ", ") + ": " + text
  }

  /// Returns the path of an image; nil without one, and for one that a link leads out of the report.
  private func file(_ image: String, of name: String) -> String? {
    guard let file = Self.images[image], let root = FileAccess.realPath(folder),
      let path = FileAccess.realPath("\(folder)/cases/\(name)/\(file)"), path.hasPrefix("\(root)/cases/")
    else { return nil }
    return path
  }

  /// Returns an image of a failed case.
  ///
  /// - Throws: ``HTTPFault`` with 404 without it.
  mutating func image(_ image: String, of name: String) throws -> HTTPResponse {
    guard try report().failed[name] != nil, let path = file(image, of: name) else {
      throw HTTPFault(404, "no image \"\(image)\" of a failed case \"\(name)\"")
    }
    let bytes = try FileAccess.read(path)
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw HTTPFault(404, "the image \"\(image)\" of \"\(name)\" is not a PNG file")
    }
    return HTTPResponse(bytes, type: "image/png")
  }

  /// Accepts the image of a case as its reference image, or rejects it, and keeps the decision.
  ///
  /// - Parameter revision: the revision of the report that was looked at.
  mutating func decide(_ decision: Decision, _ name: String, revision: String?) throws {
    let report = try report()
    guard revision == report.revision else {
      throw HTTPFault(409, "the report has changed meanwhile; look at the images again")
    }
    guard let entry = report.failed[name] else {
      throw HTTPFault(404, "the report has no failed case \"\(name)\"")
    }
    var decisions = decisions(report.revision)
    guard decisions.byName[name] != .accepted || decision == .accepted else {
      throw HTTPFault(409, "case \"\(name)\" is accepted already; its reference image has changed")
    }
    if decision == .accepted {
      let acceptance = try SnapshotAcceptance(reportFolder: folder, root: cases)
      guard entry["accept"] != nil else {
        throw HTTPFault(409, "case \"\(name)\" has no image to accept")
      }
      try acceptance.accept(name)
    }
    decisions.byName[name] = decision
    try decisions.write()
  }
}
