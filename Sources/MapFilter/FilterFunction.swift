/// A function that filters may call: what it takes, what it gives, and how it is worked out.
public struct FilterFunction: Sendable {
  /// What an argument may be.
  public enum Argument: Hashable, Sendable {
    /// An integer or a real.
    case number
    /// An integer.
    case integer
    /// Text.
    case text
    /// A date or an instant.
    case moment
    /// Any value; with ``Result/common`` all of them have types that compare.
    case any
    /// One of these words, as a text literal: part of the call's own syntax in a where clause.
    case word([String])
    /// A type that values are cast to, as a text literal: see ``CastType``.
    case castType
  }

  /// What a call gives.
  public enum Result: Hashable, Sendable {
    /// Always this type.
    case always(AttributeType)
    /// The type of the first argument.
    case first
    /// An integer when all arguments are, else a real.
    case number
    /// The one type that all arguments have or stand for.
    case common
    /// What the word for the unit says: a real for seconds, else an integer.
    case unit
    /// What the cast type says.
    case cast
  }

  /// How a where clause writes the arguments.
  public enum Syntax: Hashable, Sendable {
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
    /// A word, with or without `()`.
    case word
    /// `CASE … END`: a node of the tree and no call.
    case choice
    /// Not at all: the function is one of CQL2 alone.
    case absent
  }

  typealias Values = @Sendable ([AttributeValue]) -> AttributeValue

  /// How the value comes about.
  enum Evaluation: Sendable {
    /// From the arguments, none of which is null unless the function takes nulls.
    case values(Values)
    /// From one number, as a real; an integer stays as it is where the function only makes reals whole.
    case real(keepsIntegers: Bool, @Sendable (Double) -> Double)
    /// From the arguments, one of which is a word that says how.
    case worded(place: Int, @Sendable (String) -> Values?)
    /// From the one moment that a query takes for now.
    case currentTime(@Sendable (Instant) -> AttributeValue)
    /// By the evaluator itself.
    case ownNode
  }

  /// The name, in upper case.
  public let name: String
  /// The form of a call in a where clause, optional parts in brackets; CQL2 lists the arguments, words in quotes.
  public let form: String
  /// What it gives, in one sentence.
  public let summary: String
  /// A where clause that is true; for a function of CQL2 alone, such a text.
  public let example: String
  /// What the arguments may be; the last stands for all further ones.
  public let arguments: [Argument]
  /// How many arguments there may be.
  public let argumentCount: ClosedRange<Int>
  /// What a call gives.
  public let result: Result
  /// How a where clause writes the arguments.
  public let syntax: Syntax
  /// True when a null argument does not make the result null.
  public let takesNulls: Bool
  /// What other languages call it, for messages.
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

  /// What the argument at a place may be.
  func argument(at place: Int) -> Argument {
    arguments.isEmpty ? .any : arguments[min(place, arguments.count - 1)]
  }

  /// The value for arguments; null for those of a wrong type, which the check of types refuses.
  public func value(of arguments: [AttributeValue]) -> AttributeValue {
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

  /// The function for calls whose arguments at some places are always these: words among them are read once.
  package func prepared(_ literals: [AttributeValue?]) -> FilterFunction {
    guard case .worded(let place, let evaluation) = evaluation, literals.indices.contains(place),
      let evaluate = literals[place]?.text.flatMap(evaluation)
    else { return self }
    var prepared = self
    prepared.evaluation = .values(evaluate)
    return prepared
  }

  /// What the function does with many reals, NaN being null; nil where it is not one of a single real.
  package var realFunction: (@Sendable (Double) -> Double)? {
    if case .real(_, let function) = evaluation { function } else { nil }
  }

  /// The value at a moment; nil for a function that does not ask for the time.
  public func value(at now: Instant) -> AttributeValue? {
    if case .currentTime(let evaluate) = evaluation { evaluate(now) } else { nil }
  }

  /// True for the functions that ask for the time.
  package var needsCurrentTime: Bool { if case .currentTime = evaluation { true } else { false } }
}

extension AttributeValue {
  /// True for null; quicker than a comparison.
  package var isNull: Bool { if case .null = self { true } else { false } }

  var text: String? { if case .text(let value) = self { value } else { nil } }
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// A real, or null where it is no number.
  init(real: Double) { self = real.isNaN ? .null : .real(real) }
}
