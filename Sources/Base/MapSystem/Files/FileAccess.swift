import Glibc

/// A file that cannot be read or written.
package struct FileError: Error, Hashable, CustomStringConvertible {
  /// The path as given.
  package let path: String
  /// The reason, in lower case and without a full stop.
  package let reason: String

  /// Whether the reader of a pipe has closed it.
  package let isClosedPipe: Bool

  /// The path and the reason in one line.
  package var description: String { "\(path.isEmpty ? "\"\"" : MessageText.name(path)): \(reason)" }

  package init(path: String, reason: String) {
    (self.path, self.reason, isClosedPipe) = (path, reason, false)
  }

  init(path: String, errno code: Int32) {
    self.path = path
    isClosedPipe = code == EPIPE
    // The text of strerror is valid until the next call on this thread, so it is copied at once.
    reason = code == EBADF ? "is closed" : unsafe String(cString: strerror(code)).lowercased()
  }
}

/// Functions that read and write files, and look at folders.
///
/// Unsafe code is limited to passing bytes to and from the system's read and write.
package enum FileAccess {
  /// The largest input file in bytes, larger than any file of features that fits in memory beside its columns.
  ///
  /// - Source: design decision.
  package static let largestInput = 8 << 30
  private static let chunk = 1 << 20

  /// Returns all bytes of a regular file; "-" is standard input.
  ///
  /// - Throws: ``FileError`` for a file that is missing, unreadable, not regular or larger than `limit` bytes.
  package static func read(
    _ path: String, limit: Int = largestInput, pieceSize: Int = FileAccess.pieceSize
  ) throws(FileError) -> [UInt8] {
    if path == "-" {
      return try read(descriptor: STDIN_FILENO, path: "standard input", sizeHint: 0, limit: limit, pieceSize)
    }
    let (descriptor, size) = try openRegular(path)
    defer { close(descriptor) }
    guard size <= limit else { throw tooLarge(path, limit) }
    return try read(descriptor: descriptor, path: path, sizeHint: size, limit: limit, pieceSize)
  }

  /// Opens a regular file for reading.
  ///
  /// The caller closes the descriptor. All input files are opened here. Opening never blocks, as it would for a
  /// pipe without a writer.
  /// - Throws: ``FileError`` for a file that is missing, unreadable or not regular.
  static func openRegular(_ path: String) throws(FileError) -> (descriptor: Int32, size: Int) {
    guard !path.utf8.contains(0) else {
      throw FileError(path: path, reason: "has a zero byte in its name, which no file has")
    }
    // The kind is checked first, because opening a device may have an effect, such as rewinding a tape.
    try checkRegular(path)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw FileError(path: path, errno: code)
    }
    guard let fault = kindFault(status) else { return (descriptor, Int(status.st_size)) }
    close(descriptor)
    throw FileError(path: path, reason: fault)
  }

  /// Refuses a path that does not lead to a regular file.
  ///
  /// - Throws: ``FileError``, also if nothing is at the path.
  static func checkRegular(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError(path: path, errno: errno) }
    if let fault = kindFault(status) { throw FileError(path: path, reason: fault) }
  }

  /// Refuses pipes, sockets and devices among the files that a library opens by itself.
  ///
  /// These are the files of a folder, or the files beside a file that share its name up to the first dot.
  /// - Throws: ``FileError`` that names the first of them.
  package static func checkCompanions(of path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError(path: path, errno: errno) }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let folder = isFolder ? path : FilePath.folder(of: path)
    let stem = isFolder ? "" : FilePath.name(of: path).prefix { $0 != "." }.lowercased()
    for name in try names(in: folder).sorted() where name.lowercased().hasPrefix(stem) {
      let companion = FilePath.join(folder, name)
      guard unsafe stat(companion, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
      if let fault = kindFault(status) { throw FileError(path: companion, reason: fault) }
    }
  }

  /// Returns the reason why something is not a regular file; nil for a regular file.
  private static func kindFault(_ status: stat) -> String? {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "is a directory, not a file"
    case S_IFIFO:
      return "is a pipe, not a regular file; use a saved file, or - for standard input or output"
    case S_IFSOCK: kind = "socket"
    default: kind = "device"
    }
    return "is a \(kind), not a regular file; - is standard input or output"
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> FileError {
    FileError(
      path: path, reason: "is larger than \(limit >> 30 > 0 ? "\(limit >> 30) GiB" : "\(limit >> 20) MiB")")
  }

  /// The kind of object at a path, found without consuming any of its data.
  package enum Look {
    /// A regular file with its first bytes.
    case file(head: [UInt8])
    case folder
    /// A pipe, a device, nothing, or an unreadable object.
    case other
  }

  /// Returns the kind of object at a path, with the first bytes of a regular file.
  package static func look(at path: String) -> Look {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .other }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    guard let descriptor = try? openRegular(path).descriptor else { return .other }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &head, head.count)
    return count < 0 ? .other : .file(head: Array(head.prefix(count)))
  }

  private static func read(
    descriptor: Int32, path: String, sizeHint: Int, limit: Int, _ pieceSize: Int
  ) throws(FileError) -> [UInt8] {
    var bytes = try readWhole(descriptor: descriptor, path: path, size: sizeHint, pieceSize)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(path: path, errno: errno)
      }
      guard bytes.count + count <= limit else { throw tooLarge(path, limit) }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// The number of bytes of a file that one core reads at a time.
  package static let pieceSize = 8 << 20

  /// Reads the first bytes of a file directly into their array, on all cores.
  ///
  /// This avoids a copy of possibly hundreds of megabytes. Large pages of memory make the first use of an array cheaper.
  private static func readWhole(
    descriptor: Int32, path: String, size: Int, _ pieceSize: Int
  ) throws(FileError) -> [UInt8] {
    var failure: Int32?
    let pieces = (0..<size).pieces(of: pieceSize)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe adviseLargePages(UnsafeRawBufferPointer(buffer))
      // The pieces do not overlap, and all are read before this closure returns.
      nonisolated(unsafe) let start = buffer.baseAddress
      let parts = concurrentMap(pieces.count) { piece in
        unsafe read(descriptor, pieces[piece], to: start.map { unsafe $0 + pieces[piece].lowerBound })
      }
      // Only the bytes before the first gap are there, in a file that became shorter.
      for (piece, part) in zip(pieces, parts) {
        count += part.count
        failure = part.failure
        guard part.count == piece.count else { return }
      }
    }
    if let failure { throw FileError(path: path, errno: failure) }
    guard bytes.isEmpty || lseek(descriptor, off_t(bytes.count), SEEK_SET) >= 0 else {
      throw FileError(path: path, errno: errno)
    }
    return bytes
  }

  /// Reads a range of a file to an address; returns the number of bytes, and the code of an error.
  private static func read(
    _ descriptor: Int32, _ range: Range<Int>, to start: UnsafeMutablePointer<UInt8>?
  ) -> (count: Int, failure: Int32?) {
    var count = 0
    while count < range.count {
      let read = unsafe pread(
        descriptor, start.map { unsafe $0 + count }, range.count - count, range.lowerBound + count)
      if read < 0, errno == EINTR { continue }
      if read <= 0 { return (count, read < 0 ? errno : nil) }
      count += read
    }
    return (count, nil)
  }

  /// Asks the system to use large pages for memory that is about to be filled, where it can.
  private static func adviseLargePages(_ memory: UnsafeRawBufferPointer) {
    let page = 2 << 20
    guard let start = memory.baseAddress, memory.count >= 4 * page else { return }
    let first = unsafe start.alignedUp(toMultipleOf: page)
    let count = unsafe (memory.count - (first - start)) / page * page
    _ = unsafe madvise(UnsafeMutableRawPointer(mutating: first), count, Int32(MADV_HUGEPAGE))
  }

  /// Whether a path is a pipe or device, or the file that standard output is redirected to, under any name.
  package static func isStream(_ path: String) -> Bool {
    var (status, output) = (stat(), stat())
    guard unsafe stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    if kind != S_IFREG, kind != S_IFDIR { return true }
    return unsafe fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status.st_dev
      && output.st_ino == status.st_ino
  }

  /// Returns the path without links and dots; nil if nothing is at the path.
  package static func realPath(_ path: String) -> String? {
    guard let pointer = unsafe realpath(path, nil) else { return nil }
    // realpath returns memory that the caller must free.
    defer { unsafe free(pointer) }
    return unsafe String(cString: pointer)
  }

  /// Refuses a path that is not a folder.
  ///
  /// - Throws: ``FileError``, also if nothing is at the path.
  package static func checkFolder(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError(path: path, reason: "is not a folder") }
  }

  /// Creates a folder and its parent folders; existing folders stay unchanged.
  ///
  /// - Throws: ``FileError``.
  package static func makeFolder(_ path: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made == "/" ? String(part) : "/\(part)"
      guard unsafe mkdir(made, 0o777) == 0 || errno == EEXIST else {
        throw FileError(path: path, errno: errno)
      }
    }
    try checkFolder(path)
  }

  /// Whether a file, directory or anything else is at the path.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

extension FileAccess {
  /// Returns the paths of all folders below a folder, relative to it; links are not followed.
  ///
  /// - Throws: ``FileError`` if the folder cannot be listed.
  package static func folders(below root: String) throws(FileError) -> [String] {
    var found: [String] = []
    var open = [""]
    while let relative = open.popLast() {
      for name in try names(in: relative.isEmpty ? root : "\(root)/\(relative)") {
        let below = relative.isEmpty ? name : "\(relative)/\(name)"
        var status = stat()
        guard unsafe lstat("\(root)/\(below)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
          continue
        }
        found.append(below)
        open.append(below)
      }
    }
    return found
  }

  /// Returns the names in a folder, in no order.
  ///
  /// - Throws: ``FileError`` if the folder cannot be listed.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let directory = unsafe opendir(folder) else { throw FileError(path: folder, errno: errno) }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
