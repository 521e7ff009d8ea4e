import Glibc
import Synchronization

/// A file that is written in pieces, and replaces its target when it is finished; until then, nothing is at its path.
package struct FileInPieces: ~Copyable {
  private var file: TemporaryFile
  private let target: String
  private let path: String

  /// Begins a file.
  ///
  /// - Parameter inputs: files that the output must not replace, under any name.
  /// - Throws: ``FileError`` if it cannot be written.
  package init(_ path: String, keeping inputs: [String] = []) throws(FileError) {
    let target = try FileAccess.target(of: path, keeping: inputs)
    let file = try TemporaryFile(beside: target, path: path)
    (self.path, self.target, self.file) = (path, target, file)
  }

  deinit { file.discard() }

  /// The descriptor for writing the bytes.
  var descriptor: Int32 { file.descriptor }

  /// Adds bytes to the end.
  ///
  /// - Throws: ``FileError``.
  package func add(_ bytes: [UInt8]) throws(FileError) {
    try FileAccess.write(bytes, descriptor: file.descriptor, path: path)
  }

  /// Replaces bytes that were added; the end stays where it is.
  ///
  /// - Throws: ``FileError``.
  package func replace(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    guard count == bytes.count else { throw FileError(path: path, errno: count < 0 ? errno : ENOSPC) }
  }

  /// Replaces the target by the complete file.
  ///
  /// - Throws: ``FileError``; the target stays as it was.
  package mutating func finish() throws(FileError) {
    try FileAccess.writing.withLock { _ throws(FileError) in
      try file.giveName()
      try file.replace(target)
    }
  }
}
