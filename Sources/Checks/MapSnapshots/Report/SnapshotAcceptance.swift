import MapJSON
public import MapState
import MapSystem

/// The images of the last report, to be accepted as reference images: the reviewed ones, not newly drawn ones.
public struct SnapshotAcceptance: Sendable {
  private let folder: String
  /// The folder of cases.
  public let root: String
  /// The names of the failed cases with an image that is not rejected, in order.
  public let names: [String]
  /// The names of those that are not accepted either, in order.
  package var undecided: [String] { names.filter { decisions.byName[$0] == nil } }
  /// The cases with an image to accept or reject, in order.
  private let cases: [Case]
  private let causes: [Cause]
  private let decisions: ReviewDecisions

  /// A failed case of the report.
  private struct Case {
    let name: String
    /// The number among the failed cases, from 1.
    let number: Int?
    /// The numbers of its causes.
    let causes: Set<Int>
  }

  /// A cause of the report.
  private struct Cause {
    let number: Int
    let text: String
    /// The layer, class and property that differ, each in its spellings in lower case.
    let parts: [[String]]
  }

  /// The cases of some causes.
  package struct CauseCases {
    /// The names of all cases with one of the causes.
    package var all: [String] = []
    /// The names of the cases without another cause.
    package var names: [String] = []
    /// The names of the cases that have other causes, too, with the texts of these.
    package var left: [(name: String, others: [String])] = []
  }

  /// Reads a report of the cases below `root`.
  ///
  /// - Throws: `MapStateError` if there is no report, or if it belongs to another folder.
  public init(reportFolder: String, root: String) throws(MapStateError) {
    try self.init(reportFolder: reportFolder, cases: root)
  }

  /// Reads a report of the cases below `root`, or with nil of those below the folder that the report names.
  ///
  /// - Throws: `MapStateError` if there is no report, or if it belongs to another folder.
  package init(reportFolder: String, cases root: String?) throws(MapStateError) {
    folder = reportFolder
    let path = "\(reportFolder)/report.json"
    do {
      let bytes = try FileAccess.read(path)
      // The decisions are written last, so their file is checked before any image is.
      try ReportFolder.check(["\(reportFolder)/review.json"], in: reportFolder)
      let report = JSONNode(try JSONValue(parsing: bytes))
      let other = try report.required("root").string()
      let own = root ?? other
      self.root = own.count > 1 && own.hasSuffix("/") ? String(own.dropLast()) : own
      guard FileAccess.realPath(self.root) != nil else {
        throw MapStateError(
          .input, "\(path) reports the cases in \(other), which does not exist here; name their folder")
      }
      guard FileAccess.realPath(other) == FileAccess.realPath(self.root) else {
        throw MapStateError(.input, "\(path) reports the cases in \(other), not in \(self.root)")
      }
      decisions = ReviewDecisions(folder: reportFolder, report: bytes)
      causes = try report.elements("causes").map { item in
        Cause(
          number: try item.integer("number") ?? 0, text: try item.required("cause").string(),
          parts: Self.parts(of: item.value))
      }
      cases = try report.elements("cases").filter { $0["accept"] != nil }.map { item in
        let name = try item.required("name").string()
        // A report may come from elsewhere.
        guard !name.split(separator: "/").contains(".."), !name.hasPrefix("/"), !name.isEmpty else {
          throw item.invalid("\"\(name)\" is not the name of a case")
        }
        return Case(
          name: name, number: try item.integer("number"),
          causes: Set(try item.elements("causes").map { try $0.integer() }))
      }
      let rejected = decisions.rejected
      names = cases.map(\.name).filter { !rejected.contains($0) }
    } catch let error as FileError {
      throw MapStateError(
        .input, "\(error); run verify with --report-dir first, which writes the report")
    } catch let error as MapStateError {
      throw error
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
  }

  /// Returns the layer, class and property of a cause in their spellings.
  private static func parts(of cause: JSONValue) -> [[String]] {
    let last = cause["cause"]?.string?.split(separator: "›").last.map { trimmed($0) }
    let layer = cause["layer"]?.string
    let labels = cause["labels"]?.boolean == true ? layer.map { "\($0) labels" } : nil
    return [[layer, labels], [cause["class"]?.string], [cause["property"]?.string, last]].map { words in
      words.compactMap { $0?.lowercased() }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(
      start.prefix(
        start.lastIndex { !$0.isWhitespace }.map { start.distance(from: start.startIndex, to: $0) + 1 } ?? 0))
  }

  // MARK: Choosing

  /// Returns the names of the cases that a word means: a name, a pattern with `*` or `?`, or a number of the report.
  ///
  /// - Throws: `MapStateError` if there is none.
  package func names(for word: String) throws(MapStateError) -> [String] {
    let all = cases.map(\.name)
    let named = SnapshotCase.known(word, among: all, in: root)
    if let number = Int(word), let found = cases.first(where: { $0.number == number }) {
      guard named == nil || named == found.name else {
        throw MapStateError(
          .usage,
          "\"\(word)\" is the number of \(found.name) and the name of another case; give \(found.name) or \(root)/\(word)"
        )
      }
      return [found.name]
    }
    if let named { return [named] }
    if word.contains(where: { "*?".contains($0) }) {
      let pattern = GlobPattern(word)
      let found = names.filter { pattern.matches($0) }
      if !found.isEmpty { return found }
    }
    throw MapStateError(
      .input, "no image of \"\(word)\" to accept in \(folder); available: \(Self.list(all))")
  }

  /// Returns the cases with the causes that some texts mean.
  ///
  /// A text is the number of a cause, or its layer, class and property with `›` or `>` between them, each a pattern.
  /// Parts may be left out; a text without `*` must mean one cause.
  ///
  /// - Throws: `MapStateError` if a text means no cause, or several.
  package func cases(ofCauses texts: [String]) throws(MapStateError) -> CauseCases {
    var chosen: Set<Int> = []
    for text in texts { chosen.formUnion(try numbers(ofCause: text)) }
    let rejected = decisions.rejected
    var found = CauseCases()
    for item in cases where !item.causes.isDisjoint(with: chosen) && !rejected.contains(item.name) {
      found.all.append(item.name)
      let others = item.causes.subtracting(chosen).sorted()
      if others.isEmpty {
        found.names.append(item.name)
      } else {
        found.left.append(
          (item.name, others.compactMap { number in causes.first { $0.number == number }?.text }))
      }
    }
    return found
  }

  private func numbers(ofCause text: String) throws(MapStateError) -> [Int] {
    if let number = Int(text), causes.contains(where: { $0.number == number }) { return [number] }
    if let exact = causes.first(where: { $0.text == text }) { return [exact.number] }
    let separator: Character = text.contains("›") ? "›" : ">"
    let wanted = text.split(separator: separator).map { GlobPattern(Self.trimmed($0).lowercased()) }
    func isMeant(_ cause: Cause) -> Bool {
      var parts = cause.parts[...]
      for pattern in wanted {
        guard let at = parts.firstIndex(where: { $0.contains { pattern.matches($0) } }) else { return false }
        parts = parts[(at + 1)...]
      }
      return !wanted.isEmpty
    }
    let found = causes.filter(isMeant)
    let all = causes.map { "\($0.number): \($0.text)" }
    guard !found.isEmpty else {
      throw MapStateError(.input, "no cause \"\(text)\" in \(folder); available: \(Self.list(all))")
    }
    guard found.count == 1 || text.contains("*") else {
      let list = Self.list(found.map { "\($0.number): \($0.text)" })
      throw MapStateError(
        .input, "\"\(text)\" means \(found.count) causes; give a number, or * for all: \(list)")
    }
    return found.map(\.number)
  }

  /// Returns at most ten texts with commas between them.
  private static func list(_ texts: [String]) -> String {
    guard !texts.isEmpty else { return "none" }
    let more = texts.count > 10 ? " and \(texts.count - 10) more" : ""
    return texts.prefix(10).joined(separator: ", ") + more
  }

  // MARK: Deciding

  /// Makes the image of a case in the report its reference image, and returns the name of the case.
  ///
  /// - Parameter asked: the path below the folder of cases, or another name as for `verify`.
  /// - Throws: `MapStateError` if the report has no image of the case, or if a file cannot be written.
  @discardableResult
  public func accept(_ asked: String) throws(MapStateError) -> String {
    let all = cases.map(\.name)
    guard let name = SnapshotCase.known(asked, among: all, in: root) else {
      throw MapStateError(
        .input, "no image of \"\(asked)\" to accept in \(folder); available: \(Self.list(all))")
    }
    guard FileAccess.exists("\(root)/\(name)/case.json") else {
      throw MapStateError(.input, "case \"\(name)\" no longer exists in \(root)")
    }
    // A report and a folder of cases may come from elsewhere, with links that lead out of them.
    for (base, path) in [(folder, "cases/\(name)"), (root, name)] {
      for file in [""] + SnapshotReference.fileNames.map({ "/\($0)" }) {
        guard let whole = FileAccess.realPath(base), let own = FileAccess.realPath("\(base)/\(path)\(file)")
        else { continue }
        guard own.hasPrefix(whole == "/" ? whole : whole + "/") else {
          throw MapStateError(.input, "\(base)/\(path)\(file) leads out of \(base)")
        }
      }
    }
    // All files are read first, so that an incomplete report leaves the reference files unchanged.
    guard let reference = try SnapshotReference(in: "\(folder)/cases/\(name)") else {
      throw MapStateError(.input, "\(folder)/cases/\(name) no longer contains an image; verify again")
    }
    try reference.write(to: "\(root)/\(name)")
    return name
  }

  /// Rejects the images of cases, so that `names` does not contain them any more.
  ///
  /// - Throws: `MapStateError` if the decision cannot be written.
  package func reject(_ names: [String]) throws(MapStateError) {
    var own = decisions
    for name in names { own.byName[name] = .rejected }
    do { try own.write() } catch { throw MapStateError(error) }
  }

  /// Keeps the decision that images were accepted.
  ///
  /// - Throws: `MapStateError` if it cannot be written.
  package func noteAccepted(_ names: [String]) throws(MapStateError) {
    var own = decisions
    for name in names { own.byName[name] = .accepted }
    do { try own.write() } catch { throw MapStateError(error) }
  }
}

/// The decisions about a report, in the file `review.json` in its folder; another report has none of them.
package struct ReviewDecisions: Sendable {
  /// The decision about a case.
  package enum Decision: String, CaseIterable, Sendable {
    /// The new image is the reference image now.
    case accepted
    /// The new image is wrong.
    case rejected
  }

  private let folder: String
  private var path: String { "\(folder)/review.json" }
  /// A hash of the report.
  private let revision: String
  /// The decisions by the names of cases.
  package var byName: [String: Decision] = [:]

  /// The names of the cases whose image is rejected.
  package var rejected: Set<String> { Set(byName.filter { $0.value == .rejected }.keys) }

  /// Reads the decisions about the report with the given bytes.
  package init(folder: String, report: [UInt8]) {
    self.init(folder: folder, revision: StableHash.hexadecimal(of: report))
  }

  /// Reads the decisions about the report with a hash.
  package init(folder: String, revision: String) {
    (self.folder, self.revision) = (folder, revision)
    guard let bytes = try? FileAccess.read(path, limit: 16 << 20),
      let json = try? JSONValue(parsing: bytes), json["report"]?.string == revision
    else { return }
    for decision in Decision.allCases {
      for name in json[decision.rawValue]?.array ?? [] { byName[name.string ?? ""] = decision }
    }
  }

  /// Writes the decisions.
  ///
  /// - Throws: `FileError`, and `MapStateError` if a link leads out of the folder.
  package func write() throws {
    try ReportFolder.check([path], in: folder)
    var object: JSONObject = ["report": .string(revision)]
    for decision in Decision.allCases {
      object[decision.rawValue] = .array(
        byName.filter { $0.value == decision }.keys.sorted().map { .string($0) })
    }
    try FileAccess.write(Array((JSONValue.object(object).text(style: .pretty) + "\n").utf8), to: path)
  }
}
