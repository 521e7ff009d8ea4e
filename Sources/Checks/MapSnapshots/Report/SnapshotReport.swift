import MapJSON
public import MapState
import MapSystem

/// The report of a run, as files in one folder.
///
/// `report.html` is for users, `report.md` for a change request, `junit.xml` and `report.json` for machines. The
/// folder `cases` contains the images of failed cases.
///
/// - Cost: the lines of text, and up to 64 MiB of images of failed cases are kept in memory.
public struct SnapshotReport {
  /// Returns a word quoted for a shell.
  package static func shellWord(_ word: String) -> String { SnapshotReportEntry.quoted(word) }

  /// The folder that the report is written into.
  public let folder: String
  /// The folder of cases.
  public let root: String
  /// The URL of the folder, with which the images in `report.md` begin; nil for relative URLs.
  public let imageBase: String?
  private var entries: [SnapshotReportEntry] = []
  /// The elements of the page that contain images.
  private var pictures = ""
  private var embedded = 0

  /// The maximum size of embedded images in bytes; further images are files beside the page.
  private static let embeddedLimit = 64 << 20

  /// Creates the folder of the report.
  ///
  /// - Throws: `MapStateError` if it cannot be created, or if it is inside the folder of cases.
  public init(folder: String, root: String, imageBase: String? = nil) throws(MapStateError) {
    (self.folder, self.root) = (folder, root)
    self.imageBase = imageBase.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    do { try FileAccess.makeFolder(folder) } catch { throw MapStateError(error) }
    // Inside that folder, the images of the report would be orphans.
    if let own = FileAccess.realPath(folder), let cases = FileAccess.realPath(root),
      "\(own)/".hasPrefix("\(cases)/")
    {
      throw MapStateError(
        .usage, "\(folder): the report would be inside the folder of cases; name another folder")
    }
  }

  /// Adds a case, and writes its images if it failed.
  ///
  /// - Throws: `MapStateError` if they cannot be written.
  public mutating func add(_ result: SnapshotResult) throws(MapStateError) {
    var entry = SnapshotReportEntry(result, root: root, report: folder)
    if result.outcome.isPass { entry.expected = try passed(result.name) }
    if let shown = result.pictures {
      let below = "cases/\(result.name)"
      var files = shown.reference.map { (bytes: $0.bytes, path: "\(folder)/\(below)/\($0.name)") }
      func place(_ bytes: [UInt8]?, _ name: String) -> String? {
        guard let bytes else { return nil }
        if name != "reference.png" { files.append((bytes, "\(folder)/\(below)/\(name)")) }
        guard embedded + bytes.count <= Self.embeddedLimit else {
          return FilePath.percentEncoded("\(below)/\(name)")
        }
        embedded += bytes.count
        let element = "\(entries.count)-\(name == "reference.png" ? "actual" : FilePath.stem(of: name))"
        pictures += "<script type=\"text/plain\" id=\"\(element)\">\(Base64.encode(bytes))</script>\n"
        return "#"
      }
      entry.expected = place(shown.expected, "expected.png")
      entry.actual = place(shown.actual, "reference.png")
      entry.difference = place(shown.difference, "difference.png")
      do {
        try FileAccess.makeFolder("\(folder)/\(below)")
        try FileAccess.write(files)
      } catch {
        throw MapStateError(error)
      }
    }
    entries.append(entry)
  }

  /// Adds the reference image of a case that passed, and returns its URL.
  private mutating func passed(_ name: String) throws(MapStateError) -> String? {
    let path = "\(root)/\(name)/reference.png"
    guard FileAccess.exists(path) else { return nil }
    do {
      let bytes = try FileAccess.read(path)
      guard embedded + bytes.count <= Self.embeddedLimit else {
        let own = "cases/\(name)"
        try FileAccess.makeFolder("\(folder)/\(own)")
        try FileAccess.write(bytes, to: "\(folder)/\(own)/expected.png")
        return FilePath.percentEncoded("\(own)/expected.png")
      }
      embedded += bytes.count
      pictures +=
        "<script type=\"text/plain\" id=\"\(entries.count)-expected\">\(Base64.encode(bytes))</script>\n"
      return "#"
    } catch {
      throw MapStateError(error)
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
    let files: [(bytes: [UInt8], path: String)] = [
      (Array(parts.joined(separator: pictures).utf8), "\(folder)/report.html"),
      (Array(MarkdownReport.text(entries, imageBase: imageBase ?? "").utf8), "\(folder)/report.md"),
      (Array(JUnitReport.text(entries).utf8), "\(folder)/junit.xml"),
      (
        Array(
          (SnapshotReportEntry.json(entries, root: root, report: folder, hasPictures: false).text(
            style: .pretty) + "\n").utf8
        ),
        "\(folder)/report.json"
      ),
    ]
    do { try FileAccess.write(files) } catch { throw MapStateError(error) }
  }
}
