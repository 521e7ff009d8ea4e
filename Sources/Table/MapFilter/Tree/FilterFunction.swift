/// A function that filters may call: its arguments, its result and its evaluation.
package struct FilterFunction: Sendable {
  /// The values that an argument accepts.
  package enum Argument: Hashable, Sendable {
    /// An integer or a real.
    case number
    /// An integer.
    case integer
    /// Text.
    case text
    /// A date or an instant.
    case moment
    /// Any value; with ``Result/common`` the types of all arguments must compare with each other.
    case any
    /// A keyword of this list, as a text literal; in a where clause it is part of the syntax of the call.
    case word([String])
    /// The target type of a cast, as a text literal; see ``CastType``.
    case castType
  }

  /// The type of a call's result.
  package enum Result: Hashable, Sendable {
    /// Always this type.
    case always(AttributeType)
    /// The type of the first argument.
    case first
    /// An integer when all arguments are integers, else a real.
    case number
    /// The common type of all arguments.
    case common
    /// A real when the unit keyword is seconds, else an integer.
    case unit
    /// The target type of the cast.
    case cast
  }

  /// The syntax of the arguments in a where clause.
  package enum Syntax: Hashable, Sendable {
    /// `NAME(a, b)`.
    case list
    /// `EXTRACT(unit FROM a)`.
    case extract
    /// `TRIM([[side] [characters] FROM] a)`.
    case trim
    /// `POSITION(a IN b)`.
    case position
    /// `SUBSTRING(a FROM b [FOR c])`, or a list.
    case substring
    /// `CAST(a AS type)`.
    case cast
    /// The name alone, with or without `()`.
    case word
    /// `CASE … END`, a node of the tree and not a call.
    case choice
    /// No syntax: the function exists in CQL2 only.
    case absent
  }

  typealias Values = @Sendable ([AttributeValue]) -> AttributeValue

  /// The way to compute the result.
  enum Evaluation: Sendable {
    /// From the arguments; none is null unless the function accepts nulls.
    case values(Values)
    /// From one number, as a real; an integer stays unchanged when the function only rounds reals.
    case real(keepsIntegers: Bool, @Sendable (Double) -> Double)
    /// From the arguments; a keyword among them selects the computation.
    case worded(place: Int, @Sendable (String) -> Values?)
    /// From the current time, which is one instant for the whole query.
    case currentTime(@Sendable (Instant) -> AttributeValue)
    /// By the evaluator itself.
    case ownNode
  }

  /// The name, in upper case.
  package let name: String
  /// The form of a call in a where clause, with optional parts in brackets; CQL2 lists the arguments, with keywords in
  /// quotes.
  package let form: String
  /// The result, described in one sentence.
  package let summary: String
  /// A where clause that is true; CQL2 text for a function that only CQL2 has.
  package let example: String
  /// The accepted arguments; the last entry applies to all further ones.
  package let arguments: [Argument]
  /// The accepted number of arguments.
  package let argumentCount: ClosedRange<Int>
  /// The type of the result.
  package let result: Result
  /// The syntax of the arguments in a where clause.
  package let syntax: Syntax
  /// Whether a null argument may give a result that is not null.
  package let takesNulls: Bool
  /// Names of the function in other languages, for messages.
  let otherNames: [String]
  private(set) var evaluation: Evaluation

  init(
    _ name: String, _ form: String, _ summary: String, example: String, takes arguments: [Argument],
    count argumentCount: ClosedRange<Int>? = nil, gives result: Result, syntax: Syntax = .list,
    takesNulls: Bool = false, otherNames: [String] = [], _ evaluation: Evaluation
  ) {
    (self.name, self.form, self.summary, self.example) = (name, form, summary, example)
    (self.arguments, self.result, self.syntax) = (arguments, result, syntax)
    self.argumentCount = argumentCount ?? arguments.count...arguments.count
    (self.takesNulls, self.otherNames, self.evaluation) = (takesNulls, otherNames, evaluation)
  }

  /// Returns the accepted values of the argument at an index.
  func argument(at place: Int) -> Argument {
    arguments.isEmpty ? .any : arguments[min(place, arguments.count - 1)]
  }

  /// Returns the value for arguments; null for arguments of a wrong type, which the type check refuses earlier.
  package func value(of arguments: [AttributeValue]) -> AttributeValue {
    guard argumentCount.contains(arguments.count) else { return .null }
    if !takesNulls { for argument in arguments where argument.isNull { return .null } }
    switch evaluation {
    case .values(let evaluate): return evaluate(arguments)
    case .real(let keepsIntegers, let function):
      if keepsIntegers, case .integer = arguments[0] { return arguments[0] }
      return arguments[0].realNumber.map { AttributeValue(real: function($0)) } ?? .null
    case .worded(let place, let evaluation):
      guard place < arguments.count, let evaluate = arguments[place].text.flatMap(evaluation) else {
        return .null
      }
      return evaluate(arguments)
    case .currentTime, .ownNode: return .null
    }
  }

  /// Returns the function specialised for arguments that are always these literals; their keywords are read only once.
  package func prepared(_ literals: [AttributeValue?]) -> FilterFunction {
    guard case .worded(let place, let evaluation) = evaluation, literals.indices.contains(place),
      let evaluate = literals[place]?.text.flatMap(evaluation)
    else { return self }
    var prepared = self
    prepared.evaluation = .values(evaluate)
    return prepared
  }

  /// The function on reals, where NaN means null; nil unless it is a function of a single real.
  package var realFunction: (@Sendable (Double) -> Double)? {
    if case .real(_, let function) = evaluation { function } else { nil }
  }

  /// Returns the value at a current time; nil for a function that does not need the current time.
  package func value(at now: Instant) -> AttributeValue? {
    if case .currentTime(let evaluate) = evaluation { evaluate(now) } else { nil }
  }

  /// Whether the function needs the current time.
  package var needsCurrentTime: Bool { if case .currentTime = evaluation { true } else { false } }
}
