import Glibc
package import MapSystem

/// A zip archive, whose list of entries is checked before any entry is unpacked.
///
/// - Source: PKWARE APPNOTE 6.3.10, 4.3 to 4.5, with the 64-bit forms.
package struct ZipArchive: Sendable {
  /// A file in the archive.
  package struct Entry: Sendable {
    /// The path in the archive, with `/` between folders.
    package let name: String
    /// The size in bytes, unpacked.
    package let size: Int
    let packed: Int
    let method: Int
    let checkSum: UInt32
    let header: Int
  }

  /// The files, in the order of the archive's list.
  package private(set) var entries: [Entry] = []
  private let file: RandomAccessFile
  /// The number of bytes that precede the archive, such as a program that unpacks it.
  private let start: Int

  /// Returns whether bytes begin like a zip archive.
  package static func looksLikeZip(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }

  /// Reads the list of entries.
  ///
  /// - Throws: ``ArchiveError`` that names the entry and the limit.
  package init(_ file: RandomAccessFile, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
    self.file = file
    let end = try EndRecord(file)
    guard end.count <= limits.entries else {
      throw ArchiveError("has more than \(limits.entries) entries, the limit of an archive")
    }
    // Bytes may precede the archive; offsets then count from the archive's start.
    start = end.place - end.size - end.start
    guard start >= 0 else { throw Self.damagedList }
    let list = try Self.bytes(file, end.place - end.size..<end.place)
    var (place, total, packed) = (0, 0, 0)
    var names: Set<String> = []
    for _ in 0..<end.count {
      guard place + 46 <= list.count, list.number(at: place, 4) == 0x0201_4B50 else { throw Self.damagedList }
      let lengths = (28...32).filter { $0 % 2 == 0 }.map { list.number(at: place + $0, 2) }
      let next = place + 46 + lengths[0] + lengths[1] + lengths[2]
      guard next <= list.count else { throw Self.damagedList }
      let name = String(decoding: list[place + 46..<place + 46 + lengths[0]], as: UTF8.self)
      let extra = place + 46 + lengths[0]..<place + 46 + lengths[0] + lengths[1]
      let large = try Self.largeNumbers(
        [24, 20, 42].map { list.number(at: place + $0, 4) }, list, extra)
      if let reason = limits.refusal(ofName: name) { throw ArchiveError("the entry \(name) \(reason)") }
      // The upper half contains Unix permissions.
      if list.number(at: place + 38, 4) >> 16 & Int(S_IFMT) == Int(S_IFLNK) {
        throw ArchiveError("the entry \(name) is a link")
      }
      if list.number(at: place + 8, 2) & 1 != 0 { throw ArchiveError("the entry \(name) is encrypted") }
      let entry = Entry(
        name: name, size: large[0], packed: large[1], method: list.number(at: place + 10, 2),
        checkSum: UInt32(truncatingIfNeeded: list.number(at: place + 16, 4)), header: large[2])
      if let reason = limits.refusal(uncompressed: entry.size, compressed: entry.packed) {
        throw ArchiveError("the entry \(name) \(reason)")
      }
      // Both sums stay small: the limit of one entry is far below the largest integer, and their number is bounded.
      (total, packed, place) = (total + entry.size, packed + entry.packed, next)
      // Entries that share bytes would contain more than the archive has.
      guard packed <= file.size else { throw ArchiveError("its entries overlap") }
      if name.hasSuffix("/") { continue }
      guard names.insert(name).inserted else { throw ArchiveError("the entry \(name) occurs twice") }
      entries.append(entry)
    }
    if let reason = limits.refusal(uncompressed: total, compressed: packed) { throw ArchiveError(reason) }
  }

  /// Unpacks an entry in pieces, and verifies its size and check sum.
  ///
  /// - Throws: ``ArchiveError`` that names the entry, and errors of `output`.
  package func read(_ entry: Entry, _ output: (ArraySlice<UInt8>) throws -> Void) throws {
    do {
      let range = try packedRange(of: entry)
      var place = range.lowerBound
      let next = { () throws(ArchiveError) in
        let bytes = try Self.bytes(file, place..<min(place + 1 << 18, range.upperBound))
        place += bytes.count
        return bytes
      }
      var (size, sum) = (0, CRC32())
      func take(_ piece: ArraySlice<UInt8>) throws {
        size += piece.count
        guard size <= entry.size else { throw ArchiveError("it is longer than the list says") }
        sum.add(piece)
        try output(piece)
      }
      switch entry.method {
      case 0:
        while true {
          let bytes = try next()
          if bytes.isEmpty { break }
          try take(bytes[...])
        }
      case 8:
        var reader = Inflate(next)
        try reader.decode(take)
      default:
        throw ArchiveError("its compression method \(entry.method) is unknown; deflate is read")
      }
      guard size == entry.size, sum.value == entry.checkSum else {
        throw ArchiveError("its check sum is wrong: its bytes are damaged")
      }
    } catch let error as ArchiveError {
      throw ArchiveError("the entry \(entry.name) cannot be read: \(error)")
    }
  }

  /// Returns the range of an entry's bytes in the file; nil for an entry that is compressed.
  ///
  /// - Throws: ``ArchiveError`` that names the entry.
  package func range(of entry: Entry) throws(ArchiveError) -> Range<Int>? {
    guard entry.method == 0 else { return nil }
    do throws(ArchiveError) {
      let range = try packedRange(of: entry)
      guard range.count == entry.size else { throw ArchiveError("its size is not that of its bytes") }
      return range
    } catch { throw ArchiveError("the entry \(entry.name) cannot be read: \(error)") }
  }

  /// Returns bytes of the file, such as a part of an entry that is not compressed.
  ///
  /// - Throws: ``ArchiveError`` for a range outside the file.
  package func bytes(_ range: Range<Int>) throws(ArchiveError) -> [UInt8] { try Self.bytes(file, range) }

  /// Returns the range of an entry's bytes in the file as they are stored.
  private func packedRange(of entry: Entry) throws(ArchiveError) -> Range<Int> {
    let header = try Self.bytes(file, start + entry.header..<start + entry.header + 30)
    guard header.number(at: 0, 4) == 0x0403_4B50 else {
      throw ArchiveError("it is not where the list says")
    }
    let first = start + entry.header + 30 + header.number(at: 26, 2) + header.number(at: 28, 2)
    guard first + entry.packed <= file.size else { throw ArchiveError("it is cut off") }
    return first..<first + entry.packed
  }

  private static let damagedList = ArchiveError("its list of entries is damaged")

  /// Returns sizes and an offset; those that need 64 bits are read from an extra field.
  ///
  /// - Source: APPNOTE 4.5.3.
  private static func largeNumbers(
    _ numbers: [Int], _ list: [UInt8], _ extra: Range<Int>
  ) throws(ArchiveError) -> [Int] {
    guard numbers.contains(0xFFFF_FFFF) else { return numbers }
    var place = extra.lowerBound
    while place + 4 <= extra.upperBound {
      let (kind, length) = (list.number(at: place, 2), list.number(at: place + 2, 2))
      place += 4
      guard place + length <= extra.upperBound else { break }
      if kind == 1 {
        var (numbers, next) = (numbers, place)
        for index in numbers.indices where numbers[index] == 0xFFFF_FFFF {
          guard next + 8 <= place + length else { throw damagedList }
          numbers[index] = list.number(at: next, 8)
          // A size that no file can have would overflow sums.
          guard numbers[index] >= 0, numbers[index] < 1 << 48 else { throw damagedList }
          next += 8
        }
        return numbers
      }
      place += length
    }
    throw damagedList
  }

  fileprivate static func bytes(_ file: RandomAccessFile, _ range: Range<Int>) throws(ArchiveError) -> [UInt8]
  {
    guard range.lowerBound >= 0, range.upperBound <= file.size else { throw ArchiveError("it is cut off") }
    do { return try file.bytes(range) } catch { throw ArchiveError(error.reason) }
  }

  /// The record at the end of an archive, which says where the list of entries is.
  private struct EndRecord {
    /// The number of entries.
    let count: Int
    /// The size of the list.
    let size: Int
    /// The list's offset in the archive.
    let start: Int
    /// The end of the list in the file.
    let place: Int

    init(_ file: RandomAccessFile) throws(ArchiveError) {
      // The record has 22 bytes and a comment of at most 65,535 bytes.
      let tailStart = max(0, file.size - 65_557)
      let tail = try ZipArchive.bytes(file, tailStart..<file.size)
      let signature: [UInt8] = [0x50, 0x4B, 5, 6]
      guard tail.count >= 22,
        let end = (0...tail.count - 22).last(where: {
          tail[$0] == 0x50 && tail[$0..<$0 + 4] == signature[...]
        })
      else { throw ArchiveError("is not a complete zip archive") }
      let numbers = (tail.number(at: end + 10, 2), tail.number(at: end + 12, 4), tail.number(at: end + 16, 4))
      guard tail.number(at: end + 4, 4) == 0, numbers.0 == tail.number(at: end + 8, 2) else {
        throw ArchiveError("is one of several parts of an archive")
      }
      guard numbers.0 == 0xFFFF || numbers.1 == 0xFFFF_FFFF || numbers.2 == 0xFFFF_FFFF else {
        (count, size, start) = numbers
        place = tailStart + end
        guard size <= place else { throw ZipArchive.damagedList }
        return
      }
      // The 64-bit record is found by its locator, which precedes this record.
      guard end >= 20, tail.number(at: end - 20, 4) == 0x0706_4B50 else { throw ZipArchive.damagedList }
      let offset = tail.number(at: end - 12, 8)
      guard offset >= 0, offset < file.size - 56 else { throw ZipArchive.damagedList }
      let record = try ZipArchive.bytes(file, offset..<offset + 56)
      (count, size, start, place) =
        (record.number(at: 32, 8), record.number(at: 40, 8), record.number(at: 48, 8), offset)
      guard record.number(at: 0, 4) == 0x0606_4B50, count >= 0, size >= 0, start >= 0, size <= place else {
        throw ZipArchive.damagedList
      }
    }
  }
}

extension [UInt8] {
  /// Returns a little-endian number of up to 8 bytes.
  fileprivate func number(at offset: Int, _ size: Int) -> Int {
    var value = 0
    for index in (0..<size).reversed() { value = value << 8 | Int(self[offset + index]) }
    return value
  }
}
