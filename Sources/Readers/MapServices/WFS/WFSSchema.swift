import MapFeatures
import MapGeometry
import MapReaders

/// The properties of a type of features, from its XML Schema.
///
/// - Source: OGC 09-025r2 (WFS 2.0), clause 9; XML Schema Part 2, 3.2 and 3.3, for the types of values.
enum WFSSchema {
  /// An element as the schema declares it.
  private struct Element {
    let name: String
    var type: String
  }

  /// Reads the schema of a type; nil if the answer declares no properties of it.
  ///
  /// - Throws: ``ReadFault`` and ``FeatureReadError`` for XML that is not well-formed.
  static func properties(_ document: [UInt8], of name: String) throws -> OGCProperties? {
    var scanner = try XMLScanner(decoding: document)
    var (roots, types): ([Element], [String: [Element]]) = ([], [:])
    var open: [(name: String, type: String?)] = []
    // The complex type that is being read, and the depth of its own elements.
    var (owner, element): (String?, (Element, Int)?) = (nil, nil)
    while let part = try scanner.next() {
      switch part {
      case .text: break
      case .start:
        let (tag, written) = (scanner.name, try scanner.attribute("name"))
        open.append((tag, written))
        if tag == "complexType", owner == nil {
          owner = written ?? roots.last?.name ?? ""
        } else if tag == "element", let written {
          let found = Element(name: written, type: try scanner.attribute("type") ?? "")
          if owner == nil {
            roots.append(found)
          } else if element == nil {
            element = (found, open.count)
          }
        } else if tag == "restriction", element?.0.type.isEmpty == true {
          // A type of values with further rules, written inside its element.
          element?.0.type = try scanner.attribute("base") ?? ""
        }
      case .end:
        if let (found, depth) = element, depth == open.count {
          if let owner, types[owner, default: []].count < 10_000 { types[owner, default: []].append(found) }
          element = nil
        }
        if open.popLast()?.name == "complexType", !open.contains(where: { $0.name == "complexType" }) {
          owner = nil
        }
      }
    }
    let local = WFSCapabilities.local(name)
    let root = roots.first { $0.name == local }
    let elements =
      root.flatMap { types[WFSCapabilities.local($0.type)] } ?? types[local] ?? types["\(local)Type"]
      ?? (types.count == 1 ? types.first?.value : nil)
    return elements.map(properties)
  }

  private static func properties(_ elements: [Element]) -> OGCProperties {
    var properties: [OGCProperties.Property] = []
    var geometry: (name: String, kind: GeometryKind?)?
    for element in elements {
      let parts = element.type.split(separator: ":")
      let type = parts.last.map(String.init) ?? ""
      if let kind = kind(type) {
        if geometry == nil { geometry = (element.name, kind) }
      } else {
        properties.append(OGCProperties.Property(name: element.name, type: self.type(type), role: nil))
      }
    }
    return OGCProperties(properties, geometryName: geometry?.name, geometryKind: geometry?.kind)
  }

  /// Returns the kind of a geometry, with an inner nil for any kind; nil for another type.
  private static func kind(_ type: String) -> GeometryKind?? {
    guard type.hasSuffix("PropertyType") else { return nil }
    switch type.dropLast("PropertyType".count) {
    case "Point": return .some(.point)
    case "MultiPoint": return .some(.multipoint)
    case "LineString", "Curve", "MultiLineString", "MultiCurve": return .some(.polyline)
    case "Polygon", "Surface", "MultiPolygon", "MultiSurface": return .some(.polygon)
    case "Geometry", "GeometricPrimitive", "GeometricAggregate", "MultiGeometry", "AbstractGeometry":
      return .some(nil)
    default: return nil
    }
  }

  private static func type(_ name: String) -> FieldType? {
    switch name {
    case "string", "normalizedString", "token", "anyURI", "Name", "NCName", "language": .text
    case "int", "integer", "long", "short", "byte", "nonNegativeInteger", "positiveInteger",
      "nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedShort", "unsignedByte", "unsignedLong":
      .int64
    case "double", "float", "decimal": .float64
    case "boolean": .int16
    case "date": .dateOnly
    case "dateTime": .date
    default: nil
    }
  }
}

extension OGCProperties {
  /// The kinds of the values in GML, by the names of the properties.
  var gmlValues: [String: GMLPage.Value] {
    var values: [String: GMLPage.Value] = [:]
    for property in properties {
      switch property.type {
      case .int64, .float64: values[property.name] = .number
      case .int16: values[property.name] = .boolean
      case .dateOnly: values[property.name] = .date
      case .text, .date: values[property.name] = .text
      default: break
      }
    }
    return values
  }
}
