/// A language that filters are written in.
public enum FilterLanguage: String, CaseIterable, Hashable, Sendable {
  /// The where clause of ArcGIS services.
  case sqlWhere = "sql"
  /// CQL2 in its text encoding.
  case cql2Text = "cql2-text"
  /// CQL2 in its JSON encoding.
  case cql2JSON = "cql2-json"

  /// How it names what a table has.
  ///
  /// - Source: SQL-92 5.2, where bare names have no case; OGC 21-065 (CQL2), where they do.
  public var names: FilterNames { self == .sqlWhere ? .ofWhereClauses : .ofCQL2 }
}

/// A filter as someone wrote it: its tree, and where each part of the tree stands in the text.
public struct FilterText: Hashable, Sendable {
  /// The text.
  public let text: String
  /// What it is written in.
  public let language: FilterLanguage
  /// What it states.
  public let expression: Expression
  /// Where the parts stand.
  public let places: FilterPlaces

  /// A where clause as read; nil when it is empty or blank, which is no condition at all.
  ///
  /// - Throws: ``FilterSyntaxError`` with the place where reading stopped.
  public init?(where text: String) throws(FilterSyntaxError) {
    guard let read = try SQLWhereParser.read(text) else { return nil }
    self = read
  }

  /// A text in a language as read; nil when it is blank.
  ///
  /// - Throws: ``FilterSyntaxError`` with the place where reading stopped.
  public init?(_ text: String, in language: FilterLanguage) throws(FilterSyntaxError) {
    let read =
      switch language {
      case .sqlWhere: try SQLWhereParser.read(text)
      case .cql2Text: try CQL2TextParser.read(text)
      case .cql2JSON: try CQL2JSONReader.read(text)
      }
    guard let read else { return nil }
    self = read
  }

  /// A text in either encoding of CQL2: JSON where it begins with `{` or is `true` or `false`; nil when it is blank.
  ///
  /// - Throws: ``FilterSyntaxError`` with the place where reading stopped.
  public init?(cql2 text: String) throws(FilterSyntaxError) {
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isJSON = first == "{" || ["true", "false"].contains(text)
    try self.init(text, in: isJSON ? .cql2JSON : .cql2Text)
  }

  init(text: String, language: FilterLanguage, expression: Expression, places: FilterPlaces) {
    (self.text, self.language, self.expression, self.places) = (text, language, expression, places)
  }

  /// Checks names and types before any row is read.
  ///
  /// - Throws: ``FilterError`` with the offset of the part that does not fit.
  public func check(against fields: FilterFields) throws(FilterError) {
    try expression.check(against: fields, places: places)
  }
}

/// Where the parts of a tree stand in the text that it was read from.
///
/// Only the tree that the parser made has these places: its parts are counted with those below a part before it, from
/// left to right, which is the order in which a parser makes them.
public struct FilterPlaces: Hashable, Sendable {
  private var offsets: [Int32] = []

  /// How many parts have a place: how much a reader made.
  package var count: Int { offsets.count }

  /// The UTF-8 offset at which the part begins; nil for a part that is not of this tree.
  subscript(part: Int) -> Int? { offsets.indices.contains(part) ? Int(offsets[part]) : nil }

  /// Notes that the next part begins at an offset.
  mutating func append(_ offset: Int) { offsets.append(Int32(clamping: offset)) }

  /// Notes a part that comes before others already noted.
  mutating func insert(_ offset: Int, at part: Int) { offsets.insert(Int32(clamping: offset), at: part) }
}
