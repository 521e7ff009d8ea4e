/// The limits on archives and compressed data, so that a small file cannot cause much work or reach other files.
///
/// - Source: design decision.
package struct ArchiveLimits: Sendable {
  /// The maximum number of entries in an archive.
  package var entries = 10_000
  /// The maximum size of all entries together, in bytes, uncompressed.
  package var bytes = 4 << 30
  /// The maximum number of uncompressed bytes per compressed byte.
  package var ratio = 1000

  /// Creates the project's limits.
  package init() {}

  /// Endings of archives and compressed files, which an archive may not contain.
  private static let nested: Set<String> = [
    "7z", "bz2", "gz", "kmz", "rar", "shz", "tar", "tbz2", "tgz", "txz", "xz", "zip", "zst",
  ]

  /// Returns the reason to refuse an entry by its name; nil for a plain path inside the archive.
  package func refusal(ofName name: String) -> String? {
    if name.isEmpty || name.utf8.contains(0) { return "has a name that no file can have" }
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

  /// Returns the reason to refuse sizes; nil for sizes within the limits.
  package func refusal(uncompressed: Int, compressed: Int) -> String? {
    if uncompressed > bytes { return "holds more than \(bytes >> 30) GiB uncompressed, the limit" }
    // Every format can expand a few bytes by a large ratio, so zero bytes count as one.
    let (most, overflow) = max(compressed, 1).multipliedReportingOverflow(by: ratio)
    if !overflow, uncompressed > most { return "is compressed more than \(ratio):1, the limit" }
    return nil
  }
}
