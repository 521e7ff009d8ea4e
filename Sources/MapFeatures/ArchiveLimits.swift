/// The limits on archives and compressed data, so that a small file cannot ask for much work or reach other files.
///
/// - Source: design decision.
package struct ArchiveLimits: Sendable {
  /// Entries of an archive.
  package var entries = 10_000
  /// Bytes of all entries together, uncompressed.
  package var bytes = 4 << 30
  /// Uncompressed bytes for each compressed byte.
  package var ratio = 1000

  /// The limits of the project.
  package init() {}

  /// Endings of archives and compressed files, which an archive may not contain.
  private static let nested: Set<String> = [
    "7z", "bz2", "gz", "kmz", "rar", "shz", "tar", "tbz2", "tgz", "txz", "xz", "zip", "zst",
  ]

  /// The reason to refuse an entry by its name; nil for a plain path within the archive.
  package func refusal(ofName name: String) -> String? {
    if name.isEmpty || name.utf8.contains(0) { return "has no name that a file can have" }
    if name.hasPrefix("/") || name.contains("\\") || name.dropFirst().first == ":" {
      return "has an absolute name, or one with a backslash"
    }
    if name.split(separator: "/").contains("..") { return "leads out of the archive" }
    let file = name.split(separator: "/").last ?? ""
    guard let dot = file.lastIndex(of: "."),
      Self.nested.contains(file[file.index(after: dot)...].lowercased())
    else { return nil }
    return "is an archive within the archive"
  }

  /// The reason to refuse sizes; nil for those within the limits.
  package func refusal(uncompressed: Int, compressed: Int) -> String? {
    if uncompressed > bytes { return "holds more than \(bytes >> 30) GiB uncompressed, the limit" }
    // Of a few bytes every format makes more at least once.
    let (most, overflow) = max(compressed, 1).multipliedReportingOverflow(by: ratio)
    if !overflow, uncompressed > most { return "is compressed more than \(ratio):1, the limit" }
    return nil
  }
}
