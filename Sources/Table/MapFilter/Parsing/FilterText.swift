/// A filter as written: its text, its tree, and the position in the text of each part of the tree.
package struct FilterText: Hashable, Sendable {
  /// The text.
  package let text: String
  /// The language of the text.
  package let language: FilterLanguage
  /// The condition that the text states.
  package let expression: FilterExpression
  /// The positions of the tree's parts in the text.
  package let places: FilterPlaces
  /// Whether the result depends on the current time.
  package let needsCurrentTime: Bool

  /// Reads a where clause; nil when it is empty or blank, which is no condition at all.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  package init?(where text: String) throws(FilterSyntaxError) {
    try self.init(text, in: .sqlWhere)
  }

  /// Reads a text in a language; nil when it is blank.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  package init?(_ text: String, in language: FilterLanguage) throws(FilterSyntaxError) {
    let read =
      switch language {
      case .sqlWhere: try SQLWhereParser.read(text)
      case .cql2Text: try CQL2TextParser.read(text)
      case .cql2JSON: try CQL2JSONReader.read(text)
      }
    guard let read else { return nil }
    self.init(text, language, read)
  }

  /// Reads CQL2 from a JSON value, whose parts have positions in a text.
  init(_ text: String, cql2 json: PlacedJSON) throws(FilterSyntaxError) {
    ParsedTexts.record(text)
    try CQL2TextParser.checkLength(text)
    self.init(text, .cql2JSON, try CQL2JSONReader.read(json))
  }

  /// Returns the same text with another tree, whose parts have no positions in it.
  init(_ filter: FilterText, _ expression: FilterExpression) {
    (text, language, self.expression, places) = (filter.text, filter.language, expression, filter.places)
    needsCurrentTime = filter.needsCurrentTime
  }

  private init(
    _ text: String, _ language: FilterLanguage, _ read: (expression: FilterExpression, places: FilterPlaces)
  ) {
    (self.text, self.language, expression, places) = (text, language, read.expression, read.places)
    needsCurrentTime = read.expression.needsCurrentTime
  }

  /// Reads CQL2 in either encoding: JSON when it begins with `{` or is `true` or `false`, else text; nil when it is
  /// blank.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  package init?(cql2 text: String) throws(FilterSyntaxError) {
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isJSON = first == "{" || ["true", "false"].contains(text)
    try self.init(text, in: isJSON ? .cql2JSON : .cql2Text)
  }

  /// Checks names and types before any row is read.
  ///
  /// - Throws: ``FilterError`` with the offset of the part that does not fit.
  package func check(against fields: FilterFields) throws(FilterError) {
    try expression.check(against: fields, places: places)
  }
}
