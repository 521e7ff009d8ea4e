public import MapFeatures
public import MapGeometry
import MapJSON
import MapReaders
public import MapState
import MapSystem

/// The geometry of a question: a file, or a value.
public enum QueryGeometry: Hashable, Sendable {
  /// A file of GeoJSON or Esri JSON with one geometry; "-" is standard input.
  case file(String)
  /// A geometry.
  case geometry(GeometryForm)

  /// Reads a path, or GeoJSON or Esri JSON; steps and snapshot cases do not read standard input.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    if let path = node.value.string {
      guard path != "-" else { throw node.invalid("standard input is not read here; expected a file") }
      self = .file(path)
    } else {
      self = .geometry(try Self.geometry(node).form)
    }
  }

  /// Returns the geometry; a relative path starts at a folder.
  ///
  /// - Throws: `MapStateError` of kind input.
  public func read(in folder: String = ".") throws(MapStateError) -> any Geometry {
    switch self {
    case .geometry(let form): return form.geometry
    case .file(let file):
      let path = file == "-" ? file : FilePath.join(folder, file)
      let name = file == "-" ? "standard input" : file
      do {
        return try Self.geometry(JSONNode(JSONValue(parsing: FileAccess.read(path))))
      } catch let error as FileError {
        throw MapStateError(error)
      } catch let error as JSONSyntaxError {
        throw MapStateError(.input, "\(name): \(error); write the geometry as GeoJSON or Esri JSON")
      } catch {
        throw MapStateError(.input, "\(name): \(error)")
      }
    }
  }

  /// Returns the single geometry of GeoJSON (geometry, feature or collection) or Esri JSON (geometry or feature).
  ///
  /// GeoJSON uses WGS 84 unless it declares another spatial reference. An Esri geometry without one uses that of
  /// the table.
  private static func geometry(_ node: JSONNode) throws(JSONDecodingError) -> any Geometry {
    guard let geometries = try GeoJSONReader.geometries(node) else {
      guard let geometry = try EsriGeometryJSON.geometry(node["geometry"] ?? node) else {
        throw node.invalid("the geometry is empty")
      }
      return geometry
    }
    guard let first = geometries.first, geometries.count == 1 else {
      throw node.invalid(
        "holds \(geometries.isEmpty ? "no" : "\(geometries.count)") geometries; "
          + "give exactly one, such as one polygon or one multipolygon")
    }
    return first
  }
}

/// The relation of a query geometry to a feature.
public struct QueryRelation: Hashable, Sendable {
  /// The relationship.
  public let relationship: SpatialRelationship
  /// The DE-9IM pattern of the relationship `relate`; nil for all others.
  public let pattern: String?

  /// Creates a relation; the relationship `relate` needs a pattern.
  public init(_ relationship: SpatialRelationship, pattern: String? = nil) {
    (self.relationship, self.pattern) = (relationship, pattern)
  }
}

extension QueryRelation: RequestText {
  /// Reads a name, such as `envelope-intersects` or `envelopeIntersects`, or `relate:` and a pattern.
  package init(text: String) throws(MapStateError) {
    if text.hasPrefix("relate:") {
      self.init(.relate, pattern: String(text.dropFirst(7)))
      guard (try? SpatialCondition(Point(x: 0, y: 0), .relate, pattern: pattern)) != nil else {
        throw MapStateError(
          .input, "expected a DE-9IM pattern of nine characters, for example relate:T********")
      }
      return
    }
    let words = text.split(separator: "-").map { String($0) }
    let name =
      (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let relationship = SpatialRelationship(rawValue: name), relationship != .relate else {
      let known = SpatialRelationship.allCases.filter { $0 != .relate }.map(\.rawValue)
      throw MapStateError(
        .input, "expected one of \(known.joined(separator: ", ")) or relate:PATTERN",
        suggestion: NearestName.of(name, among: known))
    }
    self.init(relationship)
  }
}
