import MapFeatures
import MapFilter
import MapJSON

/// The JSON text of lists, structures and maps.
///
/// Texts, dates and timestamps are strings, and binary values have no place in it. Keys of maps are strings, and equal
/// keys stay beside each other. Numbers that are not finite are null.
///
/// - Source: the types of DuckDB's `to_json`.
struct ArrowText {
  private indirect enum Content {
    /// Values of other types, the first at the index ``ArrowText/first``, and each distinct text as JSON.
    case values(Column, texts: [[UInt8]])
    case list(ArrowText), map(keys: ArrowText, values: ArrowText)
    case structure([(name: [UInt8], values: ArrowText)])
  }

  /// The number of bytes that the texts of an array may take.
  ///
  /// - Source: design decision; names of structures are in each text and once in the file.
  struct Limit {
    private var left: Int

    init(_ array: ArrowArray) { left = (64 << 20) + 1024 * array.count + 16 * Self.size(of: array) }

    private static func size(of array: ArrowArray) -> Int {
      array.buffers.reduce(0) { $0 + $1.count } + array.children.reduce(0) { $0 + size(of: $1) }
    }

    fileprivate mutating func take(_ count: Int) throws(ArrowError) {
      left -= count
      guard left >= 0 else { throw ArrowError("its JSON texts are longer than its values by far") }
    }
  }

  private let array: ArrowArray
  /// The index of the first value that is read.
  private let first: Int
  private let content: Content
  /// Whether values were rounded, or are null or in UTC because of their type.
  let isChanged: Bool

  /// Reads the values of some rows.
  init(_ field: ArrowField, _ array: ArrowArray, _ rows: Range<Int>) throws {
    (self.array, first) = (array, rows.lowerBound)
    if let (type, kind) = field.type.field {
      // Offsets that overlap would make texts of more bytes than there are.
      if case .bytes = array.type {
        var limit = Limit(array)
        for row in rows where array.isValid(row) { try limit.take(try array.place(row).range.count) }
      }
      var column = ArrowColumn(field: 0, DeclaredColumn(Field(name: field.name, type: type), kind))
      try column.append(array, rows)
      column.finish()
      let (values, warnings) = column.values.finished()
      var texts: [[UInt8]] = []
      if case .text(_, let dictionary) = values.storage {
        texts = dictionary.map { text in
          var writer = JSONWriter()
          writer.append(string: text)
          return writer.bytes
        }
      }
      (content, isChanged) = (
        .values(values, texts: texts), !warnings.isEmpty || !column.warnings.isEmpty
      )
      return
    }
    switch (field.type, array.children.count) {
    case (.structure, field.children.count):
      let members = try zip(field.children, array.children).map { child, values in
        var writer = JSONWriter()
        writer.append(string: child.name)
        return (name: writer.bytes, values: try ArrowText(child, values, rows))
      }
      (content, isChanged) = (.structure(members), members.contains(where: \.values.isChanged))
    case (.map, 1):
      let (entries, items) = (array.children[0], try array.items(of: rows))
      guard entries.children.count == 2 else { throw ArrowError("a part of it is missing") }
      let pair = try zip(field.children[0].children, entries.children).map {
        try ArrowText($0, $1, items)
      }
      (content, isChanged) = (
        .map(keys: pair[0], values: pair[1]), pair.contains(where: \.isChanged)
      )
    case (_, 1):
      let element = try ArrowText(field.children[0], array.children[0], try array.items(of: rows))
      (content, isChanged) = (.list(element), element.isChanged)
    default: throw ArrowError("a part of it is missing")
    }
  }

  /// Appends the text of a value.
  func append(_ row: Int, to bytes: inout [UInt8], _ limit: inout Limit) throws(ArrowError) {
    let start = bytes.count
    guard array.isValid(row) else {
      bytes += Array("null".utf8)
      return try limit.take(4)
    }
    switch content {
    case .values(let column, let texts):
      if case .text(let codes, _) = column.storage, column.isValid(row - first) {
        bytes += texts[Int(codes[row - first])]
      } else {
        bytes += Array(column.value(at: row - first).jsonText.utf8)
      }
      try limit.take(bytes.count - start)
    case .list(let element):
      try limit.take(2)
      bytes.append(UInt8(ascii: "["))
      for (number, item) in try array.nested(row).enumerated() {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        try element.append(item, to: &bytes, &limit)
      }
      bytes.append(UInt8(ascii: "]"))
    case .map(let keys, let values):
      try limit.take(2)
      bytes.append(UInt8(ascii: "{"))
      for (number, item) in try array.nested(row).enumerated() {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        var key: [UInt8] = []
        try keys.append(item, to: &key, &limit)
        if key.first == UInt8(ascii: "\"") { bytes += key } else { bytes += Self.quoted(key) }
        bytes.append(UInt8(ascii: ":"))
        try values.append(item, to: &bytes, &limit)
      }
      bytes.append(UInt8(ascii: "}"))
    case .structure(let members):
      try limit.take(2)
      bytes.append(UInt8(ascii: "{"))
      for (number, member) in members.enumerated() {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        try limit.take(member.name.count + 2)
        bytes += member.name
        bytes.append(UInt8(ascii: ":"))
        try member.values.append(row, to: &bytes, &limit)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Returns a JSON text as a string of JSON.
  private static func quoted(_ text: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.append(string: String(decoding: text, as: UTF8.self))
    return writer.bytes
  }
}

extension ArrowArray {
  /// Returns the indices of the child values of a row.
  fileprivate func nested(_ row: Int) throws(ArrowError) -> Range<Int> {
    if case .fixedList(let size) = type { return row * size..<(row + 1) * size }
    return try items(row)
  }

  /// Returns the least range of child values that holds those of all rows.
  fileprivate func items(of rows: Range<Int>) throws(ArrowError) -> Range<Int> {
    var found: Range<Int>?
    for row in rows where isValid(row) {
      let own = try nested(row)
      guard !own.isEmpty else { continue }
      found = found.map { min($0.lowerBound, own.lowerBound)..<max($0.upperBound, own.upperBound) } ?? own
    }
    return found ?? 0..<0
  }
}
