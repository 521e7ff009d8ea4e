import MapGeometry
import MapJSON

/// The geometry column of Arrow data: its field, encoding and spatial reference.
///
/// - Source: GeoArrow 0.2, "Extension types" and "Memory layout"; GeoParquet 1.1, "File metadata".
struct ArrowGeometry: Sendable {
  /// The encoding of the geometries.
  enum Encoding: Hashable, Sendable {
    case binary, text
    /// Coordinates in lists, nested as deep as the kind needs.
    case coordinates(GeometryKind, nesting: Int)
  }

  /// The index of the field in the schema.
  let field: Int
  let encoding: Encoding
  /// The spatial reference; nil if the data state none.
  private(set) var reference: SpatialReference?
  /// The name of a spatial reference that has no code, and its definition, if there is one.
  private(set) var unknownReference: (name: String, definition: String?)?
  private(set) var warnings: [String] = []
  /// The names on the paths to the least x and y, and to the greatest, of the box of a geometry; nil without boxes.
  ///
  /// - Source: GeoParquet 1.1, `covering`.
  private(set) var boxPaths: [[String]]?
  /// The name of the field with the boxes.
  var boxField: String? { boxPaths?.first?.first }
  /// The kinds of all geometries and their envelope, if the metadata of GeoParquet state them.
  private(set) var statedTypes: [String] = [], statedBox: [Double] = []

  /// The extension types that are read, and the geometries of GeoArrow's own encodings.
  private static let encodings: [String: Encoding] = [
    "wkb": .binary, "wkt": .text, "point": .coordinates(.point, nesting: 0),
    "linestring": .coordinates(.polyline, nesting: 1), "polygon": .coordinates(.polygon, nesting: 2),
    "multipoint": .coordinates(.multipoint, nesting: 1),
    "multilinestring": .coordinates(.polyline, nesting: 2),
    "multipolygon": .coordinates(.polygon, nesting: 3),
  ]
  /// The names of a column of well-known binary without an extension type.
  private static let names: Set<String> = ["geometry", "geom", "the_geom", "wkb_geometry", "wkb"]

  /// Chooses the geometry column; nil without one.
  ///
  /// It is the main one of GeoParquet's metadata, else the first of an extension type, else one of bytes with a usual
  /// name.
  static func find(in schema: ArrowSchema, _ geo: GeoMetadata) throws(ArrowError) -> ArrowGeometry? {
    let typed = schema.fields.indices.filter {
      schema.fields[$0].extensionEncoding.map { encodings[$0] != nil } ?? false
    }
    if let main = geo.main, let column = geo.columns[main] {
      var geometry =
        typed.contains(main)
        ? try ArrowGeometry(typed: main, schema.fields[main])
        : try ArrowGeometry(main, schema.fields[main], geo)
      geometry?.noteBoxes(column)
      return geometry
    }
    if let first = typed.first { return try ArrowGeometry(typed: first, schema.fields[first]) }
    for (index, field) in schema.fields.enumerated()
    where names.contains(field.name.lowercased()) && field.type.isBinary && field.extensionName == nil {
      var geometry = try ArrowGeometry(index, field, .binary, named: "wkb")
      geometry.warnings.append("field \(field.name): its bytes were read as geometries in well-known binary")
      return geometry
    }
    return nil
  }

  /// Creates the geometry of a field that GeoParquet's metadata describe; nil for an encoding that is not read.
  private init?(_ index: Int, _ field: ArrowField, _ geo: GeoMetadata) throws(ArrowError) {
    let name = geo.encoding(ofField: index)
    guard let column = geo.columns[index], let encoding = Self.encodings[name?.lowercased() ?? "wkb"] else {
      return nil
    }
    try self.init(index, field, encoding, named: name ?? "wkb")
    if name == nil {
      warnings.append(
        "field \(field.name): its \"geo\" metadata name no encoding: it was read as well-known binary")
    }
    // Without a member, GeoParquet's reference is OGC:CRS84; null is an unknown one.
    if column.object?.index(of: "crs") == nil { reference = .wgs84 }
    if let crs = column["crs"] { note(crs: crs) }
    note(edges: column["edges"], field)
  }

  /// Creates the geometry of a field with an extension type that is read.
  private init?(typed index: Int, _ field: ArrowField) throws(ArrowError) {
    guard let name = field.extensionEncoding, let encoding = Self.encodings[name] else { return nil }
    try self.init(index, field, encoding, named: name)
    guard let text = field.extensionMetadata, !text.isEmpty else { return }
    guard let json = try? JSONValue(parsing: text), json.object != nil else {
      throw ArrowError("field \(field.name): the metadata of its extension type are not a JSON object")
    }
    if let crs = json["crs"] { note(crs: crs) }
    note(edges: json["edges"], field)
  }

  private init(
    _ index: Int, _ field: ArrowField, _ encoding: Encoding, named name: String
  ) throws(ArrowError) {
    (self.field, self.encoding) = (index, encoding)
    let isSound =
      switch encoding {
      case .binary: field.type.isBinary
      case .text: field.type.isText
      case .coordinates(_, let nesting): field.encoding == nil && field.holdsCoordinates(nesting: nesting)
      }
    guard isSound else {
      throw ArrowError(
        "field \(field.name): geometries of type \(name) cannot be stored as \(field.type.name)")
    }
  }

  private mutating func note(edges: JSONValue?, _ field: ArrowField) {
    guard let edges = edges?.string, edges != "planar" else { return }
    warnings.append("field \(field.name): edges are \(edges); they were read as straight lines")
  }

  private mutating func noteBoxes(_ column: JSONValue) {
    // The box of edges on a sphere may cross the antimeridian, which the statistics of row groups do not show.
    guard column["edges"]?.string ?? "planar" == "planar" else { return }
    let box = column["covering"]?["bbox"]
    let paths = ["xmin", "ymin", "xmax", "ymax"].map {
      (box?[$0]?.array ?? []).compactMap(\.string)
    }
    if paths.allSatisfy({ $0.count == 2 && $0[0] == paths[0][0] }) { boxPaths = paths }
    statedTypes = (column["geometry_types"]?.array ?? []).compactMap(\.string)
    statedBox = (column["bbox"]?.array ?? []).compactMap(\.double)
  }

  // MARK: Spatial references

  private mutating func note(crs: JSONValue) {
    guard !crs.isNull else { return }
    reference = Self.reference(crs)
    guard reference == nil else { return }
    let text = crs.string?.trimmed
    let name =
      crs["name"]?.string
      ?? text.map { text in
        let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        return text.contains("[") && parts.count > 1 ? String(parts[1]) : String(text.prefix(60))
      }
    let isDefinition = text.map { $0.first == "{" || $0.contains("[") } ?? (crs.object != nil)
    unknownReference = (name ?? "without a name", isDefinition ? text ?? crs.text() : nil)
  }

  /// Returns the spatial reference of PROJJSON, a code such as `EPSG:4326`, or well-known text; nil for others.
  static func reference(_ crs: JSONValue) -> SpatialReference? {
    if let text = crs.string {
      let text = text.trimmed
      if text.first == "{" {
        return (try? JSONValue(parsing: text)).flatMap { $0.string == nil ? reference($0) : nil }
      }
      if let code = Int(text) { return code > 0 ? known(code) : nil }
      if text.contains("[") { return reference(wellKnownText: text) }
      return GeoJSONReference.reference(named: text).map { known($0.wkid) }
    }
    if let id = crs["id"], let authority = id["authority"]?.string?.uppercased() {
      let code = id["code"]?.integer.map { String($0) } ?? id["code"]?.string ?? ""
      if let found = GeoJSONReference.reference(named: "\(authority):\(code)") { return known(found.wkid) }
    }
    // Heights and transformations to WGS 84 are not used.
    if let horizontal = crs["components"]?[0] ?? crs["source_crs"], horizontal.object != nil {
      return reference(horizontal)
    }
    // A name counts alone; numbers beside it are compared with the registered ones by other libraries.
    let numbers = ["datum", "datum_ensemble", "base_crs", "conversion", "coordinate_system"]
    guard let object = crs.object, numbers.allSatisfy({ object.index(of: $0) == nil }) else { return nil }
    return crs["name"]?.string.flatMap { SpatialReference(knownName: $0) }
  }

  private static func known(_ code: Int) -> SpatialReference {
    SpatialReference(wkid: code == 4979 ? 4326 : code)
  }

  /// Returns the reference whose code ends the text, as in `… ID["EPSG",4326]]`; nil without a code.
  private static func reference(wellKnownText text: String) -> SpatialReference? {
    let parts = text.uppercased().split { !$0.isLetter && !$0.isNumber }
    if parts.count >= 3, ["ID", "AUTHORITY"].contains(parts[parts.count - 3]),
      let code = Int(parts[parts.count - 1]), code > 0, ["EPSG", "ESRI"].contains(parts[parts.count - 2]),
      text.suffix(2) == "]]", text.suffix(3) != "]]]"
    {
      return known(code)
    }
    return nil
  }
}

extension ArrowType {
  var isBinary: Bool {
    switch self {
    case .bytes(_, isText: false), .fixedBytes: true
    default: false
    }
  }

  var isText: Bool { if case .bytes(_, isText: true) = self { true } else { false } }
}

extension ArrowField {
  /// The name of GeoArrow's extension type without its prefix, such as `wkb`; nil for other fields.
  var extensionEncoding: String? {
    guard let name = extensionName else { return nil }
    if name == "ogc.wkb" { return "wkb" }
    return name.hasPrefix("geoarrow.") ? String(name.dropFirst(9)) : nil
  }

  /// Whether the values are coordinates of doubles in lists of a depth.
  fileprivate func holdsCoordinates(nesting: Int) -> Bool {
    if nesting > 0 {
      guard case .list = type, children.count == 1, children[0].encoding == nil else { return false }
      return children[0].holdsCoordinates(nesting: nesting - 1)
    }
    guard children.allSatisfy({ $0.type == .real(bits: 64) && $0.encoding == nil }) else { return false }
    return switch type {
    case .structure: children.count >= 2 && children[0].name == "x" && children[1].name == "y"
    case .fixedList(let count): children.count == 1 && (2...4).contains(count)
    default: false
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(String(drop(while: \.isWhitespace).reversed()).drop(while: \.isWhitespace).reversed())
  }
}
