import MapFilter
import MapJSON

/// The functions of styles, by the names that GeoServer has, in filters and in Arcade.
///
/// - Source: GeoServer, "Filter Function Reference"; the functions of Symbology Encoding are elements.
enum SLDFunctions {
  typealias InFilters = @Sendable ([FilterExpression]) -> FilterExpression?
  typealias InArcade = @Sendable ([String]) -> String?

  /// A function with its forms; nil for a form that it does not have.
  private struct Function: Sendable {
    let filter: InFilters?
    let arcade: InArcade?
  }

  /// The names of all functions that are evaluated.
  static let names: Set<String> = Set(table.keys)

  /// Returns a call as a value in a filter; nil if filters do not have the function.
  static func filter(_ name: String, _ arguments: [FilterExpression]) -> FilterExpression? {
    table[name]?.filter?(arguments)
  }

  /// Returns a call in Arcade; nil if Arcade does not have the function.
  static func arcade(_ name: String, _ arguments: [String]) -> String? { table[name]?.arcade?(arguments) }

  /// Returns a condition that a function states; nil for a function that states none.
  static func condition(_ name: String, _ arguments: [FilterExpression]) -> FilterExpression? {
    let comparisons: [String: ComparisonOperator] = [
      "equalTo": .equal, "notEqualTo": .notEqual, "lessThan": .less, "greaterThan": .greater,
      "lessEqualThan": .lessOrEqual, "greaterEqualThan": .greaterOrEqual,
    ]
    if let comparison = comparisons[name], arguments.count == 2 {
      return .comparison(comparison, arguments[0], arguments[1])
    }
    func like(_ make: (String) -> String) -> FilterExpression? {
      guard arguments.count == 2, case .literal(.text(let text)) = arguments[1] else {
        return nil
      }
      return .like(arguments[0], pattern: .literal(.text(make(escaped(text)))), escape: "\\")
    }
    switch name {
    case "isNull" where arguments.count == 1: return .isNull(arguments[0])
    case "between" where arguments.count == 3:
      return .between(arguments[0], lower: arguments[1], upper: arguments[2])
    case "strStartsWith": return like { $0 + "%" }
    case "strEndsWith": return like { "%" + $0 }
    case "strContains": return like { "%" + $0 + "%" }
    case _ where name.hasPrefix("in") && name.dropFirst(2).allSatisfy(\.isNumber) && arguments.count > 1:
      return .isIn(arguments[0], Array(arguments.dropFirst()))
    default: return nil
    }
  }

  /// The text with a backslash before each wildcard of LIKE.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : "\($1)" }
  }

  private static func one(_ filter: String, _ arcade: String) -> Function {
    Function(
      filter: { $0.count == 1 ? .call(filter, $0) : nil },
      arcade: { $0.count == 1 ? "\(arcade)(\($0[0]))" : nil })
  }

  private static func two(_ filter: String?, _ arcade: String) -> Function {
    var own: InFilters?
    if let filter { own = { $0.count == 2 ? .call(filter, $0) : nil } }
    return Function(filter: own, arcade: { $0.count == 2 ? "\(arcade)(\($0[0]), \($0[1]))" : nil })
  }

  private static func extreme(_ comparison: ComparisonOperator, _ arcade: String) -> Function {
    Function(
      filter: { arguments in
        guard arguments.count == 2 else { return nil }
        let branch = ChoiceBranch(
          when: .comparison(comparison, arguments[0], arguments[1]), then: arguments[0])
        return .choice(of: nil, [branch], otherwise: arguments[1])
      },
      arcade: { $0.count == 2 ? "\(arcade)(\($0[0]), \($0[1]))" : nil })
  }

  private static func arcade(_ make: @escaping InArcade) -> Function { Function(filter: nil, arcade: make) }

  private static func condition(_ symbol: String) -> Function {
    arcade { $0.count == 2 ? "(\($0[0]) \(symbol) \($0[1]))" : nil }
  }

  private static let table: [String: Function] = {
    var table: [String: Function] = [:]
    table["strToUpperCase"] = one("UPPER", "Upper")
    table["strToLowerCase"] = one("LOWER", "Lower")
    table["strTrim"] = arcade { $0.count == 1 ? "Trim(\($0[0]))" : nil }
    table["strLength"] = one("CHAR_LENGTH", "Count")
    table["strCapitalize"] = arcade { $0.count == 1 ? "Proper(\($0[0]))" : nil }
    table["abs"] = one("ABS", "Abs")
    table["ceil"] = one("CEILING", "Ceil")
    table["floor"] = one("FLOOR", "Floor")
    table["round"] = one("ROUND", "Round")
    table["rint"] = one("ROUND", "Round")
    table["log"] = one("LOG", "Log")
    table["sin"] = one("SIN", "Sin")
    table["cos"] = one("COS", "Cos")
    table["tan"] = one("TAN", "Tan")
    table["asin"] = arcade { $0.count == 1 ? "Asin(\($0[0]))" : nil }
    table["acos"] = arcade { $0.count == 1 ? "Acos(\($0[0]))" : nil }
    table["atan"] = arcade { $0.count == 1 ? "Atan(\($0[0]))" : nil }
    table["atan2"] = two(nil, "Atan2")
    table["idiv"] = arcade { $0.count == 2 ? "Floor(\($0[0]) / \($0[1]))" : nil }
    table["env"] = arcade {
      $0.isEmpty ? "($view.scale / \(JSONWriter.text(of: SLDMapping.scaleFactor)))" : nil
    }
    table["exp"] = arcade { $0.count == 1 ? "Exp(\($0[0]))" : nil }
    table["pow"] = two("POWER", "Pow")
    table["min"] = extreme(.less, "Min")
    table["max"] = extreme(.greater, "Max")
    table["modulo"] = Function(
      filter: { $0.count == 2 ? .call("MOD", $0) : nil },
      arcade: { $0.count == 2 ? "(\($0[0]) % \($0[1]))" : nil })
    table["sqrt"] = Function(
      filter: { $0.count == 1 ? .call("POWER", $0 + [.literal(.real(0.5))]) : nil },
      arcade: { $0.count == 1 ? "Sqrt(\($0[0]))" : nil })
    table["pi"] = arcade { $0.isEmpty ? "PI" : nil }
    table["toDegrees"] = arcade { $0.count == 1 ? "(\($0[0]) * 180 / PI)" : nil }
    table["toRadians"] = arcade { $0.count == 1 ? "(\($0[0]) * PI / 180)" : nil }
    table["strSubstring"] = Function(
      filter: { arguments in
        guard arguments.count == 3 else { return nil }
        return .call(
          "SUBSTRING",
          [
            arguments[0], .arithmetic(.add, arguments[1], .literal(.integer(1))),
            .arithmetic(.subtract, arguments[2], arguments[1]),
          ])
      },
      arcade: { $0.count == 3 ? "Mid(\($0[0]), \($0[1]), \($0[2]) - \($0[1]))" : nil })
    table["strSubstringStart"] = Function(
      filter: { arguments in
        guard arguments.count == 2 else { return nil }
        return .call("SUBSTRING", [arguments[0], .arithmetic(.add, arguments[1], .literal(.integer(1)))])
      },
      arcade: { $0.count == 2 ? "Mid(\($0[0]), \($0[1]))" : nil })
    table["strReplace"] = arcade { $0.count >= 3 ? "Replace(\($0[0]), \($0[1]), \($0[2]))" : nil }
    table["strIndexOf"] = arcade { $0.count == 2 ? "Find(\($0[1]), \($0[0]))" : nil }
    table["strDefaultIfBlank"] = two("COALESCE", "DefaultValue")
    table["numberFormat"] = arcade { $0.count >= 2 ? "Text(Number(\($0[1])), \($0[0]))" : nil }
    table["dateFormat"] = arcade { $0.count == 2 ? "Text(\($0[1]), \(dateFormat($0[0])))" : nil }
    table["if_then_else"] = arcade { $0.count == 3 ? "IIf(\($0[0]), \($0[1]), \($0[2]))" : nil }
    table["isNull"] = arcade { $0.count == 1 ? "IsEmpty(\($0[0]))" : nil }
    table["not"] = arcade { $0.count == 1 ? "(!\($0[0]))" : nil }
    table["equalTo"] = condition("==")
    table["notEqualTo"] = condition("!=")
    table["lessThan"] = condition("<")
    table["greaterThan"] = condition(">")
    table["lessEqualThan"] = condition("<=")
    table["greaterEqualThan"] = condition(">=")
    table["between"] = arcade { $0.count == 3 ? "(\($0[0]) >= \($0[1]) && \($0[0]) <= \($0[2]))" : nil }
    table["strStartsWith"] = arcade { $0.count == 2 ? "(Left(\($0[0]), Count(\($0[1]))) == \($0[1]))" : nil }
    table["strEndsWith"] = arcade { $0.count == 2 ? "(Right(\($0[0]), Count(\($0[1]))) == \($0[1]))" : nil }
    table["strContains"] = arcade { $0.count == 2 ? "(Find(\($0[1]), \($0[0])) > -1)" : nil }
    for name in ["parseDouble", "parseInt", "parseLong"] {
      let isWhole = name != "parseDouble"
      table[name] = Function(
        filter: { arguments in
          arguments.count == 1
            ? .call("CAST", arguments + [.literal(.text(isWhole ? "INT" : "FLOAT"))]) : nil
        },
        arcade: { $0.count == 1 ? (isWhole ? "Floor(Number(\($0[0])))" : "Number(\($0[0]))") : nil })
    }
    for count in ["", "2", "3", "4", "5", "6", "7", "8", "9", "10"] {
      table["in\(count)"] = arcade { arguments in
        guard arguments.count > 1 else { return nil }
        return "Includes([\(arguments.dropFirst().joined(separator: ", "))], \(arguments[0]))"
      }
    }
    return table
  }()

  /// Returns a format of Java's dates as one of Arcade's.
  private static func dateFormat(_ text: String) -> String {
    var result = ""
    for character in text { result.append(character == "d" ? "D" : character) }
    return result.replacing("yyyy", with: "Y").replacing("yy", with: "YY")
  }
}
