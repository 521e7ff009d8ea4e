import Glibc

/// The identity of a file's content, as far as the file system knows it.
package struct FileRevision: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  /// The time of the last change in nanoseconds since 1970.
  package let changed: Int64

  /// Reads the revision of a regular file; nil without one.
  package init?(_ path: String) {
    var status = Glibc.stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    changed = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// The revision as text.
  package var text: String { "\(device):\(number):\(size):\(changed)" }
}
