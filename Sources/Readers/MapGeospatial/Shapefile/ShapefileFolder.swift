import Glibc
import MapSystem

/// A private folder with an index made for a shapefile without a `.shx` file, and links to its other files.
///
/// The folder is removed with this value. Nothing is written beside the user's file.
final class ShapefileFolder {
  /// The number of records.
  let recordCount: Int
  private let folder: PrivateFolder
  private let stem: String

  /// Makes the folder.
  ///
  /// - Parameter parts: the names of the files by their endings, such as `shp`.
  /// - Throws: ``LibraryError`` for a `.shp` file whose records cannot be followed.
  init(_ original: String, stem: String, parts: [String: String]) throws(LibraryError) {
    self.stem = stem
    let shapes = try DataFile(original, parts["shp"] ?? "")
    let index = try Self.index(of: shapes)
    recordCount = (index.count - 100) / 8
    do {
      folder = try PrivateFolder()
      _ = try folder.write("\(stem).shx") { try $0(index[...]) }
    } catch { throw LibraryError("\(stem).shx: \(error)") }
    for (ending, name) in parts {
      guard symlink("\(original)/\(name)", "\(folder.path)/\(stem).\(ending)") == 0 else {
        throw LibraryError("no link to \(name) could be made: error \(errno)")
      }
    }
  }

  /// Returns the path of a part, such as `shp`.
  func path(_ ending: String) -> String { "\(folder.path)/\(stem).\(ending)" }

  /// Returns the bytes of an index: the offsets and lengths of records, which follow one another.
  ///
  /// - Source: ESRI Shapefile Technical Description, July 1998, pages 4, 5 and 23.
  /// - Cost: one small read per record.
  static func index(of file: DataFile) throws(LibraryError) -> [UInt8] {
    var index = try file.bytes(at: 0, count: 100)
    guard index.big(at: 0) == 9994 else { throw LibraryError("\(file.name): not recognized as a shapefile") }
    // Lengths are in words of two bytes.
    let stated = index.big(at: 24) * 2
    let end = stated > 100 ? stated : file.size
    func fault(_ number: Int) -> LibraryError {
      LibraryError(
        end > file.size
          ? "\(file.name): is truncated at record \(number): it has \(file.size) of \(end) bytes"
          : "\(file.name): record \(number) is damaged, and there is no .shx file beside it; copy the .shx file, too"
      )
    }
    var offset = 100
    while offset < end {
      let number = (index.count - 100) / 8 + 1
      guard offset + 12 <= min(end, file.size) else { throw fault(number) }
      let head = try file.bytes(at: offset, count: 8)
      let next = offset + 8 + head.big(at: 4) * 2
      guard head.big(at: 4) >= 2, next <= min(end, file.size) else { throw fault(number) }
      // The length stays in words.
      for shift in [24, 16, 8, 0] { index.append(UInt8(truncatingIfNeeded: (offset / 2) >> shift)) }
      index.append(contentsOf: head[4..<8])
      offset = next
    }
    for (place, shift) in zip(24..<28, [24, 16, 8, 0]) {
      index[place] = UInt8(truncatingIfNeeded: (index.count / 2) >> shift)
    }
    return index
  }
}

extension [UInt8] {
  /// Returns the number in four bytes, most significant first.
  fileprivate func big(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}
