import Glibc

/// An unnamed file in the folder of its target, which replaces the target when it is complete.
///
/// A killed process leaves no file behind: the file gets a name only when all its bytes are written. On file
/// systems without unnamed files, it has a random name from the start. Names are never reused and links are not
/// followed, so a leftover file does not block later writes.
///
/// Unsafe code is limited to passing names to the system's own calls.
struct TemporaryFile {
  /// The descriptor for writing its bytes.
  let descriptor: Int32
  /// The path in error messages.
  private let path: String
  private let folder: String
  /// The file's own name; nil while it has none.
  private var name: String?

  /// Creates a file that no other process has opened.
  ///
  /// - Throws: ``FileError`` that names `path`.
  init(beside target: String, path: String) throws(FileError) {
    (self.path, folder) = (path, FilePath.folder(of: target))
    if target.hasSuffix("/") {
      throw FileError(path: path, reason: "is a directory, not a file")
    }
    if unsafe access(folder, F_OK) != 0, errno == ENOENT {
      throw FileError(
        path: path, reason: "cannot be written: the folder \(MessageText.name(folder)) does not exist")
    }
    // Without /proc, an unnamed file cannot get a name.
    let unnamed = unsafe open(folder, Self.unnamed | O_WRONLY | O_CLOEXEC, 0o666)
    if unnamed >= 0, unsafe access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
      descriptor = unnamed
      return
    }
    if unnamed >= 0 { close(unnamed) }
    var found: Int32 = -1
    name = try Self.firstFree(in: folder, path: path) { candidate in
      found = unsafe open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      return found >= 0
    }
    descriptor = found
  }

  /// Gives the complete file its own name.
  ///
  /// - Throws: ``FileError``.
  mutating func giveName() throws(FileError) {
    guard name == nil else { return }
    let open = "/proc/self/fd/\(descriptor)"
    name = try Self.firstFree(in: folder, path: path) { candidate in
      unsafe linkat(AT_FDCWD, open, AT_FDCWD, candidate, AT_SYMLINK_FOLLOW) == 0
    }
  }

  /// Replaces the target by the file, which must have a name.
  ///
  /// - Throws: ``FileError``.
  func replace(_ target: String) throws(FileError) {
    guard let name, unsafe rename(name, target) == 0 else { throw FileError(path: path, errno: errno) }
  }

  /// Closes the file and removes its own name; a renamed file no longer has that name.
  func discard() {
    if let name { unsafe unlink(name) }
    close(descriptor)
  }

  /// Returns the first random name that `make` accepts.
  private static func firstFree(
    in folder: String, path: String, _ make: (String) -> Bool
  ) throws(FileError) -> String {
    // A name with 64 random bits exists already only by intent.
    for _ in 0..<16 {
      let candidate = FilePath.join(
        folder, ".mapstate-" + String(UInt64.random(in: .min ... .max), radix: 16) + ".tmp")
      if make(candidate) { return candidate }
      guard errno == EEXIST else { break }
    }
    throw FileError(path: path, errno: errno)
  }

  /// The value of `O_TMPFILE`, a macro that Swift does not import.
  ///
  /// - Source: Linux, include/uapi/asm-generic/fcntl.h.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
}
