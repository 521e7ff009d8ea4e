package import MapSystem
public import MapFilter

/// A filter that limits the drawing of a layer and nothing else.
public struct DisplayFilter: Hashable, Sendable {
  /// The identifier of the filter, unique within its layer.
  public let filterID: String
  /// The display name.
  public let name: String
  /// The SQL condition; a blank clause, allowed in web maps, passes all features.
  @ParsedFilter public private(set) var whereClause: String
  /// Whether the filter was created without a clause, which is an error when it applies.
  package let lacksClause: Bool

  /// Creates a filter with a name, which is also its id, and an SQL condition.
  ///
  /// The clause must not be blank: only web maps may contain a filter that passes all features. While a blank filter
  /// applies, its layer is not drawn and reports an error.
  public init(name: String, whereClause: String) {
    self.init(name: name, filter: ParsedFilter(whereClause))
  }

  package init(name: String, filter: ParsedFilter) {
    (filterID, self.name, _whereClause) = (name, name, filter)
    lacksClause = filter.text.allSatisfy(\.isWhitespace)
  }

  package init(filterID: String, name: String, anyClause: String) {
    (self.filterID, self.name, lacksClause) = (filterID, name, false)
    _whereClause = ParsedFilter(anyClause)
  }

  /// Returns the filter with a change of its condition; a change of nil leaves it.
  func mapCondition(_ change: (ParsedFilter) -> ParsedFilter?) -> DisplayFilter {
    var filter = self
    filter.$whereClause = change($whereClause) ?? $whereClause
    return filter
  }
}

/// The common type of all rules that select the active display filter of a layer.
///
/// Do not conform other types: drawing and codecs switch over ``form``, a closed set.
public protocol DisplayFilterDefinition: Sendable {
  /// The definition as a case of the closed set.
  var form: DisplayFilterForm { get }
}

/// The rules that select the active display filter.
public indirect enum DisplayFilterForm: Hashable, Sendable {
  /// A filter chosen by the program.
  case manual(ManualDisplayFilterDefinition)
  /// A filter chosen by the scale of the view.
  case scale(ScaleDisplayFilterDefinition)

  /// The available filters.
  public var availableFilters: [DisplayFilter] {
    switch self {
    case .manual(let definition): definition.availableFilters
    case .scale(let definition): definition.filters.map(\.filter)
    }
  }

  /// Returns the SQL that applies at a scale denominator; blank when no filter applies.
  public func activeClause(atScale scale: Double) -> String {
    activeFilter(atScale: scale)?.whereClause ?? ""
  }

  /// Returns the filter that applies at a scale denominator; nil for none.
  package func activeFilter(atScale scale: Double) -> DisplayFilter? {
    switch self {
    case .manual(let definition): definition.filterInForce
    case .scale(let definition): definition.activeFilter(atScale: scale)?.filter
    }
  }

  /// Returns the rules with a change of each condition; a change of nil leaves it.
  package func mapConditions(_ change: (ParsedFilter) -> ParsedFilter?) -> DisplayFilterForm {
    switch self {
    case .manual(var definition):
      definition.activeFilter = definition.activeFilter?.mapCondition(change)
      definition.availableFilters = definition.availableFilters.map { $0.mapCondition(change) }
      return .manual(definition)
    case .scale(var definition):
      definition.filters = definition.filters.map {
        ScaleRangeDisplayFilter(
          filter: $0.filter.mapCondition(change), minScale: $0.minScale, maxScale: $0.maxScale)
      }
      return .scale(definition)
    }
  }

  /// The definition as a protocol value.
  public var definition: any DisplayFilterDefinition {
    switch self {
    case .manual(let definition): definition
    case .scale(let definition): definition
    }
  }
}

/// The display filters of a layer, with the active one chosen by the program.
public struct ManualDisplayFilterDefinition: DisplayFilterDefinition, Hashable {
  /// The active filter; nil, or a filter outside ``availableFilters``, applies no filter.
  public var activeFilter: DisplayFilter?
  /// The available filters.
  public var availableFilters: [DisplayFilter]

  /// Creates a definition.
  public init(activeFilter: DisplayFilter?, availableFilters: [DisplayFilter]) {
    (self.activeFilter, self.availableFilters) = (activeFilter, availableFilters)
  }

  /// The SQL that applies; blank when no filter applies.
  public var activeClause: String { filterInForce?.whereClause ?? "" }

  /// The active filter if it is one of the available filters; otherwise nil.
  var filterInForce: DisplayFilter? {
    activeFilter.flatMap { availableFilters.contains($0) ? $0 : nil }
  }

  /// The definition as a case of ``DisplayFilterForm``.
  public var form: DisplayFilterForm { .manual(self) }
}

/// An error for a map, view or layer that cannot be set up as requested.
package enum MappingError: Error, Hashable, CustomStringConvertible {
  /// A table that belongs to another layer.
  case alreadyOwned(String)
  /// A layer that cannot be added or moved to the requested position.
  case impossiblePlace(String)
  /// A size, ratio or scale outside its limits.
  case impossibleView(String)
  /// A spatial reference that no map can be drawn in.
  case impossibleReference(String)
  /// A spatial reference that needs a library that is not installed.
  case missingLibrary(String)

  /// The message, in one line.
  package var description: String {
    switch self {
    case .alreadyOwned(let table):
      "table \"\(table)\" is in another layer, and a table belongs to one layer only; use a clone() of it"
    case .impossiblePlace(let reason), .impossibleView(let reason), .impossibleReference(let reason),
      .missingLibrary(let reason):
      reason
    }
  }
}

extension MappingError: MapStateErrorCause {
  /// Returns the error for callers; a missing library is of kind input, because the request is right.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    if case .missingLibrary = self { return MapStateError(.input, description, cause: self) }
    return MapStateError(kind, description, cause: self)
  }
}
