import MapImages
import MapSystem

/// The summary of a run for a review, in a dialect of Markdown: a line for each cause, and the changed cases alone.
public enum SnapshotSummary: String, Hashable, Sendable, CaseIterable {
  /// The Markdown of GitHub: a job summary or a comment.
  case github
  /// The Markdown of GitLab: a comment on a merge request.
  case gitlab
  /// Markdown with tables, without HTML.
  case markdown

  /// The largest size of a summary in bytes.
  ///
  /// - Source: GitHub allows 65,536 characters in a comment.
  static let largestSize = 60_000
  /// The largest number of causes with images.
  static let largestImageCount = 20

  /// Returns the path of a cause's image below the folder of the report.
  static func path(_ name: String, _ number: Int) -> String { "causes/\(number)-\(name).png" }

  /// Returns the summary.
  ///
  /// - Parameters:
  ///   - imageBase: The URL of the report's folder; nil for a summary without images.
  ///   - images: The texts of the causes with images.
  func text(
    _ entries: [SnapshotReportEntry], imageBase: String?, images: Set<String>, report: String
  ) -> String {
    let results = entries.map(\.result)
    let failed = entries.filter { $0.result.outcome.isFailure }
    let (passed, skipped) = (results.count { $0.outcome.isPass }, results.count { $0.outcome.isSkip })
    var page = LimitedText(limit: Self.largestSize - 2000)
    let verdict =
      failed.isEmpty ? "\(passed) passed" : "\(failed.count) failed, \(passed) passed"
    page.add("## Snapshots: \(verdict)\(skipped > 0 ? ", \(skipped) skipped" : "")\n")
    guard !failed.isEmpty else { return page.text }
    let place =
      imageBase.map { "[the report](\($0)report.html)" } ?? "the report, `\(report)/report.html`"
    page.add("\nAll images are in \(place).\n")
    let causes = SnapshotCause.all(of: entries)
    add(causes, imageBase, images, to: &page)
    add(failed, causes, to: &page)
    let others = failed.filter { $0.result.changes.isEmpty }
    if !others.isEmpty {
      page.add("\n### Other failures\n\n")
      let lines = others.map { entry in
        let detail = entry.result.outcome.detail.map { ": \(escaped(Self.shortened($0, 300)))" } ?? ""
        return "- \(escaped(entry.result.name)): **\(entry.result.outcome.word)**\(detail)\n"
      }
      page.add(lines, more: "other failures")
    }
    guard causes.contains(where: { !$0.accepted.isEmpty }) else { return page.text }
    let words = ["mapstate", "snapshot", "accept", "--cause", "NUMBER", "--report-dir", report]
    let command = words.map(SnapshotReportEntry.quoted).joined(separator: " ")
    return page.text
      + "\nTo accept an intended cause: `\(command)`. Cases that have another cause, too, are left.\n"
  }

  /// Adds a table with a row for each cause.
  private func add(
    _ causes: [SnapshotCause], _ imageBase: String?, _ images: Set<String>, to page: inout LimitedText
  ) {
    guard !causes.isEmpty else { return }
    let base = images.isEmpty ? nil : imageBase
    page.add("\n| # | layer › class › property: before → after | features | cases |")
    page.add(base == nil ? "\n| ---: | --- | ---: | ---: |\n" : " before | after |\n")
    if base != nil { page.add("| ---: | --- | ---: | ---: | --- | --- |\n") }
    let rows = causes.map { cause in
      var row = "| \(cause.number) | \(line(cause.change)) | "
      row += "\(cause.featureCount > 0 ? "\(cause.featureCount)" : "") | \(cause.cases.count) |"
      guard let base else { return row + "\n" }
      for name in ["before", "after"] {
        row += images.contains(cause.text) ? " ![\(name)](\(base)\(Self.path(name, cause.number))) |" : " |"
      }
      return row + "\n"
    }
    page.add(rows, more: "causes", share: 0.6)
  }

  /// Adds a line for each failed case with the numbers of its causes.
  private func add(
    _ failed: [SnapshotReportEntry], _ causes: [SnapshotCause], to page: inout LimitedText
  ) {
    var numbers: [String: [Int]] = [:]
    for cause in causes { for name in cause.cases { numbers[name, default: []].append(cause.number) } }
    let lines = failed.filter { numbers[$0.result.name] != nil }.map { entry in
      let own = numbers[entry.result.name] ?? []
      let more = own.count > 10 ? " and \(own.count - 10) more" : ""
      let list = own.prefix(10).map { "\($0)" }.joined(separator: ", ") + more
      let result = entry.result
      let images = result.pictures == nil && entry.actual == nil ? " without an image" : ""
      return
        "- \(escaped(result.name)): \(result.outcome.word)\(images), \(list.contains(",") ? "causes" : "cause") \(list)\n"
    }
    guard !lines.isEmpty else { return }
    let isFolded = self != .markdown && lines.count > 12
    page.add(isFolded ? "\n<details><summary>\(lines.count) cases</summary>\n\n" : "\n### Cases\n\n")
    page.add(lines, more: "cases", share: 0.9)
    if isFolded { page.add("\n</details>\n") }
  }

  /// Returns a cause in one line.
  private func line(_ change: SnapshotChange) -> String {
    let layer = change.layer.map {
      "**\(escaped(Self.shortened($0, 80)))**\(change.isLabels ? " labels" : "")"
    }
    let className = change.className.map { escaped(Self.shortened($0, 80)) }
    var last = escaped(Self.shortened(change.summary, 200))
    if let property = change.property, let before = change.before, let after = change.after {
      let values = Self.excerpts(before, after)
      last = "\(escaped(property)): \(code(values.before)) → \(code(values.after))"
    }
    return [layer, className, last].compactMap { $0 }.joined(separator: " › ")
  }

  /// Returns a value as code; an opaque colour has six digits, which GitHub and GitLab show as a colour.
  private func code(_ value: String) -> String {
    guard !value.isEmpty else { return "none" }
    let value = MessageText.lines(value)
    guard !value.unicodeScalars.contains(where: { "`|\\\n".unicodeScalars.contains($0) }) else {
      return escaped(value)
    }
    let isOpaque = value.count == 9 && value.hasPrefix("#") && value.hasSuffix("ff")
    return "`\(isOpaque ? String(value.prefix(7)) : value)`"
  }

  private func escaped(_ text: String) -> String { MarkdownReport.escaped(text) }

  /// Returns the first characters of a text, with a mark for the others.
  private static func shortened(_ text: String, _ count: Int) -> String {
    text.count <= count ? text : text.prefix(count) + "…"
  }

  /// Returns two values, long ones from a little before the first character that differs.
  private static func excerpts(_ before: String, _ after: String) -> (before: String, after: String) {
    let (old, new) = (Array(before), Array(after))
    guard max(old.count, new.count) > 100 else { return (before, after) }
    let same = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, same - 20)
    func excerpt(_ text: [Character]) -> String {
      (start > 0 ? "…" : "") + shortened(String(text.dropFirst(start)), 100)
    }
    return (excerpt(old), excerpt(new))
  }
}

/// A text that does not exceed a size.
private struct LimitedText {
  private(set) var text = ""
  let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ part: String) { text += part }

  /// Adds lines while they fit into a share of the size, and then the number of those left out.
  mutating func add(_ lines: [String], more: String, share: Double = 1) {
    var size = text.utf8.count
    for (index, line) in lines.enumerated() {
      size += line.utf8.count
      guard Double(size) <= Double(limit) * share else {
        text += "\n\(lines.count - index) more \(more) are in the report.\n"
        return
      }
      text += line
    }
  }
}

/// Parts of two images of a case around a difference, as PNG.
struct CauseDetail {
  let before: [UInt8]
  let after: [UInt8]

  /// The largest width and height in pixels.
  private static let (width, height) = (200, 140)

  /// Cuts the same part out of two images.
  init(_ expected: [UInt8], _ actual: [UInt8], around spot: PixelRectangle) throws {
    before = try Self.part(of: Bitmap(pngData: expected), around: spot)
    after = try Self.part(of: Bitmap(pngData: actual), around: spot)
  }

  private static func part(of image: Bitmap, around spot: PixelRectangle) throws -> [UInt8] {
    let (width, height) = (min(width, image.width), min(height, image.height))
    let left = max(0, min(image.width - width, spot.x + spot.width / 2 - width / 2))
    let top = max(0, min(image.height - height, spot.y + spot.height / 2 - height / 2))
    var part = try Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { part[x, y] = image[left + x, top + y] }
    }
    return try part.pngData()
  }
}
