package import MapReaders

/// The header of a `.dbf` file: its size, its fields and the language of its texts.
///
/// - Source: dBASE III and IV, as in https://www.dbase.com/Knowledgebase/INT/db7_file_fmt.htm, without the longer
///   fields of dBASE 7.
package struct AttributeHeader: Sendable {
  /// The number of bytes before the first record.
  package let size: Int
  /// The number of bytes of a record, with its mark.
  package let recordSize: Int
  /// The number of records.
  package let recordCount: Int
  /// The number of the language driver; 0 when it is not stated.
  package let language: UInt8
  /// A field: the letter of its type, such as `C` for text and `L` for a logical value, and its bytes in a record.
  package struct Field: Sendable {
    package let type: UInt8
    let range: Range<Int>
  }

  /// The fields.
  package let fields: [Field]

  /// Reads a header; nil for one that is too short for a field.
  ///
  /// - Parameter bytes: at least the bytes before the first record; fields beyond them are left out.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 32 else { return nil }
    recordCount = bytes.little(at: 4, size: 4)
    size = bytes.little(at: 8, size: 2)
    recordSize = bytes.little(at: 10, size: 2)
    language = bytes[29]
    // A header has 32 bytes, one of 32 per field and an end mark; a record has a mark and at least one byte.
    guard size >= 65, recordSize >= 2 else { return nil }
    var fields: [Field] = []
    // A record starts with its mark.
    var (offset, start) = (32, 1)
    while offset + 32 <= min(size, bytes.count), bytes[offset] != 0x0D {
      let range = start..<start + Int(bytes[offset + 16])
      fields.append(Field(type: bytes[offset + 11], range: range))
      (offset, start) = (offset + 32, range.upperBound)
    }
    self.fields = fields
  }

  /// The encoding of a language driver; nil for one that is unknown or not stated.
  ///
  /// - Source: the list of language drivers in shapelib and QGIS, after dBASE and FoxPro. 87, the default of Windows,
  ///   is windows-1252 here; most programs write it for western European texts.
  package static func encoding(ofLanguage language: UInt8) -> TextEncoding? {
    let page: Int
    switch language {
    case 1, 11, 13, 15, 17, 21, 24, 25, 27: page = 437
    case 2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55: page = 850
    case 3, 87, 88, 89: page = 1252
    case 4: page = 10000
    case 8, 23, 102: page = 865
    case 19, 123: page = 932
    case 28, 108: page = 863
    case 31, 34, 35, 64, 100, 135: page = 852
    case 36: page = 860
    case 38, 101: page = 866
    case 77, 122: page = 936
    case 78, 121: page = 949
    case 79, 120: page = 950
    case 80, 124: page = 874
    case 103: page = 861
    case 106, 134: page = 737
    case 107, 136: page = 857
    case 125: page = 1255
    case 126: page = 1256
    case 150: page = 10007
    case 151: page = 10029
    case 200: page = 1250
    case 201: page = 1251
    case 202: page = 1254
    case 203: page = 1253
    case 204: page = 1257
    default: return nil
    }
    return TextEncoding("\(page)")
  }
}
