/// A filter as someone wrote it: its tree, and where each part of the tree stands in the text.
public struct FilterText: Hashable, Sendable {
  /// The text.
  public let text: String
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

  init(text: String, expression: Expression, places: FilterPlaces) {
    (self.text, self.expression, self.places) = (text, expression, places)
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

  /// How many parts have a place.
  var count: Int { offsets.count }

  /// The UTF-8 offset at which the part begins; nil for a part that is not of this tree.
  subscript(part: Int) -> Int? { offsets.indices.contains(part) ? Int(offsets[part]) : nil }

  /// Notes that the next part begins at an offset.
  mutating func append(_ offset: Int) { offsets.append(Int32(clamping: offset)) }

  /// Notes a part that comes before others already noted.
  mutating func insert(_ offset: Int, at part: Int) { offsets.insert(Int32(clamping: offset), at: part) }
}
