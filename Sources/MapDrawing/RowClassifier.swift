public import MapFeatures
import MapFilter
import MapJSON
public import MapModel

/// Which class of a renderer each row of a table belongs to: what drawing, legends and counts by class read.
public struct RowClassifier: Sendable {
  /// The class of rows that fit none and get the default symbol.
  public static let defaultClass: Int32 = -1
  /// The class of rows that get no symbol and are not drawn.
  public static let notDrawn: Int32 = -2

  /// The class of every row of the table.
  public let classes: [Int32]

  /// Classifies all rows.
  ///
  /// - Cost: one look-up a distinct text for a text column, one a row otherwise.
  /// - Throws: ``RendererFieldError`` when the table lacks a field of the renderer.
  public init(_ renderer: RendererForm, table: FeatureColumns) throws(RendererFieldError) {
    var columns: [Column] = []
    for name in renderer.fieldNames {
      guard let index = table.schema.index(ofField: name) else {
        throw RendererFieldError(field: name, available: table.schema.fields.map(\.name))
      }
      columns.append(table.columns[index])
    }
    let fallback = renderer.defaultSymbol == nil ? Self.notDrawn : Self.defaultClass
    switch renderer {
    case .simple:
      classes = Array(repeating: 0, count: table.rowCount)
    case .uniqueValue(let renderer):
      classes = Self.classes(of: renderer, columns: columns, rowCount: table.rowCount, fallback: fallback)
    case .classBreaks(let renderer):
      let values = columns.first
      classes = (0..<table.rowCount).map { row in
        switch values?.value(at: row) {
        case .integer(let value): renderer.classIndex(of: Double(value)).map(Int32.init) ?? fallback
        case .real(let value): renderer.classIndex(of: value).map(Int32.init) ?? fallback
        default: fallback
        }
      }
    }
  }

  private static func classes(
    of renderer: UniqueValueRenderer, columns: [Column], rowCount: Int, fallback: Int32
  ) -> [Int32] {
    var classOfText: [String: Int32] = [:]
    for (index, unique) in renderer.uniqueValues.enumerated() {
      for text in unique.values where classOfText[text] == nil { classOfText[text] = Int32(index) }
    }
    func lookUp(_ values: [AttributeValue]) -> Int32 {
      let key = values.map { $0.rendererText(null: "<Null>") }.joined(separator: renderer.delimiter)
      if let index = classOfText[key] { return index }
      guard values.contains(.null) else { return fallback }
      let plain = values.map { $0.rendererText(null: "null") }.joined(separator: renderer.delimiter)
      return classOfText[plain] ?? fallback
    }
    if columns.count == 1, case .text(let codes, let dictionary) = columns[0].storage {
      let classOfCode = dictionary.map { lookUp([.text($0)]) }
      let classOfNull = lookUp([.null])
      return codes.map { $0 < 0 ? classOfNull : classOfCode[Int($0)] }
    }
    var known: [[AttributeValue]: Int32] = [:]
    return (0..<rowCount).map { row in
      let values = columns.map { $0.value(at: row) }
      if let index = known[values] { return index }
      let index = lookUp(values)
      known[values] = index
      return index
    }
  }
}

/// A renderer, drawing order or class of labels that reads a field which the table does not have.
public struct RendererFieldError: Error, Hashable, CustomStringConvertible {
  /// What reads the field.
  public let reader: String
  /// The field that it names.
  public let field: String
  /// The fields that there are.
  public let available: [String]

  package init(reader: String = "the renderer", field: String, available: [String]) {
    (self.reader, self.field, self.available) = (reader, field, available)
  }

  /// The error in one line, with the nearest name where there is one.
  public var description: String {
    let nearest = NearestName.of(field, among: available).map { "; did you mean \"\($0)\"?" }
    let known = "; there are \(available.prefix(40).joined(separator: ", "))"
    return "\(reader) reads field \"\(field)\", which is not there\(nearest ?? known)"
  }
}
