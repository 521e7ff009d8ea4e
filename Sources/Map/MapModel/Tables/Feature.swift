public import FoundationEssentials
public import MapFeatures
public import MapFilter
public import MapGeometry

/// An object with a geometry and attributes: a feature of a table or a graphic of an overlay.
public protocol GeoElement: AnyObject, Sendable {
  /// The geometry; nil for none.
  var geometry: (any Geometry)? { get set }
  /// The attributes by field name, without nulls.
  var attributes: [String: any Sendable] { get }
  /// Sets an attribute; nil sets null.
  func setAttributeValue(_ value: (any Sendable)?, forKey key: String)
}

/// A feature of a table: a copy of the attributes and geometry of a row.
///
/// Changes reach the table only through ``FeatureTable/update(_:)-(Feature)``.
public final class Feature: GeoElement {
  private struct State: Sendable {
    var attributes: [String: any Sendable]
    var geometry: GeometryForm?
    var objectID: Int64?
  }

  /// The table of the feature; nil for none.
  public let featureTable: (any FeatureTable)?
  private let state: ModelState<State>

  package init(
    table: (any FeatureTable)?, objectID: Int64?, attributes: [String: any Sendable],
    geometry: (any Geometry)?
  ) {
    featureTable = table
    state = ModelState(State(attributes: attributes, geometry: geometry?.form, objectID: objectID))
  }

  /// The attributes by field name, with the type of the field, without nulls.
  ///
  /// - Integers are `Int16`, `Int32` or `Int64`, other numbers `Float` or `Double`, and object ids `Int64`.
  /// - Dates are `Date`; a date without time is midnight UTC.
  /// - Booleans are `Bool`, and well-formed GUIDs are `UUID`.
  /// - All other values are `String`.
  public var attributes: [String: any Sendable] { state.read { $0.attributes } }
  /// The geometry; nil for none.
  public var geometry: (any Geometry)? {
    get { state.read { $0.geometry?.geometry } }
    set { state.update { $0.geometry = newValue?.form } }
  }
  /// The object id in the table; nil for a feature that is not in it yet.
  public var objectID: Int? { state.read { $0.objectID }.map { Int($0) } }

  /// Sets an attribute; nil sets null.
  public func setAttributeValue(_ value: (any Sendable)?, forKey key: String) {
    state.update { $0.attributes[key] = value }
  }

  func setObjectID(_ id: Int64) { state.update { $0.objectID = id } }
}

/// A feature of a service, named as in the ArcGIS Maps SDK; features are complete, so loading fetches nothing.
public typealias ArcGISFeature = Feature

extension Feature: Loadable {
  private static let loaded = Loader(isLoaded: true)
  /// The load state: a feature is always loaded.
  public var loader: Loader { Self.loaded }
}

/// The features that match a query, in order.
public final class FeatureQueryResult: Sendable {
  /// The features.
  private let all: [Feature]
  /// The fields of the table.
  public let fields: [Field]
  /// The geometry type; nil for a table without geometry.
  public let geometryType: GeometryKind?
  /// The spatial reference of the geometries.
  public let spatialReference: SpatialReference?
  /// Whether a service returned fewer features than it has; always false, because tables return all features.
  public let isTransferLimitExceeded = false

  package init(_ rows: FeatureRows, of table: (any FeatureTable)?) {
    let schema = rows.table.schema
    let ids = ObjectIDs(rows.table)
    all = rows.rows.map { row in
      var attributes: [String: any Sendable] = [:]
      for field in rows.fields {
        attributes[schema.fields[field].name] = rows.table.columns[field].value(at: row)
          .attribute(of: schema.fields[field].fieldType)
      }
      return Feature(
        table: table, objectID: ids.id(ofRow: row), attributes: attributes,
        geometry: rows.hasGeometry
          ? rows.table.geometry?.geometry(ofRow: row, spatialReference: schema.spatialReference) : nil)
    }
    fields = rows.fields.map { schema.fields[$0] }
    geometryType = schema.geometryKind
    spatialReference = schema.spatialReference
  }

  /// Returns the features, in order; the same objects at every call.
  public func features() -> [Feature] { all }
}

extension AttributeValue {
  /// Returns the value as the Swift type of a field; nil for null.
  package func attribute(of type: FieldType) -> (any Sendable)? {
    switch self {
    case .null: nil
    case .integer(let value):
      switch type {
      case .int16: Int16(exactly: value) ?? value
      case .int32: Int32(exactly: value) ?? value
      default: value
      }
    case .real(let value): type == .float32 ? Float(value) : value
    case .text(let text): type == .guid || type == .globalID ? UUID(uuidString: text) ?? text : text
    case .boolean(let value): value
    case .date(let date): Date(date.start)
    case .instant(let instant): Date(instant)
    case .duration(let duration): duration.sqlLiteral
    }
  }

  /// Creates a value from a Swift type; nil for a type that no field has.
  package init?(attribute: any Sendable) {
    switch attribute {
    case let value as Int: self = .integer(Int64(value))
    case let value as Int64: self = .integer(value)
    case let value as Int32: self = .integer(Int64(value))
    case let value as Int16: self = .integer(Int64(value))
    case let value as Double: self = value.isNaN ? .null : .real(value)
    case let value as Float: self = value.isNaN ? .null : .real(Double(value))
    case let value as String: self = .text(value)
    case let value as Bool: self = .boolean(value)
    case let value as Date: self = .instant(Instant(value))
    case let value as UUID: self = .text(value.uuidString)
    default: return nil
    }
  }
}

extension Date {
  /// Creates a date from a timestamp, to the microsecond as far as a double can represent it.
  public init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6) }
}

extension Instant {
  /// Creates the timestamp nearest to a date, in microseconds; dates beyond year 290,000 become the last timestamp.
  public init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    self.init(
      microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }
}

extension TimeExtent {
  /// Creates a time span, both ends included; a nil date is an open end.
  public init(startDate: Date?, endDate: Date?) {
    self.init(start: startDate.map { Instant($0) }, end: endDate.map { Instant($0) })
  }

  /// Creates a time span of one instant.
  public init(date: Date) { self.init(startDate: date, endDate: date) }

  /// The first instant; nil for an open start.
  public var startDate: Date? { start.map { Date($0) } }
  /// The last instant; nil for an open end.
  public var endDate: Date? { end.map { Date($0) } }
}
