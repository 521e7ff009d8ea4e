import MapJSON

/// The functions that filters know, in every syntax.
///
/// To add one, add an entry: parsers, the check of types, evaluation and `mapstate filter --functions` read it here, and
/// a test runs its example.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92 for what that leaves open. Where both are
///   silent, the entry says what is ours.
public enum FunctionCatalog {
  /// All functions, by subject.
  public static let functions: [FilterFunction] =
    textFunctions + numberFunctions + timeFunctions + generalFunctions

  private static let byName = Dictionary(uniqueKeysWithValues: functions.map { ($0.name, $0) })

  /// The function of a name, in any case; nil when there is none, or when it is no call, as CASE.
  public static func function(named name: String) -> FilterFunction? {
    // No name is longer, and a long one need not be changed to upper case to see that.
    guard name.utf8.count <= 32, let function = byName[name.uppercased()], function.syntax != .choice
    else { return nil }
    return function
  }

  /// The name that someone may have meant: what other languages call the same, else the nearest by letters.
  static func nearestName(to name: String, inWhereClauses isWhere: Bool = false) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let (wanted, functions) = (name.uppercased(), functions.filter { !isWhere || $0.syntax != .absent })
    if isWhere, wanted == "CASEI" { return "UPPER" }
    if let known = functions.first(where: { $0.otherNames.contains(wanted) }) { return known.name }
    return NearestName.of(name, among: functions.map(\.name))
  }

  /// The functions over many rows, which a condition on one row cannot hold.
  static let aggregates: Set<String> = ["COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV", "VARIANCE", "VAR"]
}
