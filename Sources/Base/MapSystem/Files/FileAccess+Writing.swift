import Glibc
package import Synchronization

/// The writing of files, completely or not at all.
extension FileAccess {
  /// The lock held while a file is written, so that a tool that is asked to stop can wait for the rename or
  /// clean-up.
  package static let writing = Mutex(())

  /// Writes a file completely or not at all.
  ///
  /// Links are followed; "-" is standard output.
  /// - Throws: ``FileError``; no partial file remains.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write([(bytes, path)])
  }

  /// Writes all of several files or none of them.
  ///
  /// Output to "-" is written first, because it cannot be undone. Pipes, sockets and devices are refused. Two
  /// outputs must not be the same file, and an output must not be a file of `inputs`, under any name.
  /// - Throws: ``FileError``; no partial file remains.
  package static func write(
    _ files: [(bytes: [UInt8], path: String)], keeping inputs: [String] = []
  ) throws(FileError) {
    var targets: Set<String> = []
    var whole: [(bytes: [UInt8], path: String, target: String)] = []
    for (bytes, path) in files where path != "-" {
      let target = try target(of: path, keeping: inputs)
      guard targets.insert(target).inserted else {
        throw FileError(path: path, reason: "is named for two outputs; name another file for one of them")
      }
      whole.append((bytes, path, target))
    }
    for (bytes, path) in files where path == "-" {
      try write(bytes, descriptor: STDOUT_FILENO, path: "standard output")
    }
    try writing.withLock { _ throws(FileError) in try replace(whole) }
  }

  /// Returns the path of the file that an output becomes, without links.
  ///
  /// - Throws: ``FileError`` for a path that cannot be written, and for one of the files of `inputs`.
  static func target(of path: String, keeping inputs: [String]) throws(FileError) -> String {
    guard !path.utf8.contains(0) else {
      throw FileError(path: path, reason: "has a zero byte in its name, which no file has")
    }
    let exists = exists(path)
    if exists {
      try checkRegular(path)
      if unsafe access(path, W_OK) != 0 { throw FileError(path: path, errno: errno) }
    }
    let target = exists ? realPath(path) ?? path : path
    guard !inputs.contains(where: { realPath($0) == target }) else {
      throw FileError(path: path, reason: "is read by this map and would be lost; name another file")
    }
    return target
  }

  /// Writes a file in pieces, completely or not at all.
  ///
  /// - Parameters:
  ///   - inputs: files that the output must not replace, under any name.
  ///   - fill: passes the pieces on, in order.
  /// - Throws: ``FileError`` if the file cannot be written, and errors of `fill`; no partial file remains.
  package static func write(
    to path: String, keeping inputs: [String] = [],
    _ fill: (_ add: @Sendable ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    var file = try FileInPieces(path, keeping: inputs)
    let descriptor = file.descriptor
    try fill { try write($0, descriptor: descriptor, path: path) }
    try file.finish()
  }

  private static func replace(
    _ files: [(bytes: [UInt8], path: String, target: String)]
  ) throws(FileError) {
    var made: [TemporaryFile] = []
    defer { for file in made { file.discard() } }
    for (bytes, path, target) in files {
      let file = try TemporaryFile(beside: target, path: path)
      made.append(file)
      try write(bytes, descriptor: file.descriptor, path: path)
    }
    // All bytes are written before the first file gets its name.
    for index in made.indices { try made[index].giveName() }
    for (file, item) in zip(made, files) { try file.replace(item.target) }
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
}
