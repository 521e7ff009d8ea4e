/// A filter that limits what is drawn of a layer and nothing else.
public struct DisplayFilter: Hashable, Sendable {
  /// What tells it from the others of its layer.
  public let filterID: String
  /// Its name for people.
  public let name: String
  /// SQL; blank lets all through, as web maps allow.
  public let whereClause: String
  /// True for a filter that was made without a clause, which is an error where it is in force.
  package let lacksClause: Bool

  /// A filter by name and SQL, its name serving as its id.
  ///
  /// The clause must not be blank, which only a web map may bring: a filter that lets all through is none. A layer with a
  /// blank one in force is not drawn, with a ``QueryConditionError`` that says so.
  public init(name: String, whereClause: String) {
    (filterID, self.name, self.whereClause) = (name, name, whereClause)
    lacksClause = whereClause.allSatisfy(\.isWhitespace)
  }

  package init(filterID: String, name: String, anyClause: String) {
    (self.filterID, self.name, whereClause, lacksClause) = (filterID, name, anyClause, false)
  }
}

/// How the active one of a layer's display filters is found: the common type of all ways.
///
/// Closed: drawing and codecs switch over ``form``.
public protocol DisplayFilterDefinition: Sendable {
  /// The case it is of the closed family.
  var form: DisplayFilterForm { get }
}

/// The ways to find the active display filter.
public enum DisplayFilterForm: Hashable, Sendable {
  /// Set by hand.
  case manual(ManualDisplayFilterDefinition)
  /// By the scale of the view.
  case scale(ScaleDisplayFilterDefinition)

  /// The filters to choose from.
  public var availableFilters: [DisplayFilter] {
    switch self {
    case .manual(let definition): definition.availableFilters
    case .scale(let definition): definition.filters.map(\.filter)
    }
  }

  /// The SQL in force at a scale, the N of 1:N; blank when no filter is.
  public func activeClause(atScale scale: Double) -> String {
    activeFilter(atScale: scale)?.whereClause ?? ""
  }

  /// The filter in force at a scale; nil for none.
  package func activeFilter(atScale scale: Double) -> DisplayFilter? {
    switch self {
    case .manual(let definition): definition.filterInForce
    case .scale(let definition): definition.activeFilter(atScale: scale)?.filter
    }
  }

  /// The definition itself.
  public var definition: any DisplayFilterDefinition {
    switch self {
    case .manual(let definition): definition
    case .scale(let definition): definition
    }
  }
}

/// Which display filters a layer has and which of them is active, set by hand.
public struct ManualDisplayFilterDefinition: DisplayFilterDefinition, Hashable {
  /// The filter in force; nil, or one that is not among the available ones, is none.
  public var activeFilter: DisplayFilter?
  /// The filters to choose from.
  public var availableFilters: [DisplayFilter]

  /// A definition.
  public init(activeFilter: DisplayFilter?, availableFilters: [DisplayFilter]) {
    (self.activeFilter, self.availableFilters) = (activeFilter, availableFilters)
  }

  /// The SQL in force; blank when no filter is.
  public var activeClause: String { filterInForce?.whereClause ?? "" }

  /// The active filter when it is among the available ones.
  var filterInForce: DisplayFilter? {
    activeFilter.flatMap { availableFilters.contains($0) ? $0 : nil }
  }

  /// Itself, in the closed family.
  public var form: DisplayFilterForm { .manual(self) }
}

/// A map or layer that cannot be made as asked.
public enum MappingError: Error, Hashable, CustomStringConvertible {
  /// A table that is in another layer.
  case alreadyOwned(String)
  /// A layer that cannot stand where it was put.
  case impossiblePlace(String)
  /// A size, ratio or scale outside its limits.
  case impossibleView(String)
  /// A reference that no map can be drawn in.
  case impossibleReference(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .alreadyOwned(let table):
      "table \"\(table)\" is in another layer, and a table belongs to one at most"
    case .impossiblePlace(let reason), .impossibleView(let reason), .impossibleReference(let reason): reason
    }
  }
}
