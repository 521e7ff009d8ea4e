package import MapFeatures
import MapFilter
import MapGeometry
import MapJSON

/// A table whose fields cannot be read as coordinates.
package struct PlacementFault: Error, Hashable, CustomStringConvertible {
  /// The fault in one line.
  package let description: String
  /// The nearest name of a field.
  package let suggestion: String?
}

extension FeatureColumns {
  /// Returns the table with the points of two fields; a table with geometries of its own is refused.
  ///
  /// Rows without a number in both fields have no geometry. Numbers beyond ±180 and ±90 are Web Mercator unless the
  /// options state a spatial reference.
  package func withPoints(_ options: ReadingOptions) throws(PlacementFault) -> FeatureColumns {
    guard let xField = options.xField, let yField = options.yField else { return self }
    guard geometry == nil else {
      throw PlacementFault(
        description:
          "--x and --y name fields of a table without geometry; this one has geometries of its own",
        suggestion: nil)
    }
    let (x, y) = (try index(of: xField), try index(of: yField))
    guard x != y else {
      throw PlacementFault(
        description: "field \"\(schema.fields[x].name)\" is named for x and for y; name two fields",
        suggestion: nil)
    }
    let (buffer, missing) = try points(x, y)
    var warnings = warnings
    if missing > 0 {
      let rows =
        missing == 1
        ? "1 row with one coordinate of two was" : "\(missing) rows with one coordinate of two were"
      warnings.append("\(rows) read without geometry")
    }
    var reference = options.sourceReference
    if reference == nil {
      let guess = ReferenceGuess(EnvelopeColumns(of: buffer))
      reference = guess.reference
      if guess.reference != .wgs84 { warnings.append(guess.warning) }
    }
    if options.mayHaveDegrees, let warning = SwappedColumns(x: xField, y: yField, buffer)?.warning {
      warnings.append(warning)
    }
    return FeatureColumns(
      schema: FeatureSchema(fields: schema.fields, geometryKind: .point, spatialReference: reference),
      columns: columns, geometry: buffer, rowCount: rowCount, warnings: warnings, objectIDs: objectIDs,
      isComplete: isComplete)
  }

  /// Returns the points of two fields, and the number of rows with one coordinate of two.
  private func points(
    _ xIndex: Int, _ yIndex: Int
  ) throws(PlacementFault) -> (buffer: CoordinateBuffer, missing: Int) {
    if let x = columns[xIndex].finiteReals, let y = columns[yIndex].finiteReals {
      return (CoordinateBuffer(pointsAtX: x, y: y), 0)
    }
    let (x, y) = (try numbers(xIndex), try numbers(yIndex))
    var builder = CoordinateBuilder()
    var missing = 0
    for row in 0..<rowCount {
      guard let east = x[row], let north = y[row] else {
        if x[row] != nil || y[row] != nil { missing += 1 }
        builder.appendEmptyRow()
        continue
      }
      do throws(GeometryFault) {
        try builder.beginRow(.point)
        try builder.addVertex(x: east, y: north)
      } catch { throw PlacementFault(description: "row \(row + 1): \(error)", suggestion: nil) }
      builder.endRow()
    }
    return (builder.result ?? CoordinateBuffer(kind: .point, emptyRows: rowCount), missing)
  }

  private func index(of name: String) throws(PlacementFault) -> Int {
    let names = schema.fields.map(\.name)
    guard
      let index = names.firstIndex(of: name)
        ?? names.firstIndex(where: { $0.lowercased() == name.lowercased() })
    else {
      let nearest = NearestName.of(name, among: names)
      let advice = nearest.map { "did you mean \"\($0)\"? " } ?? ""
      throw PlacementFault(
        description:
          "no field named \"\(name)\"; \(advice)available: \(names.prefix(30).joined(separator: ", "))",
        suggestion: nearest)
    }
    return index
  }

  /// The values of a field as numbers; a text that is no number is a fault.
  private func numbers(_ index: Int) throws(PlacementFault) -> [Double?] {
    let (column, name) = (columns[index], schema.fields[index].name)
    switch column.storage {
    case .reals(let values): return values.indices.map { column.isValid($0) ? values[$0] : nil }
    case .integers(let values): return values.indices.map { column.isValid($0) ? Double(values[$0]) : nil }
    case .shortIntegers(let values):
      return values.indices.map { column.isValid($0) ? Double(values[$0]) : nil }
    default: break
    }
    var found: [Double?] = []
    for row in 0..<rowCount {
      switch column.value(at: row) {
      case .null: found.append(nil)
      case .text(let text):
        let plain = text.filter { !$0.isWhitespace }
        guard !plain.isEmpty else {
          found.append(nil)
          continue
        }
        guard let value = Double(plain), value.isFinite else {
          throw PlacementFault(
            description: "row \(row + 1): \"\(text.prefix(40))\" in field \(name) is not a number",
            suggestion: nil)
        }
        found.append(value)
      default:
        throw PlacementFault(
          description: "field \(name) has neither numbers nor texts, so it has no coordinates",
          suggestion: nil)
      }
    }
    return found
  }
}

extension Column {
  /// The values of a column of finite numbers without nulls; nil for another column.
  fileprivate var finiteReals: [Double]? {
    guard validity == nil, case .reals(let values) = storage, values.allSatisfy(\.isFinite) else {
      return nil
    }
    return values
  }
}
