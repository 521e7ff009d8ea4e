// Functions of values of any type.

extension FilterFunction {
  static let generalFunctions: [FilterFunction] = [
    FilterFunction(
      "COALESCE", "COALESCE(value, value, …)", "The first of the values that is not null.",
      example: "COALESCE(NULL, 'none') = 'none'", takes: [.any], count: 1...FilterFunction.argumentLimit,
      gives: .common, takesNulls: true, otherNames: ["IFNULL", "NVL", "ISNULL"],
      .values { arguments in arguments.first { !$0.isNull } ?? .null }),
    FilterFunction(
      "NULLIF", "NULLIF(value, value)", "The first value, but null when the two are equal.",
      example: "NULLIF('x', 'x') IS NULL", takes: [.any, .any], gives: .common, takesNulls: true,
      .values { $0[0].ordering(to: $0[1]) == .equal ? .null : $0[0] }),
    FilterFunction(
      "CAST", "CAST(value AS INT | FLOAT | VARCHAR(n) | DATE | TIMESTAMP)",
      "The value as another type; null when its form does not fit that type.",
      example: "CAST('42' AS INT) = 42 AND CAST(4.2 AS VARCHAR(10)) = '4.2'", takes: [.any, .castType],
      gives: .cast, syntax: .cast, otherNames: ["CONVERT", "TO_CHAR", "TO_NUMBER", "TO_DATE", "STR"],
      .worded(place: 1) { word in
        guard let type = CastType(word) else { return nil }
        return { arguments in type.value(of: arguments[0]) }
      }),
    FilterFunction(
      "CASE", "CASE WHEN condition THEN value … [ELSE value] END or CASE value WHEN value THEN value … END",
      "The value of the first branch that applies; otherwise the ELSE value, or null without ELSE.",
      example: "CASE WHEN 2 > 1 THEN 'more' ELSE 'less' END = 'more'", takes: [.any], gives: .common,
      syntax: .choice, takesNulls: true, otherNames: ["IIF", "IF", "DECODE", "SWITCH"], .ownNode),
  ]
}

extension FilterFunction {
  /// The greatest number of arguments of a variadic function, which is more than a filter text has room for.
  static let argumentLimit = 1 << 20
}
