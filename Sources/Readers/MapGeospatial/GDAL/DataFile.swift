import Glibc
import MapReaders

/// A regular file of a data set, read at any offset.
///
/// It is not `Sendable`, since it is used only while a data set is checked.
final class DataFile {
  /// The name without its folder, for messages.
  let name: String
  /// The number of bytes.
  let size: Int
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``LibraryError`` for a file that is missing, unreadable, or a pipe or device.
  init(_ folder: String, _ name: String) throws(LibraryError) {
    self.name = name
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw LibraryError("\(name): \(String(cString: strerror(errno)).lowercased())")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw LibraryError("\(name): is not a regular file")
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Returns the folder of a path.
  static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns the file name of a path.
  static func name(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns whether a path is a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns whether a path is a file of SQLite, by its first bytes.
  static func isSQLite(_ path: String) -> Bool {
    guard let file = try? DataFile(folder(path), name(path)), file.size >= 16 else { return false }
    return (try? file.bytes(at: 0, count: 16)) == Array("SQLite format 3\0".utf8)
  }

  /// Returns whether a path is a file of GML, by the namespace in its first bytes.
  static func isGML(_ path: String) -> Bool {
    guard let file = try? DataFile(folder(path), name(path)),
      let head = try? file.bytes(at: 0, count: min(file.size, 4096))
    else { return false }
    let text = String(decoding: TextEncoding.decodedStart(head), as: UTF8.self)
    return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.first == "<" && text.contains("opengis.net/gml")
  }

  /// Returns whether a path exists and is not an empty file.
  static func isNotEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  /// Returns the bytes at an offset.
  ///
  /// - Throws: ``LibraryError`` for a file that ends earlier.
  func bytes(at offset: Int, count: Int) throws(LibraryError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      let (needed, overflow) = max(0, offset).addingReportingOverflow(max(0, count))
      throw LibraryError(
        "\(name): is truncated: it has \(size) of at least \(overflow ? .max : needed) bytes")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        throw LibraryError(
          "\(name): \(read < 0 ? String(cString: strerror(errno)).lowercased() : "is truncated")")
      }
      done += read
    }
    return bytes
  }
}

extension [UInt8] {
  /// Returns a number of at most eight bytes, least significant first; the greatest `Int` when it is larger.
  func little(at offset: Int, size: Int) -> Int {
    var number: UInt64 = 0
    for index in (offset..<offset + size).reversed() { number = number << 8 | UInt64(self[index]) }
    return Int(clamping: number)
  }
}
