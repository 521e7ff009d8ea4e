/// A part of an expression that has a value.
indirect enum ArcadeNode: Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case variable(ArcadeVariable)
  /// The value of a field of the feature, by its place among the expression's fields.
  case field(Int)
  /// `$feature` itself.
  case feature
  /// `$view`; only its scale is known.
  case view
  case scale
  case function(Int)
  case negative(ArcadeNode)
  case positive(ArcadeNode)
  case not(ArcadeNode)
  case binary(ArcadeOperator, ArcadeNode, ArcadeNode)
  case and(ArcadeNode, ArcadeNode, offset: Int)
  case or(ArcadeNode, ArcadeNode, offset: Int)
  case assignment(ArcadeTarget, ArcadeOperator?, ArcadeNode)
  case step(ArcadeTarget, by: Double, isPrefix: Bool)
  case array([ArcadeNode])
  case dictionary([(key: String, value: ArcadeNode)])
  case member(ArcadeNode, ArcadeNode, offset: Int)
  case template([ArcadeNode])
  case iif(ArcadeNode, ArcadeNode, ArcadeNode, offset: Int)
  case when([ArcadeNode], offset: Int)
  case decode([ArcadeNode])
  case call(ArcadeFunction, [ArcadeNode], offset: Int)
  /// A call of a function of the expression.
  case ownCall(ArcadeNode, [ArcadeNode], offset: Int)
}

/// The place of a variable: among those of the expression, or of the function that is running.
struct ArcadeVariable: Sendable, Hashable {
  let index: Int
  let isLocal: Bool
}

/// The place that an assignment changes.
indirect enum ArcadeTarget: Sendable {
  case variable(ArcadeVariable)
  case member(ArcadeNode, ArcadeNode, offset: Int)
}

/// An operator of two operands.
enum ArcadeOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case less = "<"
  case greater = ">"
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case equal = "=="
  case unequal = "!="
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"

  /// The rank of the operator: those of a higher rank bind first.
  var rank: Int {
    switch self {
    case .bitOr: 3
    case .bitXor: 4
    case .bitAnd: 5
    case .equal, .unequal: 6
    case .less, .greater, .lessOrEqual, .greaterOrEqual: 7
    case .shiftLeft, .shiftRight: 8
    case .add, .subtract: 9
    case .multiply, .divide, .remainder: 10
    }
  }
}

/// A statement.
indirect enum ArcadeStatement: Sendable {
  case expression(ArcadeNode)
  case variables([(variable: ArcadeVariable, value: ArcadeNode?)])
  case condition([(condition: ArcadeNode, body: ArcadeStatement)], otherwise: ArcadeStatement?, offset: Int)
  case loop(
    first: ArcadeStatement?, condition: ArcadeNode?, step: ArcadeNode?, body: ArcadeStatement, offset: Int)
  case each(ArcadeVariable, in: ArcadeNode, isValue: Bool, body: ArcadeStatement, offset: Int)
  case block([ArcadeStatement])
  case result(ArcadeNode?)
  case leave
  case proceed
}

/// A function that an expression defines.
struct ArcadeDefinition: Sendable {
  let parameterCount: Int
  var localCount: Int
  var body: ArcadeStatement
}

/// The statements of an expression with the functions that it defines.
struct ArcadeProgram: Sendable {
  var statements: [ArcadeStatement] = []
  var definitions: [ArcadeDefinition] = []
  /// The number of variables outside functions.
  var globalCount = 0

  var definesNames: Bool { globalCount > 0 || !definitions.isEmpty }

  /// The value when there is one without statements; nil for others.
  var onlyExpression: ArcadeNode? {
    guard statements.count == 1, !definesNames else { return nil }
    switch statements[0] {
    case .expression(let node): return node
    case .result(let node?): return node
    default: return nil
    }
  }
}
