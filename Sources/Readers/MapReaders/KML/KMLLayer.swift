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
  private var schemas: [String] = [], knownSchemas: Set<String> = []
  private var hasPlacesBeyondDegrees = false
  /// The styles in use, in order of appearance, and the code of each row's.
  private var styles: [KMLStyleNode] = [], styleCodes: [KMLStyleNode: Int] = [:], rowStyles: [Int] = []
  /// The kinds of geometries with each style; several points are points.
  private var styleKinds: [Set<GeometryKind>] = []
  /// The placemarks, those that the file hides, and those with several kinds of geometry.
  private var placemarks = 0, hiddenPlacemarks = 0, severalKinds = 0
  /// The inner boundaries of polygons without an outer one.
  private var looseHoles = 0

  init(_ options: ReadingOptions) {
    self.options = options
    geometry = CoordinateBuilder(allowsSeveralKinds: true)
  }

  // MARK: Rows

  /// Adds a row for each kind of a placemark's geometry, or one without geometry.
  ///
  /// - Throws: `ReadFault` for a field beyond ``FeatureSchema/fieldLimit``.
  mutating func append(_ placemark: KMLPlacemark, at place: Int) throws(ReadFault) {
    let shape = placemark.shape
    placemarks += 1
    if placemark.isHidden { hiddenPlacemarks += 1 }
    looseHoles += shape.looseHoles
    tracks += shape.tracks
    trackPositions += shape.trackPositions
    if shape.hasHeights { losses.flattened += 1 }
    if shape.kinds.count > 1 { severalKinds += 1 }
    try append(placemark, shape.kinds.first, at: place)
    for kind in shape.kinds.dropFirst() { try append(placemark, kind, at: place) }
  }

  private mutating func append(
    _ placemark: KMLPlacemark, _ kind: GeometryKind?, at place: Int
  ) throws(ReadFault) {
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
      if let schema = datum.schema, knownSchemas.insert(schema).inserted { schemas.append(schema) }
    }
    if let kind {
      try append(placemark.shape, kind, at: place)
    } else {
      geometry.appendEmptyRow()
    }
    let code = styleCodes[placemark.style] ?? styles.count
    if code == styles.count {
      styleCodes[placemark.style] = code
      styles.append(placemark.style)
      styleKinds.append([])
    }
    rowStyles.append(code)
    if let kind { styleKinds[code].insert(kind == .multipoint ? .point : kind) }
    rowCount += 1
  }

  private mutating func add(_ column: KMLColumn, at place: Int) throws(ReadFault) -> Int {
    guard columns.count < FeatureSchema.fieldLimit else {
      throw ReadFault("a folder has more than \(FeatureSchema.fieldLimit) fields", at: place)
    }
    columns.append(column)
    return columns.count - 1
  }

  /// Adds the parts of one kind.
  private mutating func append(
    _ shape: KMLShape, _ kind: GeometryKind, at place: Int
  ) throws(ReadFault) {
    do throws(GeometryFault) {
      try geometry.beginRow(kind)
      var (vertex, isOuterSound) = (0, true)
      for part in shape.parts {
        defer { vertex = part.end }
        guard part.kind == kind || part.kind == .point && kind == .multipoint else { continue }
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

  /// The table of a folder, with what its drawing needs.
  struct Result {
    let table: FeatureColumns
    let styles: KMLStyles?
    /// The fields with names, and with 0 for hidden placemarks; nil for none.
    let nameField: String?, visibilityField: String?
    /// The warning about hidden placemarks, which is one of the table's; nil for none.
    let hiddenWarning: String?
  }

  /// Returns the table with the wanted fields, and the styles of its rows.
  ///
  /// - Parameter isHidden: whether the file hides all placemarks.
  func result(
    fields: FieldSelection, schemas known: [String: KMLSchema], styles shared: [String: KMLStyleNode],
    isHidden: Bool, warnings: [String]
  ) -> Result {
    var columns = columns
    var names = Set(columns.lazy.filter { !$0.isOwn }.map(\.name))
    for schema in schemas {
      for field in known[schema]?.fields ?? [] {
        if let index = dataColumns[field.name] {
          columns[index].declare(field, schema: schema)
        } else if columns.count < FeatureSchema.fieldLimit, names.insert(field.name).inserted {
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
    for index in columns.indices where columns[index].isOwn && names.contains(columns[index].name) {
      let name = columns[index].name
      columns[index].name = Self.free("kml_\(name.lowercased())", names)
      warnings.append(
        "field \(name): the placemarks' own element is field \(columns[index].name), since their data have a field \(name)"
      )
    }
    let styling = styling(shared, &columns)
    warnings += styling.warnings
    let buffers = geometry.results
    let selection = fields.among(
      columns.map(\.name), geometryName: buffers.isEmpty ? nil : FeatureSchema.defaultGeometryName)
    let finished = columns.filter {
      selection.contains($0.name) || $0.name == styling.styles?.fieldName
    }.map { $0.finished(rowCount: rowCount) }
    let (reference, contradictions) = options.reference(stated: .wgs84)
    warnings += contradictions + finished.flatMap(\.warnings)
    if tracks > 0 {
      warnings.append(
        "\(tracks) track\(tracks == 1 ? " was read as a line" : "s were read as lines"): the times, angles and data of "
          + "\(trackPositions) positions were dropped")
    }
    if severalKinds > 0 {
      let what = severalKinds == 1 ? "1 placemark has" : "\(severalKinds) placemarks have"
      warnings.append("\(what) several kinds of geometry: a row of each kind was read")
    }
    let hidden = isHidden ? placemarks : hiddenPlacemarks
    let hiddenWarning: String? =
      switch hidden {
      case 0: nil
      case 1: "1 placemark that the file hides was read"
      default: "\(hidden) placemarks that the file hides were read"
      }
    warnings += hiddenWarning.map { [$0] } ?? []
    if looseHoles > 0 {
      let what = looseHoles == 1 ? "1 inner boundary" : "\(looseHoles) inner boundaries"
      warnings.append(
        "\(what) of a polygon without an outer one \(looseHoles == 1 ? "was" : "were") left out")
    }
    warnings += losses.warnings(of: geometry)
    if reference == .wgs84, hasPlacesBeyondDegrees {
      warnings.append(
        "coordinates beyond 540° or 90°: if they are not degrees, --source-reference has to say so")
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: buffers.first?.kind,
        spatialReference: buffers.isEmpty ? nil : reference),
      columns: finished.map(\.column), geometry: buffers.first,
      otherGeometries: Array(buffers.dropFirst()), rowCount: rowCount, warnings: warnings)
    func name(ofOwn element: String) -> String? {
      ownColumns[element].map { columns[$0].name }.flatMap { name in
        finished.contains { $0.field.name == name } ? name : nil
      }
    }
    let visibility = hiddenPlacemarks > 0 ? name(ofOwn: "visibility") : nil
    return Result(
      table: table, styles: styling.styles, nameField: name(ofOwn: "Name"), visibilityField: visibility,
      hiddenWarning: hiddenWarning)
  }

  /// Returns the styles of the rows, and adds the field `style` if a placemark has a style of its own.
  private func styling(
    _ shared: [String: KMLStyleNode], _ columns: inout [KMLColumn]
  ) -> (styles: KMLStyles?, warnings: [String]) {
    var warnings: [String] = []
    let resolved = styles.map { $0.resolved(shared) }
    if let first = resolved.firstIndex(of: nil) {
      let lost = rowStyles.count { resolved[$0] == nil }
      let what = lost == 1 ? "1 placemark names a style that is" : "\(lost) placemarks name styles that are"
      warnings.append("\(what) not in the file, such as \"\((styles[first].url ?? "").prefix(80))\"")
    }
    let known = zip(styles, resolved).map { node, style in
      (style ?? node.style).flatMap { $0.isEmpty ? nil : $0 }
    }
    let distinct = Set(known)
    guard distinct != [nil], !distinct.isEmpty else { return (nil, warnings) }
    guard distinct.count <= KMLStyles.limit else {
      warnings.append("\(distinct.count) styles are not applied: more than \(KMLStyles.limit)")
      return (nil, warnings)
    }
    if zip(known, styleKinds).contains(where: { $0?.hasIconImage ?? false && $1.contains(.point) }) {
      warnings.append("the images of icons are not drawn: points are circles in the icons' colour and size")
    }
    let unstyled = zip(known, styleKinds).reduce(into: Set<GeometryKind>()) { kinds, next in
      if next.0 == nil { kinds.formUnion(next.1) }
    }
    func result(_ field: String?, _ classes: [KMLStyles.Class]) -> (KMLStyles?, [String]) {
      (KMLStyles(fieldName: field, classes: classes, unstyledKinds: unstyled), warnings)
    }
    let all = styleKinds.reduce(into: Set<GeometryKind>()) { $0.formUnion($1) }
    if distinct.count == 1, let style = known[0] {
      return result(nil, [.init(value: "", style: style, kinds: all)])
    }
    var classes: [KMLStyles.Class] = []
    guard styles.contains(where: { $0.style != nil }) else {
      for (code, style) in known.enumerated() {
        guard let style, let url = styles[code].url else { continue }
        classes.append(.init(value: url, style: style, kinds: styleKinds[code]))
      }
      return result(ownColumns["styleUrl"].map { columns[$0].name }, classes)
    }
    guard columns.count < FeatureSchema.fieldLimit else { return (nil, warnings) }
    var column = KMLColumn(Self.free("style", Set(columns.map(\.name))), alias: nil)
    var indexes: [KMLStyle: Int] = [:]
    let values = known.enumerated().map { code, style -> [UInt8]? in
      guard let style else { return nil }
      if let index = indexes[style] {
        classes[index].add(styleKinds[code])
      } else {
        let value = styles[code].style == nil ? styles[code].url ?? "" : "style \(classes.count + 1)"
        indexes[style] = classes.count
        classes.append(.init(value: value, style: style, kinds: styleKinds[code]))
      }
      return indexes[style].map { Array(classes[$0].value.utf8) }
    }
    for (row, code) in rowStyles.enumerated() {
      if let value = values[code] { column.set(value, row: row, schema: nil) }
    }
    columns.append(column)
    return result(column.name, classes)
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
