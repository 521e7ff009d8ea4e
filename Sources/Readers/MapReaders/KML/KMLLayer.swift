import MapFeatures
import MapGeometry

/// The placemarks of a folder in columns.
struct KMLLayer: Sendable {
  private let options: ReadingOptions
  private var geometry: CoordinateBuilder
  private var columns: [KMLColumn] = []
  /// The columns of own elements and of extended data, by their names.
  private var ownColumns: [String: Int] = [:], dataColumns: [String: Int] = [:]
  private var rowCount = 0
  private var losses = GeometryLosses()
  /// The tracks, and the positions in them.
  private var tracks = 0, trackPositions = 0
  /// The identifiers of schemas in use, in order of appearance.
  private var schemas: [String] = []
  private var hasPlacesBeyondDegrees = false

  init(_ options: ReadingOptions) {
    self.options = options
    geometry = CoordinateBuilder(allowsSeveralKinds: true)
  }

  // MARK: Rows

  /// Adds a row.
  ///
  /// - Throws: `ReadFault` for a field beyond ``FeatureSchema/fieldLimit``.
  mutating func append(_ placemark: KMLPlacemark, at place: Int) throws(ReadFault) {
    for (name, text) in placemark.own {
      if ownColumns[name] == nil { ownColumns[name] = try add(KMLColumn(own: name), at: place) }
      if let index = ownColumns[name] { columns[index].set(text, row: rowCount, schema: nil) }
    }
    for datum in placemark.data {
      if dataColumns[datum.name] == nil {
        dataColumns[datum.name] = try add(KMLColumn(datum.name, alias: datum.alias), at: place)
      }
      if let index = dataColumns[datum.name] {
        columns[index].set(datum.text, row: rowCount, schema: datum.schema)
      }
      if let schema = datum.schema, !schemas.contains(schema) { schemas.append(schema) }
    }
    try append(placemark.shape, at: place)
    rowCount += 1
  }

  private mutating func add(_ column: KMLColumn, at place: Int) throws(ReadFault) -> Int {
    guard columns.count < FeatureSchema.fieldLimit else {
      throw ReadFault("a folder has more than \(FeatureSchema.fieldLimit) fields", at: place)
    }
    columns.append(column)
    return columns.count - 1
  }

  private mutating func append(_ shape: KMLShape, at place: Int) throws(ReadFault) {
    tracks += shape.tracks
    trackPositions += shape.trackPositions
    if shape.hasHeights { losses.flattened += 1 }
    if shape.isOfSeveralKinds { losses.mixedCollections += 1 }
    guard let kind = shape.kind, !shape.isOfSeveralKinds else { return geometry.appendEmptyRow() }
    do throws(GeometryFault) {
      try geometry.beginRow(kind)
      var (vertex, isOuterSound) = (0, true)
      for part in shape.parts {
        defer { vertex = part.end }
        if !part.isHole { geometry.endPolygon() }
        // A hole without the ring around it would become an area.
        if part.isHole, !isOuterSound {
          losses.droppedParts += 1
          continue
        }
        for index in vertex..<part.end {
          let (x, y) = (shape.x[index], shape.y[index])
          if abs(x) > 540 || abs(y) > 90 { hasPlacesBeyondDegrees = true }
          try geometry.addVertex(x: x, y: y)
        }
        guard kind == .polyline || kind == .polygon else { continue }
        let isSound = geometry.endPartIfSound()
        if !isSound { losses.droppedParts += 1 }
        if !part.isHole { isOuterSound = isSound }
      }
    } catch {
      throw ReadFault(.geometry(error), at: place)
    }
    geometry.endPolygon()
    geometry.endRow()
  }

  // MARK: Result

  /// Returns the table with the wanted fields.
  func table(fields: FieldSelection, schemas known: [String: KMLSchema], warnings: [String]) -> FeatureColumns
  {
    var columns = columns
    for schema in schemas {
      for field in known[schema]?.fields ?? [] {
        if let index = dataColumns[field.name] {
          columns[index].declare(field, schema: schema)
        } else if !columns.contains(where: { !$0.isOwn && $0.name == field.name }),
          columns.count < FeatureSchema.fieldLimit
        {
          var column = KMLColumn(field.name, alias: field.alias)
          column.declare(field, schema: schema)
          columns.append(column)
        }
      }
    }
    var warnings = warnings
    let unknown = schemas.filter { !$0.isEmpty && known[$0] == nil }
    if !unknown.isEmpty {
      warnings.append(
        "no schema named \(unknown.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")) is in the file: its fields were read as text"
      )
    }
    let dataNames = Set(columns.lazy.filter { !$0.isOwn }.map(\.name))
    for index in columns.indices where columns[index].isOwn && dataNames.contains(columns[index].name) {
      let name = columns[index].name
      columns[index].name = Self.free("kml_\(name.lowercased())", dataNames)
      warnings.append(
        "field \(name): the placemarks' own element is field \(columns[index].name), since their data have a field \(name)"
      )
    }
    let buffers = geometry.results
    let selection = fields.among(
      columns.map(\.name), geometryName: buffers.isEmpty ? nil : FeatureSchema.defaultGeometryName)
    let finished = columns.filter { selection.contains($0.name) }.map { $0.finished(rowCount: rowCount) }
    let (reference, contradictions) = options.reference(stated: .wgs84)
    warnings += contradictions + finished.flatMap(\.warnings)
    if tracks > 0 {
      warnings.append(
        "\(tracks) track\(tracks == 1 ? " was read as a line" : "s were read as lines"): the times, angles and data of "
          + "\(trackPositions) positions were dropped")
    }
    warnings += losses.warnings(of: geometry)
    if reference == .wgs84, hasPlacesBeyondDegrees {
      warnings.append(
        "coordinates beyond 540° or 90°: if they are not degrees, --source-reference has to say so")
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: buffers.first?.kind,
        spatialReference: buffers.isEmpty ? nil : reference),
      columns: finished.map(\.column), geometry: buffers.first,
      otherGeometries: Array(buffers.dropFirst()), rowCount: rowCount, warnings: warnings)
  }

  private static func free(_ name: String, _ used: Set<String>) -> String {
    var (free, number) = (name, 2)
    while used.contains(free) {
      free = "\(name)_\(number)"
      number += 1
    }
    return free
  }
}
