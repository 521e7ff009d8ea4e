public import FoundationEssentials
public import MapFeatures
public import MapFilter
public import MapGeometry

/// What has a place and attributes: features of tables and graphics of overlays.
public protocol GeoElement: AnyObject, Sendable {
  /// The place; nil for none.
  var geometry: (any Geometry)? { get set }
  /// The attributes by field name; null ones are left out.
  var attributes: [String: any Sendable] { get }
  /// Changes an attribute; nil is null.
  func setAttributeValue(_ value: (any Sendable)?, forKey key: String)
}

/// A feature of a table: an object with a copy of a row's attributes and geometry.
///
/// What is changed here reaches the table by ``FeatureTable/update(_:)-(Feature)`` alone.
public final class Feature: GeoElement {
  private struct State: Sendable {
    var attributes: [String: any Sendable]
    var geometry: GeometryForm?
    var objectID: Int64?
  }

  /// The table that it is of; nil for one that is of none.
  public let featureTable: (any FeatureTable)?
  private let state: ModelState<State>

  package init(
    table: (any FeatureTable)?, objectID: Int64?, attributes: [String: any Sendable],
    geometry: (any Geometry)?
  ) {
    featureTable = table
    state = ModelState(State(attributes: attributes, geometry: geometry?.form, objectID: objectID))
  }

  /// The attributes by field name, each of its field's own type; null ones are left out.
  ///
  /// Whole numbers are `Int16`, `Int32` or `Int64`, others `Float` or `Double`, ids `Int64`, dates `Date`, a day at
  /// midnight UTC, true and false `Bool`, GUIDs `UUID` where they are written as one, all else `String`.
  public var attributes: [String: any Sendable] { state.snapshot.attributes }
  /// The place; nil for none.
  public var geometry: (any Geometry)? {
    get { state.snapshot.geometry?.geometry }
    set { state.update { $0.geometry = newValue?.form } }
  }
  /// What tells it apart in its table; nil for one that is not in it yet.
  public var objectID: Int? { state.snapshot.objectID.map { Int($0) } }

  /// Changes an attribute; nil is null.
  public func setAttributeValue(_ value: (any Sendable)?, forKey key: String) {
    state.update { $0.attributes[key] = value }
  }

  func setObjectID(_ id: Int64) { state.update { $0.objectID = id } }
}

/// A feature of a service, by its name in the map SDK: features come whole, so that loading one has nothing to fetch.
public typealias ArcGISFeature = Feature

extension Feature: Loadable {
  private static let loaded = Loader(isLoaded: true)
  /// Where loading stands: a feature is there from the start.
  public var loader: Loader { Self.loaded }
}

/// The features that answer a query, in order.
public final class FeatureQueryResult: Sendable {
  /// The features.
  private let all: [Feature]
  /// The fields of the table.
  public let fields: [Field]
  /// What the geometries are; nil for a table without.
  public let geometryType: GeometryKind?
  /// The reference of the geometries.
  public let spatialReference: SpatialReference?
  /// True when a service gave out less than it has; tables at hand give out all.
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

  /// The features, in order; the same at every call.
  public func features() -> [Feature] { all }
}

extension AttributeValue {
  /// The value in Swift's own type for a field; nil for null.
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

  /// The value of one of Swift's own types; nil for a type that no field has.
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
  /// The moment, to the microsecond as far as a double holds it.
  public init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6) }
}

extension Instant {
  /// The moment to the nearest microsecond; one beyond year 290,000 is the last there is.
  public init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    self.init(
      microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }
}

extension TimeExtent {
  /// A span, both ends included; a missing end is open.
  public init(startDate: Date?, endDate: Date?) {
    self.init(start: startDate.map { Instant($0) }, end: endDate.map { Instant($0) })
  }

  /// One moment.
  public init(date: Date) { self.init(startDate: date, endDate: date) }

  /// The first moment; nil from the beginning.
  public var startDate: Date? { start.map { Date($0) } }
  /// The last moment; nil for ever.
  public var endDate: Date? { end.map { Date($0) } }
}
