import Foundation
import MapJSON
import MapSnapshots
import MapState
import Testing

/// The contents of a report in each of its forms, and the effect of accepting a difference.
@Suite struct ReportTests {
  private let made: TemporaryCase
  private var folder: String { "\(made.root)-report" }

  init() async throws {
    made = try TemporaryCase(#""title": "A red square & <b>nothing</b> else.","#)
    try await made.read().record()
    try made.write(#""title": "A red square & <b>nothing</b> else.","#, color: "[255, 3, 0]")
  }

  private func report(embedsImages: Bool = false) async throws {
    let run = try SnapshotRun(root: made.root)
    var report = try SnapshotReport(folder: folder, root: run.root)
    report.embedsImages = embedsImages
    try await run.verify { result throws(MapStateError) in try report.add(result) }
    try report.write()
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  @Test("The report page refers to the images beside it, which it does not contain")
  func pageRefersToFiles() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await report()
    let page = try read("report.html")
    #expect(page.contains(#""expected":"cases/made/case/expected.png""#))
    #expect(page.contains(#""actual":"cases/made/case/reference.png""#))
    #expect(!page.contains("id=\"image"))
  }

  @Test("A report page with embedded images contains all its data and images and no external links")
  func pageHoldsAllOfIt() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await report(embedsImages: true)
    let page = try read("report.html")
    #expect(!page.contains("http"), "the page must not refer to external resources")
    #expect(!page.contains("DATA"), "the DATA placeholder must be replaced")
    let start = try #require(page.range(of: "id=\"data\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let data = JSONNode(try JSONValue(parsing: String(page[start..<end])))
    #expect(try data.integer("failed") == 1)
    #expect(try data.integer("passed") == 0)
    let item = try #require(try data.elements("cases").first)
    #expect(try item.string("title") == "A red square & <b>nothing</b> else.")
    let change = try #require(try item.elements("changes").first)
    #expect(try change.string("summary") == "fill color: #ff0000ff → #ff0300ff")
    #expect(try change.string("layer") == "0")
    for name in ["expected", "actual", "difference"] {
      let url = try #require(try item.string(name))
      #expect(url.hasPrefix("#image"))
      let start = try #require(page.range(of: "id=\"\(url.dropFirst())\">")).upperBound
      let text = page[start...].prefix { $0 != "<" }
      let bytes = try #require(Data(base64Encoded: String(text)))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test("A report folder among the cases is refused")
  func reportsDoNotLieAmongCases() throws {
    #expect(throws: MapStateError.self) { try SnapshotReport(folder: "\(made.root)/report", root: made.root) }
    #expect(throws: MapStateError.self) { try SnapshotReport(folder: made.root, root: made.root) }
  }

  @Test("The report is also written as JUnit XML, JSON and Markdown")
  func machinesReadIt() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await report()
    let unit = try read("junit.xml")
    #expect(unit.contains("<testsuites tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""))
    #expect(unit.contains("<testcase classname=\"made\" name=\"case\""))
    #expect(unit.contains("0 › fill color: #ff0000ff"))
    let report = JSONNode(try JSONValue(parsing: read("report.json")))
    #expect(try report.elements("cases").first?.string("outcome") == "differs")
    let text = try read("report.md")
    #expect(text.hasPrefix("# Snapshots: 0 passed, 1 failed\n"))
    #expect(text.contains("\\<b\\>nothing"))
    #expect(text.contains("](cases/made/case/difference.png)"))
    #expect(FileManager.default.fileExists(atPath: "\(folder)/cases/made/case/difference.png"))
  }

  @Test("An accepted difference becomes the new reference")
  func acceptsWhatItShows() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: MapStateError.self) { try SnapshotAcceptance(reportFolder: folder, root: made.root) }
    try await report()
    let acceptance = try SnapshotAcceptance(reportFolder: folder, root: made.root + "/")
    #expect(acceptance.names == ["made/case"])
    #expect(throws: MapStateError.self) { try acceptance.accept("made/other") }
    try acceptance.accept("made/case")
    #expect(await (try made.read()).verify().outcome == .same)
    #expect(throws: MapStateError.self) { try SnapshotAcceptance(reportFolder: folder, root: "/tmp") }
  }
}
