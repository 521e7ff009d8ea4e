import MapFeatures
import MapGeometry

/// Reads the geometries of an array as rows of a builder.
struct ArrowShapes {
  private let encoding: ArrowGeometry.Encoding
  private var losses = GeometryLosses()
  /// The SRIDs that well-known texts state; nil for a text without one.
  private var stated: Set<Int?> = []

  /// A row whose geometry cannot be read.
  struct BadRow: Sendable {
    let row: Int
    let reason: String
  }

  /// Adds the geometries of an array, which are indices if there is a dictionary; returns what was lost.
  ///
  /// - Parameters:
  ///   - firstRow: The number of the first row in the data, for errors.
  ///   - shared: The number of bytes that geometries may take together.
  ///   - bad: The rows whose geometries cannot be read, which are empty then; nil if such a row is an error.
  static func append(
    _ array: ArrowArray, _ dictionary: ArrowDictionary?, _ encoding: ArrowGeometry.Encoding, firstRow: Int,
    shared: Int, bad: inout [BadRow]?, to builder: inout CoordinateBuilder
  ) throws -> GeometryLosses {
    guard bad != nil else {
      return try append(array, dictionary, encoding, rows: 0..<array.count, firstRow, shared, to: &builder)
    }
    var losses = GeometryLosses()
    for row in 0..<array.count {
      // A geometry that fails leaves vertices in the builder.
      var trial = CoordinateBuilder(allowsSeveralKinds: true)
      do {
        losses.append(
          try append(array, dictionary, encoding, rows: row..<row + 1, firstRow, shared, to: &trial))
        try builder.appendRows(of: trial)
      } catch {
        bad?.append(BadRow(row: row, reason: "\(error)"))
        builder.appendEmptyRow()
      }
    }
    return losses
  }

  private static func append(
    _ array: ArrowArray, _ dictionary: ArrowDictionary?, _ encoding: ArrowGeometry.Encoding,
    rows: Range<Int>, _ firstRow: Int, _ shared: Int, to builder: inout CoordinateBuilder
  ) throws -> GeometryLosses {
    var shapes = ArrowShapes(encoding: encoding)
    if dictionary == nil, encoding == .binary, array.type == .bytes(.large, isText: false) {
      try shapes.appendBinary(array, rows, firstRow, shared, to: &builder)
      return shapes.losses
    }
    var left = shared
    for row in rows {
      guard array.isValid(row) else {
        builder.appendEmptyRow()
        continue
      }
      do {
        if case .coordinates(let kind, let nesting) = encoding {
          try shapes.append(array, row, kind, nesting: nesting, to: &builder)
          continue
        }
        var (part, index) = (array, row)
        if let dictionary { (part, index) = try dictionary.place(of: array.integer(row)) }
        guard part.isValid(index) else {
          builder.appendEmptyRow()
          continue
        }
        let (bytes, range) = try part.place(index)
        left -= range.count
        guard left >= 0 else { throw tooLong }
        try shapes.append(bytes, range, to: &builder)
      } catch { throw ArrowError("row \(firstRow + row + 1): \(error)") }
    }
    return shapes.losses
  }

  private static let tooLong = ArrowError("geometries share bytes, and are longer than those by far")

  /// Adds geometries in well-known binary, with the array's buffers held once for all rows.
  private mutating func appendBinary(
    _ array: ArrowArray, _ rows: Range<Int>, _ firstRow: Int, _ shared: Int,
    to builder: inout CoordinateBuilder
  ) throws {
    var left = shared
    let (offsets, content) = (array.buffers[0], array.buffers[1])
    let places = offsets.bytes.span.extracting(offsets.range)
    let bytes = content.bytes.span.extracting(content.range)
    for row in rows {
      guard array.isValid(row) else {
        builder.appendEmptyRow()
        continue
      }
      let (start, end) = (places.int64(at: 8 * row), places.int64(at: 8 * row + 8))
      do {
        guard start >= 0, start <= end, end <= bytes.count else { throw ArrowError.outside }
        left -= end - start
        guard left >= 0 else { throw Self.tooLong }
        losses.note(try WellKnownBinary.appendRow(bytes.extracting(start..<end), to: &builder))
      } catch { throw ArrowError("row \(firstRow + row + 1): \(error)") }
    }
  }

  /// Adds the geometries of a column of well-known text; returns what was lost, and the SRID if the texts state one.
  ///
  /// - Parameters:
  ///   - hasReference: Whether the caller states the spatial reference, so that some texts may lack theirs.
  ///   - shared: The number of bytes that geometries may take together.
  ///   - bad: The rows whose geometries cannot be read, which are empty then; nil if such a row is an error.
  static func append(
    texts column: Column, hasReference: Bool, shared: Int, bad: inout [BadRow]?,
    to builder: inout CoordinateBuilder
  ) throws -> (losses: GeometryLosses, srid: Int?) {
    guard case .text(let codes, let dictionary) = column.storage else { return (GeometryLosses(), nil) }
    var shapes = ArrowShapes(encoding: .text)
    var left = shared
    for (row, code) in codes.enumerated() {
      let text = code < 0 ? [] : Array(dictionary[Int(code)].utf8)
      guard !text.isEmpty else {
        builder.appendEmptyRow()
        continue
      }
      left -= text.count
      guard left >= 0 else { throw tooLong }
      do {
        // A geometry that fails leaves vertices in the builder.
        var trial = CoordinateBuilder(allowsSeveralKinds: true)
        try shapes.append(text, text.indices, to: &trial)
        try builder.appendRows(of: trial)
      } catch {
        guard bad != nil else { throw ArrowError("row \(row + 1): \(error)") }
        bad?.append(BadRow(row: row, reason: "\(error)"))
        builder.appendEmptyRow()
      }
    }
    let numbers = Set(shapes.stated.compactMap { $0 })
    guard numbers.count < 2, numbers.isEmpty || hasReference || shapes.stated.count == 1 else {
      throw ArrowError("its geometries state different SRIDs")
    }
    return (shapes.losses, numbers.first)
  }

  private init(encoding: ArrowGeometry.Encoding) { self.encoding = encoding }

  /// Adds a geometry in well-known binary or text.
  private mutating func append(_ bytes: [UInt8], _ range: Range<Int>, to builder: inout CoordinateBuilder)
    throws
  {
    guard encoding == .text else {
      losses.note(try WellKnownBinary.appendRow(bytes.span.extracting(range), to: &builder))
      return
    }
    do throws(WellKnownTextError) {
      let remarks = try WellKnownText.appendRow(bytes, range, to: &builder)
      stated.insert(remarks.srid)
      losses.note(srid: remarks.srid)
      if remarks.isFlattened { losses.flattened += 1 }
      if remarks.isJoined { losses.joinedCollections += 1 }
      if remarks.isOfSeveralKinds { losses.mixedCollections += 1 }
      if remarks.isCurved { losses.curves += 1 }
    } catch { throw ArrowError("\(error.reason)") }
  }

  /// Adds a geometry of GeoArrow's own encoding.
  private mutating func append(
    _ array: ArrowArray, _ row: Int, _ kind: GeometryKind, nesting: Int, to builder: inout CoordinateBuilder
  ) throws {
    try builder.beginRow(kind)
    let hasMore: Bool
    if nesting == 0 {
      hasMore = try Self.addVertex(array, row, to: &builder)
    } else if kind == .multipoint {
      hasMore = try add(array.children[0], try array.items(row), to: &builder)
    } else if nesting == 3 {
      var isLong = false
      for polygon in try array.items(row) {
        let parts = array.children[0]
        for ring in try parts.items(polygon) { isLong = try addPart(parts.children[0], ring, to: &builder) }
        builder.endPolygon()
      }
      hasMore = isLong
    } else if nesting == 2 {
      var isLong = false
      for part in try array.items(row) { isLong = try addPart(array.children[0], part, to: &builder) }
      hasMore = isLong
    } else {
      hasMore = try addPart(array, row, to: &builder)
    }
    builder.endRow()
    if hasMore { losses.flattened += 1 }
  }

  /// Adds a line or a ring; returns whether its positions have more than two coordinates.
  private mutating func addPart(
    _ list: ArrowArray, _ row: Int, to builder: inout CoordinateBuilder
  ) throws -> Bool {
    let hasMore = try add(list.children[0], try list.items(row), to: &builder)
    if !builder.endPartIfSound() { losses.droppedParts += 1 }
    return hasMore
  }

  private func add(
    _ coordinates: ArrowArray, _ range: Range<Int>, to builder: inout CoordinateBuilder
  ) throws -> Bool {
    var hasMore = false
    for vertex in range { hasMore = try Self.addVertex(coordinates, vertex, to: &builder) }
    return hasMore
  }

  /// Adds a position; NaN in both coordinates, an empty point, adds none.
  @inline(__always)
  private static func addVertex(
    _ array: ArrowArray, _ row: Int, to builder: inout CoordinateBuilder
  ) throws -> Bool {
    let (x, y, count): (Double, Double, Int)
    if case .fixedList(let size) = array.type {
      (x, y, count) = (array.children[0].real(row * size), array.children[0].real(row * size + 1), size)
    } else {
      (x, y, count) = (array.children[0].real(row), array.children[1].real(row), array.children.count)
    }
    if x.isNaN, y.isNaN { return false }
    try builder.addVertex(x: x, y: y)
    return count > 2
  }
}
