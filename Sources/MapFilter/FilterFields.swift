/// The fields that a filter may name, with their types.
public struct FilterFields: Sendable {
  /// The fields, in the order of the columns; the type is nil where filters cannot use the field.
  public let fields: [(name: String, type: AttributeType?)]
  private let exactNames: [String: Int]
  private let caselessNames: [String: Int]

  /// Fields by name and type.
  public init(_ fields: [(name: String, type: AttributeType?)]) {
    self.fields = fields
    let names = fields.enumerated()
    exactNames = Dictionary(names.map { ($1.name, $0) }) { first, _ in first }
    caselessNames = Dictionary(names.map { ($1.name.lowercased(), $0) }) { first, _ in first }
  }

  /// The place of a field: its exact name first, else the first that has it without regard to case.
  ///
  /// - Throws: ``FilterError`` that names the nearest field when there is none of that name.
  public func index(of name: String) throws(FilterError) -> Int {
    if let index = exactNames[name] ?? caselessNames[name.lowercased()] { return index }
    throw FilterError(
      .unknownField(Token.shortened(name), nearest: NearestName.of(name, among: fields.lazy.map(\.name))))
  }
}
