extension FilterExpression: CustomStringConvertible {
  /// The expression as CQL2 text; as an outline where CQL2 has no words for it.
  package var description: String { (try? text(in: .cql2Text)) ?? outline }
}

extension FilterText: CustomStringConvertible {
  /// The expression as CQL2 text; as an outline where CQL2 has no words for it.
  package var description: String { expression.description }
}

extension FilterFunction: CustomStringConvertible {
  /// The form of a call, such as `UPPER(text)`.
  package var description: String { form }
}
