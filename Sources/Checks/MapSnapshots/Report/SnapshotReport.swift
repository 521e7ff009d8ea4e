import MapJSON
public import MapState
import MapSystem

/// The report of a run, as files in one folder.
///
/// `report.html` is for users, `report.md` for a change request, `junit.xml` and `report.json` for machines. The
/// folder `cases` contains the images, and those that ``SnapshotAcceptance`` takes.
///
/// - Cost: the lines of text, and embedded images, are kept in memory.
public struct SnapshotReport {
  /// Returns a word quoted for a shell.
  package static func shellWord(_ word: String) -> String { SnapshotReportEntry.quoted(word) }

  /// The folder that the report is written into.
  public let folder: String
  /// The folder of cases.
  public let root: String
  /// The URL of the folder, with which the images in `report.md` begin; nil for relative URLs.
  public let imageBase: String?
  /// Whether `report.html` contains the images of failed cases, so that it needs no other file.
  ///
  /// Set it before the first case is added. By default, it refers to the files of the folder.
  public var embedsImages = false
  /// The form of the summary, which is written to `summary.md`; nil for no summary.
  ///
  /// Set it before the first case is added.
  public var summary: SnapshotSummary?
  private var entries: [SnapshotReportEntry] = []
  /// The elements of the page that contain images.
  private var pictures = ""
  private var embedded = 0
  private var failedCount = 0
  /// The URL of each image in the page, by a hash of its bytes.
  private var urls: [String: String] = [:]
  /// Parts of images before and after each cause, by the text of the cause.
  private var details: [String: CauseDetail] = [:]

  /// The maximum size of embedded images in bytes; further images are files beside the page, as are those of cases that
  /// passed.
  private static let embeddedLimit = 64 << 20

  /// Creates the folder of the report.
  ///
  /// - Throws: `MapStateError` if it cannot be created, if it is inside the folder of cases, or if links of its
  ///   files lead out of it.
  public init(folder: String, root: String, imageBase: String? = nil) throws(MapStateError) {
    (self.folder, self.root) = (folder, root)
    self.imageBase = imageBase.map { MarkdownReport.address($0.hasSuffix("/") ? $0 : $0 + "/") }
    do { try FileAccess.makeFolder(folder) } catch { throw MapStateError(error) }
    // Inside that folder, the images of the report would be orphans.
    if let own = FileAccess.realPath(folder), let cases = FileAccess.realPath(root),
      "\(own)/".hasPrefix("\(cases)/")
    {
      throw MapStateError(
        .usage, "\(folder): the report would be inside the folder of cases; name another folder")
    }
    let names = ["report.html", "report.md", "junit.xml", "report.json", "summary.md", "causes", "cases"]
    try ReportFolder.check(names.map { "\(folder)/\($0)" }, in: folder)
  }

  /// Adds a case, and writes its images.
  ///
  /// - Throws: `MapStateError` if they cannot be written.
  public mutating func add(_ result: SnapshotResult) throws(MapStateError) {
    var entry = SnapshotReportEntry(result, root: root, report: folder)
    if result.outcome.isFailure {
      failedCount += 1
      entry.number = failedCount
    }
    do {
      if result.outcome.isPass {
        entry.expected = try addPassed(result.name)
      } else if let shown = result.pictures {
        let below = "cases/\(result.name)"
        var files = shown.reference.map { (bytes: $0.bytes, path: "\(folder)/\(below)/\($0.name)") }
        let patch = try embedsImages ? ImagePatch(shown) : nil
        entry.isPatched = patch != nil
        // A page may contain a part of the image instead of the image.
        func place(_ bytes: [UInt8]?, _ name: String, part: [UInt8]? = nil) -> String? {
          guard let bytes else { return nil }
          // The new image may be among the files that would become the reference.
          if !files.contains(where: { $0.path == "\(folder)/\(below)/\(name)" }) {
            files.append((bytes, "\(folder)/\(below)/\(name)"))
          }
          return url(of: part ?? bytes, at: "\(below)/\(name)", limit: embedsImages ? Self.embeddedLimit : 0)
        }
        entry.expected = place(shown.expected, "expected.png")
        entry.actual = place(shown.actual, "reference.png", part: patch?.actual)
        entry.difference = place(shown.difference, "difference.png", part: patch?.difference)
        try ReportFolder.check(["\(folder)/\(below)"] + files.map(\.path), in: folder)
        try FileAccess.makeFolder("\(folder)/\(below)")
        try FileAccess.write(files)
        if summary != nil, imageBase != nil { try addDetails(of: result, shown) }
      }
    } catch {
      throw MapStateError(error)
    }
    entries.append(entry)
  }

  /// Returns the URL of an image in the page: of an element for an embedded image, else of a file.
  ///
  /// Equal images of several cases have one URL.
  private mutating func url(of bytes: [UInt8], at path: String, limit: Int) -> String {
    let key = "\(bytes.count) \(StableHash.hexadecimal(of: bytes))"
    if let known = urls[key] { return known }
    var url = FilePath.percentEncoded(path)
    if embedded + bytes.count <= limit {
      embedded += bytes.count
      url = "#image\(urls.count)"
      pictures +=
        "<script type=\"text/plain\" id=\"\(url.dropFirst())\">\(Base64.encode(bytes))</script>\n"
    }
    urls[key] = url
    return url
  }

  /// Adds the reference image of a case that passed, and returns its URL.
  private mutating func addPassed(_ name: String) throws -> String? {
    let path = "\(root)/\(name)/reference.png"
    guard FileAccess.exists(path) else { return nil }
    let bytes = try FileAccess.read(path)
    let own = "cases/\(name)/expected.png"
    let url = url(of: bytes, at: own, limit: 0)
    if url == FilePath.percentEncoded(own) {
      try ReportFolder.check(["\(folder)/\(own)"], in: folder)
      try FileAccess.makeFolder("\(folder)/cases/\(name)")
      try FileAccess.write(bytes, to: "\(folder)/\(own)")
    }
    return url
  }

  /// Keeps parts of the images of a case for the causes that have none yet.
  private mutating func addDetails(of result: SnapshotResult, _ shown: SnapshotPictures) throws {
    for change in SnapshotCause.causes(of: result)
    where details[change.cause] == nil && details.count < SnapshotSummary.largestImageCount {
      guard let expected = shown.expected, let spot = change.spot ?? shown.spots.first else { continue }
      details[change.cause] = try CauseDetail(expected, shown.actual, around: spot)
    }
  }

  /// Writes the report of all added cases: all files or none.
  ///
  /// - Throws: `MapStateError` if they cannot be written.
  public func write() throws(MapStateError) {
    // In a script element, only "<" is unsafe; JSON allows it to be escaped.
    let data = SnapshotReportEntry.json(entries, root: root, report: folder, hasPictures: true).text()
      .replacing("<", with: "\\u003c")
    let page = String(decoding: PackageResources.report_html, as: UTF8.self)
      .replacing(">DATA<", with: ">\(data)<", maxReplacements: 1)
    let parts = page.split(separator: "<!--PICTURES-->\n", maxSplits: 1).map { String($0) }
    var files: [(bytes: [UInt8], path: String)] = [
      (Array(parts.joined(separator: pictures).utf8), "\(folder)/report.html"),
      (Array(MarkdownReport.text(entries, imageBase: imageBase ?? "").utf8), "\(folder)/report.md"),
      (Array(JUnitReport.text(entries, folder: folder).utf8), "\(folder)/junit.xml"),
      (
        Array(
          (SnapshotReportEntry.json(entries, root: root, report: folder, hasPictures: false).text(
            style: .pretty) + "\n").utf8
        ),
        "\(folder)/report.json"
      ),
    ]
    do {
      if summary != nil {
        files.append((Array(summaryText.utf8), "\(folder)/summary.md"))
        if !details.isEmpty { try FileAccess.makeFolder("\(folder)/causes") }
        for cause in SnapshotCause.all(of: entries) {
          guard let detail = details[cause.text] else { continue }
          for (name, bytes) in [("before", detail.before), ("after", detail.after)] {
            files.append((bytes, "\(folder)/\(SnapshotSummary.path(name, cause.number))"))
          }
        }
      }
      try ReportFolder.check(files.map(\.path), in: folder)
      try FileAccess.write(files)
    } catch {
      throw MapStateError(error)
    }
  }

  /// The summary of all added cases in Markdown, at most 60 KB; empty without a form of it.
  public var summaryText: String {
    summary?.text(
      entries, imageBase: imageBase, images: Set(details.keys), report: folder) ?? ""
  }
}
