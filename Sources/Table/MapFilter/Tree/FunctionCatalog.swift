import MapJSON

/// The functions of filters in all languages.
///
/// To add a function, add an entry here. Parsers, the type check, evaluation and `mapstate filter --functions` read the
/// catalogue, and a test runs the entry's example.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92 where that is silent. Where both are
///   silent, the entry states the design decision.
package enum FunctionCatalog {
  /// All functions, by subject.
  package static let functions: [FilterFunction] =
    FilterFunction.textFunctions + FilterFunction.numberFunctions + FilterFunction.timeFunctions
    + FilterFunction.generalFunctions

  private static let byName = Dictionary(uniqueKeysWithValues: functions.map { ($0.name, $0) })

  /// Returns the function of a name in any case; nil when there is none or when it is not a call, such as CASE.
  package static func function(named name: String) -> FilterFunction? {
    // No name is longer than 32 bytes, so longer names need no conversion to upper case.
    guard name.utf8.count <= 32, let function = byName[name.uppercased()], function.syntax != .choice
    else { return nil }
    return function
  }

  /// Returns the function that was probably meant: one with that name in another language, else the most similar name.
  static func nearestName(to name: String, inWhereClauses isWhere: Bool = false) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let (wanted, functions) = (name.uppercased(), functions.filter { !isWhere || $0.syntax != .absent })
    if isWhere, wanted == "CASEI" { return "UPPER" }
    if let known = functions.first(where: { $0.otherNames.contains(wanted) }) { return known.name }
    return NearestName.of(name, among: functions.map(\.name))
  }

  /// The aggregate functions, which a condition on one row cannot contain.
  static let aggregates: Set<String> = ["COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV", "VARIANCE", "VAR"]
}
