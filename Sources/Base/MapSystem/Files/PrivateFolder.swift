import Glibc
import Synchronization

/// A folder for unpacked files that only this user can read.
///
/// It is removed with its files when the object is released, and by ``removeAll()`` when the tool is interrupted.
///
/// Unsafe code is limited to passing names to the system's own calls.
package final class PrivateFolder: Sendable {
  /// The absolute path of the folder.
  package let path: String
  private static let open = Mutex<Set<String>>([])

  /// Creates a folder below `TMPDIR`, or else `/tmp`.
  ///
  /// - Throws: ``FileError``.
  package init() throws(FileError) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let root = FileAccess.realPath(parent.isEmpty ? "/tmp" : parent) ?? "/tmp"
    path = FilePath.join(root, "mapstate-" + String(UInt64.random(in: .min ... .max), radix: 16))
    guard unsafe mkdir(path, 0o700) == 0 else { throw FileError(path: path, errno: errno) }
    Self.open.withLock { _ = $0.insert(path) }
  }

  deinit { Self.remove(path) }

  /// Writes a file that does not exist yet, and makes its parent folders.
  ///
  /// - Parameters:
  ///   - name: a relative path without `..`.
  ///   - fill: passes the bytes of the file on in pieces.
  /// - Returns: the absolute path of the file.
  /// - Throws: ``FileError`` if the file cannot be written, and errors of `fill`.
  package func write(_ name: String, _ fill: ((ArraySlice<UInt8>) throws -> Void) throws -> Void) throws
    -> String
  {
    let file = FilePath.join(path, name)
    try FileAccess.makeFolder(FilePath.folder(of: file))
    let descriptor = unsafe Glibc.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path: file, errno: errno) }
    defer { close(descriptor) }
    try fill { try FileAccess.write(Array($0), descriptor: descriptor, path: file) }
    return file
  }

  /// Adds bytes to the end of a file, which is created if it does not exist.
  ///
  /// - Parameter name: a name without folders.
  /// - Returns: the absolute path of the file.
  /// - Throws: ``FileError``.
  @discardableResult
  package func append(_ bytes: [UInt8], to name: String) throws(FileError) -> String {
    let file = FilePath.join(path, name)
    let descriptor = unsafe Glibc.open(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path: file, errno: errno) }
    defer { close(descriptor) }
    try FileAccess.write(bytes, descriptor: descriptor, path: file)
    return file
  }

  /// Removes all folders that are in use, before the process ends.
  package static func removeAll() { for path in open.withLock({ $0 }) { remove(path) } }

  private static func remove(_ path: String) {
    let folders = (try? FileAccess.folders(below: path)) ?? []
    for folder in folders.sorted().reversed() + [""] {
      let full = folder.isEmpty ? path : FilePath.join(path, folder)
      for name in (try? FileAccess.names(in: full)) ?? [] { unsafe unlink(FilePath.join(full, name)) }
      unsafe rmdir(full)
    }
    open.withLock { _ = $0.remove(path) }
  }
}
