package import MapFilter
package import MapGeometry

extension AttributeValue {
  /// Returns the value as a column of a field's type stores it; nil if the types do not match.
  package func stored(as type: FieldType) -> AttributeValue? {
    switch (type.attributeType, self) {
    case (_, .null), (.text, .text), (.integer, .integer), (.real, .real), (.boolean, .boolean),
      (.instant, .instant), (.date, .date):
      self
    case (.real, .integer(let value)): .real(Double(value))
    case (.instant, .date(let date)): .instant(date.start)
    case (.date, .instant(let instant)): .date(instant.date)
    default: nil
    }
  }
}

extension Column {
  /// Creates a column of values that all match the type or are null.
  package init(of values: [AttributeValue], type: FieldType) {
    self.init(of: values, attributeType: type.attributeType)
  }

  /// Creates a column of values that all match the type or are null.
  init(of values: [AttributeValue], attributeType: AttributeType?) {
    let validity = RowSet(rowCount: values.count, rows: values.indices.filter { values[$0] != .null })
    self.init(Self.storage(values, attributeType), validity: validity.count == values.count ? nil : validity)
  }

  private static func storage(_ values: [AttributeValue], _ type: AttributeType?) -> Storage {
    switch type {
    case .integer: .integers(values.map { if case .integer(let value) = $0 { value } else { 0 } })
    case .real: .reals(values.map { if case .real(let value) = $0 { value } else { 0 } })
    case .boolean: .booleans(values.map { $0 == .boolean(true) })
    case .date: .dates(values.map { if case .date(let value) = $0 { value.days } else { 0 } })
    case .instant:
      .instants(values.map { if case .instant(let value) = $0 { value.microseconds } else { 0 } })
    case .text, .duration, .geometry, .interval, .array, nil: text(values)
    }
  }

  private static func text(_ values: [AttributeValue]) -> Storage {
    var codes: [Int32] = []
    codes.reserveCapacity(values.count)
    var dictionary: [String] = []
    var known: [AttributeValue: Int32] = [:]
    // A text is hashed once: an unknown one gets the next code.
    func code(_ slot: inout Int32, _ text: String) -> Int32 {
      if slot < 0 {
        slot = Int32(dictionary.count)
        dictionary.append(text)
      }
      return slot
    }
    for value in values {
      guard case .text(let text) = value else {
        codes.append(-1)
        continue
      }
      codes.append(code(&known[value, default: -1], text))
      // Growing would hash all texts again.
      if codes.count == 1 << 14, dictionary.count > codes.count / 2 { known.reserveCapacity(values.count) }
    }
    return .text(codes: codes, dictionary: dictionary)
  }
}

extension CoordinateBuffer {
  /// Adds a geometry of the buffer's kind, or an envelope as a polygon.
  ///
  /// Nil, an empty geometry, another kind and an invalid geometry become a row without geometry.
  package mutating func append(_ geometry: GeometryForm?) {
    var buffer: CoordinateBuffer?
    if let geometry, !geometry.geometry.isEmpty { buffer = try? CoordinateBuffer(query: geometry) }
    guard let buffer, buffer.rowCount == 1 else { return appendEmptyRow() }
    switch (kind, buffer.kind) {
    case (kind, kind): appendRow(0, of: buffer)
    default: appendEmptyRow()
    }
  }
}
