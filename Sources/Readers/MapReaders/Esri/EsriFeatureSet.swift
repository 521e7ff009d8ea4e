package import MapFeatures
import MapFilter
import MapGeometry
package import MapJSON

/// Reads the feature set of a web map's feature collection, or of a service's answer, into columns.
///
/// Fields come from the layer definition, otherwise from the feature set, in their order there. Undeclared attributes
/// are read with the narrowest suitable type, and cause a warning. Dates in milliseconds become timestamps. Rings are
/// closed and otherwise kept unchanged; the even-odd rule determines the interior.
///
/// - Source: ArcGIS REST API, feature set and layer definition.
package enum EsriFeatureSet {
  /// Reads a feature set.
  ///
  /// The table is incomplete if a member of the set states so.
  ///
  /// - Parameters:
  ///   - featureSet: The feature set.
  ///   - layerDefinition: The object of that name beside it in a web map.
  ///   - isComplete: Whether the set is known to hold all features.
  ///   - drawsOwnSymbols: Whether the caller draws features with symbols of their own by these.
  ///   - around: The objects around the set that may state that features are missing; nil if the reader of a whole
  ///     document reports the set's members.
  /// - Throws: `JSONDecodingError` with the path.
  package static func read(
    _ featureSet: JSONNode, layerDefinition: JSONNode? = nil, isComplete: Bool = true,
    drawsOwnSymbols: Bool = false, around: [JSONNode]? = nil
  ) throws(JSONDecodingError) -> FeatureColumns {
    var parser = try EsriFeatureSetParser(featureSet, layerDefinition)
    if drawsOwnSymbols { parser.hasFixedSymbols = true }
    parser.noteMissing(in: featureSet, isComplete: isComplete, around: around)
    return try parser.table()
  }
}

extension EsriFeatureSet {
  /// Whether the content starts like a feature set or a feature collection: an object with `features`, with a
  /// `featureSet`, with a `featureCollection`, or with `layers` that have features and are not those of a map.
  package static func looksLikeFeatures(_ bytes: [UInt8]) -> Bool {
    // The names of members are ASCII, also where the texts are in another encoding than UTF-8.
    let names =
      (try? memberNames(of: bytes))
      ?? (try? memberNames(of: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }))
    guard let names else { return false }
    if names.contains("features") { return true }
    if names.contains("operationalLayers") || names.contains("baseMap") { return false }
    if names.contains("featureSet") || names.contains("featureCollection") { return true }
    // A style has sources and layers, and may hold GeoJSON.
    guard names.contains("layers"), !names.contains("mapName"), !names.contains("sources") else {
      return false
    }
    // Item data describes layers without features.
    return ["\"featureSet\"", "\"features\""].contains { bytes.firstRange(of: Array($0.utf8)) != nil }
  }

  /// Returns the `type` of the first object in the bytes; nil without one.
  package static func type(ofObjectIn bytes: [UInt8]) -> String? {
    var scanner = JSONScanner(bytes)
    return (try? scanner.typeOfObject()).flatMap { $0 }
  }

  private static func memberNames(of bytes: [UInt8]) throws -> Set<String> {
    var scanner = JSONScanner(bytes)
    var names: Set<String> = []
    try scanner.beginObject()
    while names.count < 1000, let name = try scanner.nextMember() {
      names.insert(name.text(in: bytes))
      try scanner.skipValue()
    }
    return names
  }

  /// A table in a file of its own, with the drawing that the file states for it.
  package typealias Table = (name: String, table: FeatureColumns, metadata: SourceMetadata)

  /// Reads the tables of a feature set or feature collection in a file of its own.
  ///
  /// - Throws: `JSONDecodingError` with the path.
  package static func tables(_ node: JSONNode, name: String) throws(JSONDecodingError) -> [Table] {
    // A layer of a web map, saved on its own, has its collection in a member.
    let collection = node["featureCollection"] ?? node
    func table(_ layer: JSONNode, _ name: String) throws(JSONDecodingError) -> Table {
      let set = layer["featureSet"] ?? layer
      let around = [set, layer, collection, node]
      let table = try read(set, layerDefinition: layer["layerDefinition"], around: around)
      return (name, table, try LayerFileDrawing(of: layer, in: around).metadata(for: table.schema))
    }
    guard collection["features"] == nil, collection["featureSet"] == nil, let layers = collection["layers"]
    else {
      return [try table(collection, name)]
    }
    var tables: [Table] = []
    var used: [String: Int] = [:]
    for layer in try layers.elements() {
      guard layer["featureSet"] != nil || layer["features"] != nil else {
        throw layer.invalid(
          "a layer without \"featureSet\"; this is neither a feature collection nor a web map")
      }
      var wanted = try layer["layerDefinition"]?.string("name")
      if wanted == nil { wanted = try layer.string("title") }
      let title = wanted ?? "\(name)_\(tables.count)"
      used[title, default: 0] += 1
      let number = used[title] ?? 1
      tables.append(try table(layer, number == 1 ? title : "\(title)_\(number)"))
    }
    guard !tables.isEmpty else { throw layers.invalid("contains no layer") }
    return tables
  }
}

/// The state while one feature set is read.
struct EsriFeatureSetParser {
  private let features: [JSONNode]
  private let form: EsriLayerForm
  private var kind: GeometryKind?
  private var reference: SpatialReference?
  private var geometry = CoordinateBuilder()
  private var warnings: [String] = []
  /// Whether symbols of features are not to be reported: the renderer applies to all, or the caller draws them.
  fileprivate(set) var hasFixedSymbols: Bool
  /// The member that names the object id field; nil without one.
  private let idField: JSONNode?
  private var isComplete = true
  /// The number of geometries without coordinates, and the path of the first.
  private var bare: (count: Int, first: JSONPath)?

  init(_ featureSet: JSONNode, _ definition: JSONNode?) throws(JSONDecodingError) {
    _ = try featureSet.object()
    features = try featureSet.elements("features")
    idField = definition?["objectIdField"] ?? featureSet["objectIdFieldName"]
    hasFixedSymbols = try definition?["drawingInfo"]?.boolean("fixedSymbols") ?? false
    for place in [featureSet, definition, definition?["extent"]] where reference == nil {
      if let place { reference = try Self.reference(place) }
    }
    form = try EsriLayerForm(
      fields: definition?["fields"] ?? featureSet["fields"],
      geometryType: featureSet["geometryType"] ?? definition?["geometryType"], reference: reference)
    (kind, warnings) = (form.kind, form.warnings)
  }

  init(page features: [JSONNode], _ form: EsriLayerForm) {
    (self.features, self.form, hasFixedSymbols, idField) = (features, form, true, nil)
    (kind, reference) = (form.kind, form.reference)
  }

  /// Evaluates the members that state that features are missing.
  ///
  /// - Parameter around: The set and the objects around it, for a mark beside the set; nil if the reader of a whole
  ///   document reports these marks.
  mutating func noteMissing(in featureSet: JSONNode, isComplete: Bool, around: [JSONNode]?) {
    let reasons =
      featureSet.value.object.map { PartialAnswer(of: $0).reasons(featureCount: features.count) } ?? []
    let marked = around?.first { node in
      node["exceededTransferLimit"].map { PartialAnswer.isMark($0.value) } ?? false
    }
    self.isComplete = isComplete && reasons.isEmpty && marked == nil
    let isReported = around == nil ? featureSet["exceededTransferLimit"] != nil : marked != nil
    warnings += reasons.filter { !isReported || !$0.hasPrefix("exceededTransferLimit") }
      .map { "\(featureSet.path).\($0)" }
    if let marked { warnings.append("\(marked.path).\(PartialAnswer.cutReason)") }
  }

  private static func reference(_ node: JSONNode) throws(JSONDecodingError) -> SpatialReference? {
    try EsriGeometryJSON.spatialReference(of: node)
  }

  // MARK: Features

  mutating func table() throws(JSONDecodingError) -> FeatureColumns {
    var (flattened, curved, ownSymbols) = (0, 0, 0)
    let declared = Set(form.columns.map(\.name))
    var extra: [String] = []
    var known = declared
    for feature in features {
      _ = try feature.object()
      let remarks = try addGeometry(feature["geometry"])
      if remarks.isFlattened { flattened += 1 }
      if remarks.isCurved { curved += 1 }
      if feature["symbol"] != nil { ownSymbols += 1 }
      guard let attributes = feature["attributes"] else { continue }
      for member in try attributes.object().members where known.insert(member.name).inserted {
        guard form.columns.count + extra.count < FeatureSchema.fieldLimit else {
          throw attributes.invalid(
            "attribute name number \(form.columns.count + extra.count + 1): a table has at most "
              + "\(FeatureSchema.fieldLimit) fields")
        }
        extra.append(member.name)
      }
    }
    var finished: [FinishedColumn] = []
    for column in form.columns { finished.append(try column.finished(features)) }
    for name in extra { finished.append(try EsriColumn.inferred(name, features)) }
    if !extra.isEmpty {
      warnings.append("fields \(extra.joined(separator: ", ")): not declared, so their types were inferred")
    }
    if ownSymbols > 0, !hasFixedSymbols {
      warnings.append("features with symbols of their own: \(ownSymbols); they are drawn by the renderer")
    }
    if flattened > 0 {
      warnings.append("\(flattened) geometries: coordinates beyond the second were dropped")
    }
    if curved > 0 { warnings.append("\(GeometryLosses.counted(curved)): \(GeometryLosses.curved)") }
    if geometry.closedRings > 0 {
      warnings.append("\(geometry.closedRings) rings that do not end where they start were closed")
    }
    if let bare {
      warnings.append("\(bare.first): has no coordinates; features without geometry: \(bare.count)")
    }
    warnings += try idWarnings(finished)
    return result(finished)
  }

  /// Returns warnings about a missing object id field and about the first repeated object id.
  private func idWarnings(_ columns: [FinishedColumn]) throws(JSONDecodingError) -> [String] {
    let names = columns.map(\.field.name)
    if let idField, case let name = try idField.string(), !name.isEmpty, !features.isEmpty,
      !names.contains(where: { $0.lowercased() == name.lowercased() })
    {
      let nearest = NearestName.of(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
      return ["\(idField.path): there is no field \"\(name)\"\(nearest)"]
    }
    guard let ids = columns.first(where: { $0.field.fieldType == .oid }), ids.column.validity == nil,
      let values = ids.column.integers, !ObjectIDs.canBe(ids.column)
    else { return [] }
    var rows: [Int64: Int] = [:]
    for (row, id) in values.enumerated() {
      guard let first = rows.updateValue(row, forKey: id) else { continue }
      let path = features[row].path["attributes"][ids.field.name]
      return ["\(path): features[\(first)] has the object id \(id) too; ids must be unique"]
    }
    return []
  }

  /// Returns the table of a page, with warnings that are the same for all pages.
  mutating func page(as schema: FeatureSchema) throws(JSONDecodingError) -> FeatureColumns {
    var (isFlattened, isCurved) = (false, false)
    if kind != nil {
      for feature in features {
        let remarks = try addGeometry(feature["geometry"])
        if remarks.isFlattened { isFlattened = true }
        if remarks.isCurved { isCurved = true }
      }
    }
    var columns: [Column] = []
    for column in form.columns { columns.append(try column.finished(features).column) }
    if isFlattened { warnings.append("coordinates beyond the second were dropped") }
    if isCurved { warnings.append(GeometryLosses.curved) }
    if geometry.closedRings > 0 { warnings.append("rings that do not end where they start were closed") }
    return FeatureColumns(
      schema: schema, columns: columns, geometry: buffer, rowCount: features.count, warnings: warnings)
  }

  /// Adds a feature's geometry, and returns what was lost.
  private mutating func addGeometry(
    _ node: JSONNode?
  ) throws(JSONDecodingError) -> EsriGeometryJSON.Remarks {
    guard let node else {
      geometry.appendEmptyRow()
      return EsriGeometryJSON.Remarks()
    }
    if let own = try Self.reference(node) {
      if let reference, reference != own {
        throw JSONDecodingError(
          .invalid("\(own.wkid) among geometries in \(reference.wkid)"), at: node.path["spatialReference"])
      }
      reference = own
    }
    let found = try EsriGeometryJSON.kind(of: node)
    if found == nil || found == .point && node.value.object?.index(of: "y") == nil {
      bare = (count: (bare?.count ?? 0) + 1, first: bare?.first ?? node.path)
    }
    guard let kind = kind ?? found else {
      geometry.appendEmptyRow()
      return EsriGeometryJSON.Remarks()
    }
    self.kind = kind
    return try EsriGeometryJSON.appendRow(node, kind: kind, to: &geometry)
  }

  /// The geometries; a declared geometry type is kept even if no feature has a geometry.
  private var buffer: CoordinateBuffer? {
    if let buffer = geometry.result { return buffer }
    return kind.map { kind in
      var empty = CoordinateBuffer(kind: kind)
      for _ in features { empty.appendEmptyRow() }
      return empty
    }
  }

  private mutating func result(_ finished: [FinishedColumn]) -> FeatureColumns {
    let buffer = buffer
    if buffer != nil, reference == nil {
      warnings.append("no spatial reference is given: coordinates were read as WGS 84")
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: buffer?.kind,
        spatialReference: buffer == nil ? nil : reference ?? .wgs84),
      columns: finished.map(\.column), geometry: buffer, rowCount: features.count,
      warnings: warnings + finished.flatMap(\.warnings), isComplete: isComplete)
  }
}
