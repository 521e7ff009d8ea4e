package import MapJSON

/// A filter text with the tree that it states, or the error at which parsing stopped; parsed once, when it is made.
///
/// As a property wrapper, the property is the text, and its projection is the parsed filter:
/// `a.$whereClause = b.$whereClause` copies a filter without parsing its text again.
@propertyWrapper
public struct ParsedFilter: Hashable, Sendable {
  /// The text; blank for no condition.
  public let text: String
  /// The language of the text.
  public let language: FilterLanguage
  private var reading: Reading

  /// The parsed text, in memory of its own: many values contain filters, and copies of them stay small.
  private indirect enum Reading: Sendable {
    case blank
    case condition(FilterText)
    case fault(FilterSyntaxError)

    init(_ read: () throws(FilterSyntaxError) -> FilterText?) {
      do { self = try read().map { .condition($0) } ?? .blank } catch { self = .fault(error) }
    }
  }

  /// No condition.
  public static let none = ParsedFilter("")

  /// Parses a text in a language.
  public init(_ text: String, in language: FilterLanguage = .sqlWhere) {
    (self.text, self.language) = (text, language)
    reading =
      text.isEmpty
      ? .blank : Reading { () throws(FilterSyntaxError) in try FilterText(text, in: language) }
  }

  /// Parses CQL2 in either encoding, JSON when it begins with `{` or is `true` or `false`, else text.
  public init(cql2 text: String) {
    self.text = text
    reading =
      text.isEmpty ? .blank : Reading { () throws(FilterSyntaxError) in try FilterText(cql2: text) }
    language = if case .condition(let read) = reading { read.language } else { .cql2Text }
  }

  /// Reads CQL2 from a JSON value; the text is the value's compact form.
  package init(cql2 json: JSONValue) {
    var writer = JSONWriter()
    let placed = Result { () throws(FilterSyntaxError) in try PlacedJSON(json, to: &writer) }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    reading = Reading { () throws(FilterSyntaxError) in try FilterText(text, cql2: placed.get()) }
    (self.text, language) = (text, .cql2JSON)
  }

  /// Parses a where clause.
  public init(wrappedValue: String) { self.init(wrappedValue) }

  /// The text; another one is parsed in the same language.
  public var wrappedValue: String {
    get { text }
    set {
      guard newValue != text else { return }
      self = language == .sqlWhere ? ParsedFilter(newValue) : ParsedFilter(cql2: newValue)
    }
  }

  /// The parsed filter itself.
  public var projectedValue: ParsedFilter {
    get { self }
    set { self = newValue }
  }

  /// Returns the text with its tree; nil for a blank text.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which parsing stopped.
  package func read() throws(FilterSyntaxError) -> FilterText? {
    switch reading {
    case .blank: nil
    case .condition(let text): text
    case .fault(let error): throw error
    }
  }

  /// Returns the filter with casts where it compares text fields with numbers or times; nil if it has no such
  /// comparison or does not parse.
  package func castingTexts(in fields: FilterFields) -> ParsedFilter? {
    guard let read = try? read() else { return nil }
    let cast = read.expression.castingTexts(in: fields)
    guard cast != read.expression else { return nil }
    var filter = self
    filter.reading = .condition(FilterText(read, cast))
    return filter
  }

  /// The names of the fields; none if the text does not parse.
  public var fieldNames: Set<String> { (try? read())?.expression.propertyNames ?? [] }

  /// Whether texts and languages are equal.
  public static func == (first: ParsedFilter, second: ParsedFilter) -> Bool {
    first.text == second.text && first.language == second.language
  }

  /// Hashes the text and the language.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(language)
  }
}

extension ParsedFilter: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
