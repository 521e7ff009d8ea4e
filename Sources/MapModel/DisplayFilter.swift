/// A filter that limits what is drawn of a layer and nothing else.
public struct DisplayFilter: Hashable, Sendable {
  /// What tells it from the others of its layer.
  public let filterID: String
  /// Its name for people.
  public let name: String
  /// SQL; blank lets all through, as web maps allow.
  public let whereClause: String

  /// A filter by name and SQL, its name serving as its id.
  ///
  /// The clause must not be blank, which only a web map may bring: a filter that lets all through is none.
  public init(name: String, whereClause: String) {
    precondition(
      whereClause.contains { !$0.isWhitespace }, "display filter \"\(name)\" has an empty where clause")
    self.init(filterID: name, name: name, anyClause: whereClause)
  }

  package init(filterID: String, name: String, anyClause: String) {
    (self.filterID, self.name, whereClause) = (filterID, name, anyClause)
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
    switch self {
    case .manual(let definition): definition.activeClause
    case .scale(let definition): definition.activeFilter(atScale: scale)?.filter.whereClause ?? ""
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
  public var activeClause: String {
    guard let activeFilter, availableFilters.contains(activeFilter) else { return "" }
    return activeFilter.whereClause
  }

  /// Itself, in the closed family.
  public var form: DisplayFilterForm { .manual(self) }
}

/// A map or layer that cannot be made as asked.
public enum MappingError: Error, Hashable, CustomStringConvertible {
  /// A table that is in another layer.
  case alreadyOwned(String)
  /// A size, ratio or scale outside its limits.
  case impossibleView(String)
  /// A reference that no map can be drawn in.
  case impossibleReference(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .alreadyOwned(let table):
      "table \"\(table)\" is in another layer, and a table belongs to one at most"
    case .impossibleView(let reason), .impossibleReference(let reason): reason
    }
  }
}
