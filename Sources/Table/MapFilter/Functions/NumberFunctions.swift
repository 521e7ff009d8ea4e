import Glibc

// Functions of numbers. Integers stay integers where the result can be an integer. Without a result they give null,
// since a query cannot report an error for one row. Examples are a division by zero, a logarithm of zero and a power
// that is not a real number.

extension FilterFunction {
  static let numberFunctions: [FilterFunction] = [
    FilterFunction(
      "ABS", "ABS(number)", "The absolute value of the number.", example: "ABS(-2.5) = 2.5", takes: [.number],
      gives: .first,
      .values { arguments in
        switch arguments[0] {
        case .integer(let value): value < 0 ? arguments[0].negated : arguments[0]
        case .real(let value): .real(abs(value))
        default: .null
        }
      }),
    FilterFunction(
      "CEILING", "CEILING(number)", "The number rounded up to a whole number.",
      example: "CEILING(-2.5) = -2",
      takes: [.number], gives: .first, otherNames: ["CEIL"], whole(.up)),
    FilterFunction(
      "FLOOR", "FLOOR(number)", "The number rounded down to a whole number.",
      example: "FLOOR(-2.5) = -3", takes: [.number], gives: .first, whole(.down)),
    FilterFunction(
      "ROUND", "ROUND(number[, digits])",
      "The number rounded to the given decimals, halves away from zero; negative digits round before the point.",
      example: "ROUND(2.345, 2) = 2.35 AND ROUND(1250, -2) = 1300", takes: [.number, .integer], count: 1...2,
      gives: .first,
      .values { DecimalRounding.rounded($0[0], $0.count > 1 ? $0[1] : .integer(0), .toNearestOrAwayFromZero) }
    ),
    FilterFunction(
      "TRUNCATE", "TRUNCATE(number[, digits])", "The number truncated towards zero after the given decimals.",
      example: "TRUNCATE(-2.349, 2) = -2.34", takes: [.number, .integer], count: 1...2, gives: .first,
      otherNames: ["TRUNC"],
      .values { DecimalRounding.rounded($0[0], $0.count > 1 ? $0[1] : .integer(0), .towardZero) }),
    FilterFunction(
      "MOD", "MOD(number, number)", "The remainder of a division, with the sign of the first number.",
      example: "MOD(-7, 3) = -1", takes: [.number, .number], gives: .number, otherNames: ["REMAINDER"],
      .values { arguments in
        if case .integer(let first) = arguments[0], case .integer(let second) = arguments[1] {
          // -1 divides every integer, and the least integer divided by -1 overflows 64 bits.
          return second == 0 ? .null : .integer(second == -1 ? 0 : first % second)
        }
        guard let first = arguments[0].realNumber, let second = arguments[1].realNumber else { return .null }
        return AttributeValue(real: first.truncatingRemainder(dividingBy: second))
      }),
    FilterFunction(
      "POWER", "POWER(base, exponent)", "The base to the power of the exponent.",
      example: "POWER(2, 10) = 1024",
      takes: [.number, .number], gives: .always(.real), otherNames: ["POW"],
      .values { arguments in
        guard let base = arguments[0].realNumber, let exponent = arguments[1].realNumber,
          base != 0 || exponent >= 0
        else { return .null }
        return AttributeValue(real: pow(base, exponent))
      }),
    FilterFunction(
      "LOG", "LOG(number)", "The natural logarithm.", example: "ROUND(LOG(10), 6) = 2.302585",
      takes: [.number], gives: .always(.real), otherNames: ["LN"],
      real { $0 > 0 ? log($0) : .nan }),
    FilterFunction(
      "LOG10", "LOG10(number)", "The logarithm to base 10.", example: "LOG10(1000) = 3", takes: [.number],
      gives: .always(.real), real { $0 > 0 ? log10($0) : .nan }),
    FilterFunction(
      "SIN", "SIN(number)", "The sine of an angle in radians.", example: "SIN(0) = 0", takes: [.number],
      gives: .always(.real), real { sin($0) }),
    FilterFunction(
      "COS", "COS(number)", "The cosine of an angle in radians.", example: "COS(0) = 1", takes: [.number],
      gives: .always(.real), real { cos($0) }),
    FilterFunction(
      "TAN", "TAN(number)", "The tangent of an angle in radians.", example: "ROUND(TAN(0.785398), 5) = 1",
      takes: [.number], gives: .always(.real), real { tan($0) }),
  ]

  /// Returns the evaluation of a function of one number that gives a real.
  private static func real(_ function: @escaping @Sendable (Double) -> Double) -> FilterFunction.Evaluation {
    .real(keepsIntegers: false, function)
  }

  /// Returns the evaluation of a function that rounds reals and leaves integers unchanged.
  private static func whole(_ rule: FloatingPointRoundingRule) -> FilterFunction.Evaluation {
    .real(keepsIntegers: true) { $0.rounded(rule) }
  }
}
