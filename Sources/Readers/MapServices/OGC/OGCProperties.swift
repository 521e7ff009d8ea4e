import MapFeatures
import MapGeometry
import MapJSON

/// The declared properties of a collection, from its schema or its queryables.
///
/// - Source: OGC 19-079 (queryables), 23-058 (schemas), both JSON Schema. Older services declare a geometry by a
///   reference to a GeoJSON schema.
struct OGCProperties: Sendable {
  /// The role of a property.
  enum Role: String, Sendable {
    case id
    case primaryGeometry = "primary-geometry"
    case instant = "primary-instant"
    case start = "primary-interval-start"
    case end = "primary-interval-end"
  }

  /// A property that is not a geometry.
  struct Property: Hashable, Sendable {
    let name: String
    /// The type; nil if the declaration does not state it.
    let type: FieldType?
    let role: Role?
  }

  /// The properties in the order of the declaration.
  private(set) var properties: [Property] = []
  /// The name of the geometry; nil without one.
  private(set) var geometryName: String?
  /// The kind of the geometries; nil if the declaration does not state it.
  private(set) var geometryKind: GeometryKind?

  /// Creates declared properties.
  init(_ properties: [Property], geometryName: String?, geometryKind: GeometryKind?) {
    (self.properties, self.geometryName, self.geometryKind) = (properties, geometryName, geometryKind)
  }

  /// The names of the properties that hold text.
  var texts: Set<String> { Set(properties.filter { $0.type == .text }.map(\.name)) }

  /// Reads a declaration; nil if it declares no properties.
  init?(_ declaration: JSONValue?) {
    guard let members = declaration?["properties"]?.object?.members, !members.isEmpty else { return nil }
    for member in members {
      let (value, name) = (member.value, member.name)
      let role = value["x-ogc-role"]?.string.flatMap { Role(rawValue: $0) }
      guard let geometry = Self.geometry(value, role) else {
        properties.append(Property(name: name, type: Self.type(value), role: role))
        continue
      }
      if geometryName == nil || role == .primaryGeometry {
        (geometryName, geometryKind) = (name, geometry)
      }
    }
  }

  /// Returns the property with a name.
  func property(named name: String) -> Property? { properties.first { $0.name == name } }

  /// The time fields of a feature, by the declared roles.
  var timeInfo: TimeInfo? {
    func name(_ role: Role) -> String? { properties.first { $0.role == role }?.name }
    if let instant = name(.instant) { return TimeInfo(startField: instant) }
    return name(.start).map { TimeInfo(startField: $0, endField: name(.end)) }
  }

  /// Returns the kind of a spatial property, with an inner nil if any kind is allowed; nil for other properties.
  private static func geometry(_ value: JSONValue, _ role: Role?) -> GeometryKind?? {
    if let format = value["format"]?.string, format.hasPrefix("geometry-") {
      return .some(kind(format.dropFirst("geometry-".count)))
    }
    if let schema = value["$ref"]?.string?.split(separator: "/").last, schema.hasSuffix(".json") {
      return .some(kind(schema.dropLast(".json".count)))
    }
    return role == .primaryGeometry ? .some(nil) : nil
  }

  private static func kind(_ name: Substring) -> GeometryKind? {
    switch name.lowercased() {
    case "point": .point
    case "multipoint": .multipoint
    case "linestring", "multilinestring": .polyline
    case "polygon", "multipolygon": .polygon
    default: nil
    }
  }

  private static func type(_ value: JSONValue) -> FieldType? {
    // A list of types names null beside the type.
    let name = value["type"]?.string ?? value["type"]?.array?.lazy.compactMap(\.string).first { $0 != "null" }
    switch (name, value["format"]?.string) {
    case ("string", "date"): return .dateOnly
    case ("string", "date-time"): return .date
    case ("string", _), ("object", _), ("array", _): return .text
    case ("integer", _): return .int64
    case ("number", _): return .float64
    // Booleans become integers, as when reading files: the map SDK has no boolean field.
    case ("boolean", _): return .int16
    default: return nil
    }
  }
}
