import Glibc

/// A regular file that is read at any offset; it is closed when the object is released.
///
/// Unsafe code is limited to the bytes of the system's own read.
package final class RandomAccessFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The number of bytes at the time of opening.
  package let size: Int

  /// Opens a file.
  ///
  /// - Throws: ``FileError`` for a file that is missing, unreadable, not regular or too large.
  package init(_ path: String) throws(FileError) {
    self.path = path
    (descriptor, size) = try FileAccess.openRegular(path)
    guard size <= FileAccess.largestInput else {
      throw FileError(path: path, reason: "is larger than \(FileAccess.largestInput >> 30) GiB")
    }
  }

  deinit { close(descriptor) }

  /// Returns the bytes of a range, which must be inside the file.
  ///
  /// - Throws: ``FileError``, also if the file has become shorter.
  package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    var code: Int32?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let read = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + count }, range.count - count,
          range.lowerBound + count)
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { return }
        count += read
      }
    }
    if let code { throw FileError(path: path, errno: code) }
    guard bytes.count == range.count else {
      throw FileError(path: path, reason: "became shorter while it was read")
    }
    return bytes
  }
}
