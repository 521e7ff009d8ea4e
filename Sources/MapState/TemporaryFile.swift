import Glibc

/// A file without a name in the folder of its target, which takes the target's place once it is whole.
///
/// A process that is killed leaves nothing of it: the file gets a name only when all its bytes are written. File systems
/// without unnamed files give it a random name from the start. Such names are never reused and links at them are not
/// followed, so that a leftover stops nobody.
///
/// Unsafe only where names pass to the system's own calls.
struct TemporaryFile {
  /// Where its bytes are written.
  let descriptor: Int32
  /// The path that errors name.
  private let path: String
  private let folder: String
  /// The name of its own; nil while it has none.
  private var name: String?

  /// Creates a file that nobody else has opened.
  ///
  /// - Throws: ``FileError`` that names `path`.
  init(beside target: String, path: String) throws(FileError) {
    (self.path, folder) = (path, FilePath.folder(of: target))
    if target.hasSuffix("/") {
      throw FileError(path: path, reason: "is a directory, not a file")
    }
    // Where the system's tables of open files are missing an unnamed file cannot get a name.
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

  /// Gives the whole file a name of its own.
  ///
  /// - Throws: ``FileError``.
  mutating func giveName() throws(FileError) {
    guard name == nil else { return }
    let open = "/proc/self/fd/\(descriptor)"
    name = try Self.firstFree(in: folder, path: path) { candidate in
      unsafe linkat(AT_FDCWD, open, AT_FDCWD, candidate, AT_SYMLINK_FOLLOW) == 0
    }
  }

  /// Puts the file, which has a name, in its target's place.
  ///
  /// - Throws: ``FileError``.
  func replace(_ target: String) throws(FileError) {
    guard let name, unsafe rename(name, target) == 0 else { throw FileError(path: path, errno: errno) }
  }

  /// Closes the file and removes its own name, which one that was renamed no longer has.
  func discard() {
    if let name { unsafe unlink(name) }
    close(descriptor)
  }

  /// The first random name that `make` can use.
  private static func firstFree(
    in folder: String, path: String, _ make: (String) -> Bool
  ) throws(FileError) -> String {
    // A name of 64 random bits is taken by nothing but intent.
    for _ in 0..<16 {
      let candidate = FilePath.join(
        folder, ".mapstate-" + String(UInt64.random(in: .min ... .max), radix: 16) + ".tmp")
      if make(candidate) { return candidate }
      guard errno == EEXIST else { break }
    }
    throw FileError(path: path, errno: errno)
  }

  /// `O_TMPFILE`, a macro that Swift does not import.
  ///
  /// - Source: Linux, include/uapi/asm-generic/fcntl.h.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
}
