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
  /// - Throws: ``MappingError/emptyDisplayFilter(_:)`` for a blank clause, which only a web map may bring.
  public init(name: String, whereClause: String) throws(MappingError) {
    guard whereClause.contains(where: { !$0.isWhitespace }) else { throw .emptyDisplayFilter(name) }
    self.init(filterID: name, name: name, anyClause: whereClause)
  }

  package init(filterID: String, name: String, anyClause: String) {
    (self.filterID, self.name, whereClause) = (filterID, name, anyClause)
  }
}

/// Which display filters a layer has and which of them is active, set by hand.
public struct ManualDisplayFilterDefinition: Hashable, Sendable {
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
}

/// A map or layer that cannot be made as asked.
public enum MappingError: Error, Hashable, CustomStringConvertible {
  /// A display filter made in code without a clause.
  case emptyDisplayFilter(String)
  /// A size, ratio or scale outside its limits.
  case impossibleView(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .emptyDisplayFilter(let name): "display filter \"\(name)\" has an empty where clause"
    case .impossibleView(let reason): reason
    }
  }
}
