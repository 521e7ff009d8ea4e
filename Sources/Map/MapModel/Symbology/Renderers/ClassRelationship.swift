package import MapExpressions
import MapJSON

/// Two fields whose classes are crossed: each class of a renderer is a combination of one class of either field.
///
/// A class has the value `HL` for high numbers of the first field and low ones of the second, and so on; with three
/// classes of a field, `M` is the middle one. A legend shows the classes as a square.
///
/// - Source: Esri web map specification, `authoringInfo` of type `relationship`.
public struct ClassRelationship: Hashable, Sendable {
  /// A field with the bounds of its classes.
  public struct Axis: Hashable, Sendable {
    /// The name of the field.
    public var fieldName: String
    /// The field that divides its numbers; nil for none.
    public var normalizationFieldName: String?
    /// The title in a legend; empty for the name of the field.
    public var label: String
    /// The lower bound of the lowest class.
    public var minimum: Double
    /// The upper bounds of the classes, ascending.
    public var upperBounds: [Double]

    /// Creates an axis.
    public init(
      fieldName: String, normalizationFieldName: String? = nil, label: String = "", minimum: Double,
      upperBounds: [Double]
    ) {
      (self.fieldName, self.normalizationFieldName) = (fieldName, normalizationFieldName)
      (self.label, self.minimum, self.upperBounds) = (label, minimum, upperBounds)
    }
  }

  /// The field of the first letter of each value.
  public var first: Axis
  /// The field of the second letter.
  public var second: Axis

  /// The letters of two and of three classes of a field, from the lowest.
  private static let letters = [["L", "H"], ["L", "M", "H"]]

  /// The letters of the classes of each field, from the lowest.
  public var letters: [String] { Self.letters[max(min(first.upperBounds.count - 2, 1), 0)] }

  /// Creates a relationship; nil unless both fields have two or three classes, and equally many.
  public init?(first: Axis, second: Axis) {
    guard (2...3).contains(first.upperBounds.count), first.upperBounds.count == second.upperBounds.count
    else {
      return nil
    }
    (self.first, self.second) = (first, second)
  }
}

extension UniqueValueRenderer {
  /// Classifies features by the letters of the classes of two fields, by an expression that is null without both numbers.
  ///
  /// - Throws: `ArcadeError` for names of fields that an expression cannot have.
  package mutating func classify(by relationship: ClassRelationship) throws(ArcadeError) {
    func quoted(_ text: String) -> String { JSONValue.string(text).text() }
    func letter(_ name: String, _ axis: ClassRelationship.Axis) -> String {
      let tests = zip(axis.upperBounds.dropLast(), relationship.letters).map { "\(name) <= \($0), \"\($1)\"" }
      return "When(\(tests.joined(separator: ", ")), \"H\")"
    }
    valueExpression = try ArcadeExpression(
      parsing: """
        var a = $feature[\(quoted(relationship.first.fieldName))];
        var b = $feature[\(quoted(relationship.second.fieldName))];
        if (IsEmpty(a) || IsEmpty(b)) { return null; }
        return \(letter("a", relationship.first)) + \(letter("b", relationship.second));
        """)
    (fieldNames, self.relationship) = ([], relationship)
  }
}
