/// The functions that expressions may call, by name.
enum ArcadeFunctions {
  private static let all =
    ArcadeFunction.logical + ArcadeFunction.numeric + ArcadeFunction.textual + ArcadeFunction.dates
    + ArcadeFunction.lists + ArcadeFunction.dictionaries + ArcadeFunction.geometric
  private static let table = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// The names of all functions, in lower case.
  static var names: [String] { all.map(\.name) + ["iif", "when", "decode", "expects", "console"] }

  /// Returns the function of a name in lower case; nil for an unknown one.
  static func named(_ name: String) -> ArcadeFunction? { table[name] }
}
