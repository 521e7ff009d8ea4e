import MapFeatures
import MapGeometry
import MapModel
import MapState

/// The label class derived from a field, with the order in which features get their labels.
struct LabelByField {
  /// The label class.
  let definition: LabelDefinition
  /// A note about the field that ranks the features, if the request names none; nil for none.
  let note: String?

  /// Derives the class for a field of a table: black with a white halo, or white with a dark halo over dark ground.
  ///
  /// - Throws: `MapStateError` for an unknown field, and for a priority of another type than a number or date.
  init(
    _ field: String, _ request: StyleRequest, _ schema: FeatureSchema, _ kind: GeometryKind
  ) throws(MapStateError) {
    let name = schema.fields[try schema.known(field, of: "--label")].name
    let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    // A bracket in the field name would end a simple expression.
    let expression: any LabelExpression =
      name.contains("]")
      ? ArcadeLabelExpression(arcadeString: "$feature[\"\(quoted)\"]")
      : SimpleLabelExpression(simpleExpression: "[\(name)]")
    var definition = LabelDefinition(labelExpression: expression, textSymbol: TextSymbol(size: 12))
    definition.textSymbol.haloColor = .white
    definition.textSymbol.haloWidth = 1.5
    definition.followsGround = true
    definition.deconflictionStrategy = .dynamic
    if let short = request.labelShort {
      definition.shortField = schema.fields[try schema.known(short, of: "--label-short")].name
    }
    if kind == .polyline {
      // A river or street has one name in this distance, also where it is drawn in segments that do not meet.
      definition.repeatDistance = Self.lineDistance
      (definition.duplicateRemoval, definition.duplicateRemovalDistance) = (.labelClass, Self.lineDistance)
    }
    var note: String?
    if let asked = request.labelPriority {
      let field = schema.fields[try schema.known(asked.fieldName, of: "--label-priority")]
      guard field.ranksFeatures else {
        throw MapStateError(
          .input, "--label-priority: field \"\(field.name)\" holds neither numbers nor dates")
      }
      definition.featurePriority = FeaturePriority(fieldName: field.name, largestFirst: asked.largestFirst)
    } else if let size = request.sizeBy {
      definition.featurePriority = FeaturePriority(
        fieldName: schema.fields[try schema.known(size, of: "--size-by")].name)
    } else if let found = Self.importance(in: schema) {
      definition.featurePriority = found
      note =
        "--label \(field): labels are placed in the order of \(found.fieldName), "
        + "\(found.largestFirst ? "largest" : "smallest") first; --label-priority names another field"
    }
    (self.definition, self.note) = (definition, note)
  }

  /// The distance between the labels of lines with one name, in pixels.
  ///
  /// - Source: design decision; half the width of an image of the default size.
  private static let lineDistance = 400.0
  /// The words in names of fields with the number of inhabitants, and with a rank.
  private static let (populations, ranks) = (
    ["pop", "population", "inhabitants"], ["rank", "scalerank", "labelrank"]
  )
  /// The words in names of fields that hold a quotient or a change.
  private static let quotients = [
    "density", "per", "rate", "ratio", "share", "pct", "percent", "growth", "change", "diff",
  ]

  /// Returns the field whose name says that it ranks features: the first population, else the first rank.
  private static func importance(in schema: FeatureSchema) -> FeaturePriority? {
    let named = schema.fields.filter(\.ranksFeatures).map { (name: $0.name, words: words(of: $0.name)) }
      .filter { $0.words.allSatisfy { !quotients.contains($0) } }
    if let rank = named.first(where: { $0.words.contains(where: populations.contains) && !isRank($0.words) })
    {
      return FeaturePriority(fieldName: rank.name)
    }
    return named.first { isRank($0.words) }.map { FeaturePriority(fieldName: $0.name, largestFirst: false) }
  }

  private static func isRank(_ words: [String]) -> Bool { words.contains(where: ranks.contains) }

  /// Returns the words of a field name in lower case: runs of letters, which an upper case letter after a lower case one
  /// divides.
  private static func words(of name: String) -> [String] {
    var words = [""]
    var last: Character = " "
    for letter in name {
      if !letter.isLetter || (last.isLowercase && letter.isUppercase) { words.append("") }
      if letter.isLetter { words[words.count - 1] += letter.lowercased() }
      last = letter
    }
    return words.filter { !$0.isEmpty }
  }
}

extension Field {
  /// Whether the field holds numbers or dates.
  fileprivate var ranksFeatures: Bool {
    [.int16, .int32, .int64, .oid, .float32, .float64, .date, .dateOnly].contains(fieldType)
  }
}

extension FeaturePriority {
  /// Reads `FIELD[:asc|desc]`; without a direction, smaller values come first.
  init(text: String) throws(MapStateError) {
    let words = QuotedNames.split(text, at: ":").map(QuotedNames.unquoted)
    guard let name = words.first, !name.isEmpty, words.count <= 2 else {
      throw MapStateError(.usage, "\"\(text)\": expected FIELD or FIELD:desc")
    }
    guard let order = words.dropFirst().first else {
      self.init(fieldName: name, largestFirst: false)
      return
    }
    guard order == "asc" || order == "desc" else {
      throw MapStateError(
        .usage, "\"\(text)\": unexpected \"\(order)\"; the order is asc or desc",
        suggestion: NearestName.of(order, among: ["asc", "desc"]))
    }
    self.init(fieldName: name, largestFirst: order == "desc")
  }
}
