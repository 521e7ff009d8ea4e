import Glibc
package import Synchronization

/// A file that cannot be read or written.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// The path as it was given.
  public let path: String
  /// What is wrong, lower case, no full stop.
  public let reason: String

  /// Path and reason in one line.
  public var description: String { "\(path.isEmpty ? "\"\"" : path): \(reason)" }

  package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  init(path: String, errno code: Int32) {
    // strerror's text lives until the next call on this thread; it is copied at once.
    self.init(path: path, reason: unsafe String(cString: strerror(code)).lowercased())
  }
}

/// Whole files in and out.
///
/// Unsafe only where bytes pass to and from the system's own read and write.
package enum FileAccess {
  /// More than a file of features that fits in memory beside its columns.
  ///
  /// - Source: ours.
  package static let largestInput = 8 << 30
  private static let chunk = 1 << 20

  /// All bytes of a regular file or pipe; "-" is standard input.
  ///
  /// - Throws: ``FileError`` for what is missing, unreadable, a directory, a device or larger than `limit` bytes.
  package static func read(_ path: String, limit: Int = largestInput) throws(FileError) -> [UInt8] {
    guard !path.utf8.contains(0) else {
      throw FileError(path: path, reason: "has a zero byte in its name, which no file has")
    }
    if path == "-" {
      return try read(descriptor: STDIN_FILENO, path: "standard input", sizeHint: 0, limit: limit)
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(path: path, errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO: break
    case S_IFDIR: throw FileError(path: path, reason: "is a directory, not a file")
    default: throw FileError(path: path, reason: "is not a regular file")
    }
    guard status.st_size <= limit else { throw tooLarge(path, limit) }
    return try read(descriptor: descriptor, path: path, sizeHint: Int(status.st_size), limit: limit)
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> FileError {
    FileError(
      path: path, reason: "is larger than \(limit >> 30 > 0 ? "\(limit >> 30) GiB" : "\(limit >> 20) MiB")")
  }

  /// What stands at a path, as far as it can be looked at without taking anything from it.
  enum Look {
    /// A regular file with its first bytes.
    case file(head: [UInt8])
    case folder
    /// A pipe, a device, nothing, or what may not be read.
    case other
  }

  /// Looks at the start of a file.
  static func look(at path: String) -> Look {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .other }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .other }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &head, head.count)
    return count < 0 ? .other : .file(head: Array(head.prefix(count)))
  }

  private static func read(
    descriptor: Int32, path: String, sizeHint: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes = try readWhole(descriptor: descriptor, path: path, size: sizeHint)
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

  /// The first bytes of a file straight into their array: a copy less of what may be hundreds of megabytes.
  private static func readWhole(
    descriptor: Int32, path: String, size: Int
  ) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, size - count)
        if read < 0, errno == EINTR { continue }
        if read < 0 { failure = FileError(path: path, errno: errno) }
        if read <= 0 { return }
        count += read
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// True for a pipe or device that is there, and for what standard output goes to, under whatever name.
  package static func isStream(_ path: String) -> Bool {
    var (status, output) = (stat(), stat())
    guard unsafe stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    if kind != S_IFREG, kind != S_IFDIR { return true }
    return unsafe fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status.st_dev
      && output.st_ino == status.st_ino
  }

  /// Held while a file is written, so that a tool told to stop can wait for the rename or the clean-up.
  package static let writing = Mutex(())

  /// Writes a file whole or not at all: beside its target, then renamed over it.
  ///
  /// A link is followed; a device or pipe is written straight, "-" is standard output.
  /// - Throws: ``FileError``; nothing is left behind.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write([(bytes, path)])
  }

  /// Writes several files, all or none of them: one that cannot be written leaves no other.
  ///
  /// What goes to a device, a pipe or "-" goes first, since it cannot be taken back. Neither may two of them be one file
  /// nor one of them a file of `inputs`, under whatever name.
  /// - Throws: ``FileError``; nothing is left behind.
  package static func write(
    _ files: [(bytes: [UInt8], path: String)], keeping inputs: [String] = []
  ) throws(FileError) {
    let kept = Set(inputs.compactMap { realPath($0) })
    var targets: Set<String> = []
    var streams: [(bytes: [UInt8], path: String)] = []
    var whole: [(bytes: [UInt8], path: String, target: String)] = []
    for (bytes, path) in files {
      var status = stat()
      let exists = unsafe path != "-" && stat(path, &status) == 0
      if exists, status.st_mode & S_IFMT == S_IFDIR {
        throw FileError(path: path, reason: "is a directory, not a file")
      }
      if path == "-" || (exists && status.st_mode & S_IFMT != S_IFREG) {
        streams.append((bytes, path))
        continue
      }
      if exists, unsafe access(path, W_OK) != 0 { throw FileError(path: path, errno: errno) }
      let target = exists ? realPath(path) ?? path : path
      guard !kept.contains(target) else {
        throw FileError(path: path, reason: "is read by this map and would be lost; name another file")
      }
      guard targets.insert(target).inserted else {
        throw FileError(path: path, reason: "is named for two outputs; name another file for one of them")
      }
      whole.append((bytes, path, target))
    }
    for (bytes, path) in streams { try write(bytes, toStream: path) }
    try writing.withLock { _ throws(FileError) in try replace(whole) }
  }

  private static func write(_ bytes: [UInt8], toStream path: String) throws(FileError) {
    if path == "-" { return try write(bytes, descriptor: STDOUT_FILENO, path: "standard output") }
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
    defer { close(descriptor) }
    try write(bytes, descriptor: descriptor, path: path)
  }

  private static func replace(
    _ files: [(bytes: [UInt8], path: String, target: String)]
  ) throws(FileError) {
    var made: [String] = []
    // A temporary file that was renamed is no longer there to unlink.
    defer { for temporary in made { unsafe unlink(temporary) } }
    for (bytes, path, target) in files {
      let temporary = "\(target).\(getpid()).tmp"
      let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
      made.append(temporary)
      defer { close(descriptor) }
      try write(bytes, descriptor: descriptor, path: path)
    }
    for (temporary, file) in zip(made, files) {
      guard unsafe rename(temporary, file.target) == 0 else { throw FileError(path: file.path, errno: errno) }
    }
  }

  /// Writes all bytes to an open descriptor; `path` is its name in errors.
  package static func write(
    _ bytes: [UInt8], descriptor: Int32, path: String
  ) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(path: path, errno: errno)
      }
      offset += count
    }
  }

  /// The path without links and dots; nil when nothing is there.
  package static func realPath(_ path: String) -> String? {
    guard let pointer = unsafe realpath(path, nil) else { return nil }
    // realpath hands over memory that the caller frees.
    defer { unsafe free(pointer) }
    return unsafe String(cString: pointer)
  }

  /// Makes a folder and those above it; one that is there stays as it is.
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
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(path: path, reason: "is not a folder")
    }
  }

  /// True when there is a file, directory or anything else at the path.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

extension FileAccess {
  /// The folders below a folder, at any depth, as paths from it; links are not followed.
  ///
  /// - Throws: ``FileError`` when the folder cannot be listed.
  package static func folders(below root: String) throws(FileError) -> [String] {
    var found: [String] = []
    var open = [""]
    while let relative = open.popLast() {
      let path = relative.isEmpty ? root : "\(root)/\(relative)"
      guard let directory = unsafe opendir(path) else { throw FileError(path: path, errno: errno) }
      defer { unsafe closedir(directory) }
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        let below = relative.isEmpty ? name : "\(relative)/\(name)"
        var status = stat()
        guard name != ".", name != "..", unsafe lstat("\(root)/\(below)", &status) == 0,
          status.st_mode & S_IFMT == S_IFDIR
        else { continue }
        found.append(below)
        open.append(below)
      }
    }
    return found
  }
}
