import MapFilter
import MapGeometry
import MapJSON
package import MapModel

/// The reading of one style of a document for the features of a layer, with a report of what is drawn otherwise.
struct SLDMapping {
  /// The elements that draw features of a rule.
  static let symbolizers: Set<String> = [
    "PointSymbolizer", "LineSymbolizer", "PolygonSymbolizer", "TextSymbolizer", "RasterSymbolizer",
  ]
  /// The scale denominator here for one of the standards, whose pixels have 0.28 mm.
  static let scaleFactor = 0.00028 * ResolvedViewpoint.scalePerResolution

  /// The fields of the features, by which texts in filters get their types; nil where they are not known.
  let fields: FilterFields?
  /// The name of the geometry in filters.
  let geometryName: String
  /// The kind of the geometries; nil where it is not known.
  let kind: GeometryKind?
  /// The document in UTF-8, from which geometries are read.
  let bytes: [UInt8]
  /// Returns the image at a path or address of the document, or the reason for its absence.
  let pictureAt: (String) -> Result<SymbolPicture, SymbolPictureError>
  private(set) var warnings: [SLDWarning] = []
  /// The length of the conditions that leave out features of other rules.
  var excludedLength = 0
  /// The number of losses that are not among the warnings.
  private var further = 0
  /// A scale denominator in the middle of those of the rule that is read; nil for a rule for all scales.
  var scale: Double?
  /// The font families that labels name, with their elements.
  var families: [(name: String, element: SLDElement)] = []

  init(
    fields: FilterFields?, geometryName: String, kind: GeometryKind?, bytes: [UInt8],
    pictureAt: @escaping (String) -> Result<SymbolPicture, SymbolPictureError>
  ) {
    (self.fields, self.geometryName, self.kind) = (fields, geometryName, kind)
    (self.bytes, self.pictureAt) = (bytes, pictureAt)
  }

  // MARK: The report

  /// The largest number of warnings.
  ///
  /// - Source: design decision; the largest published styles have about 2,000.
  static let mostWarnings = 10_000

  /// Notes how many losses are not listed, if any.
  mutating func noteFurther(_ element: SLDElement) {
    guard further > 0 else { return }
    warnings.append(
      SLDWarning(
        line: element.line, path: element.place.path, message: "not drawn: \(further) further losses",
        outcome: .dropped))
  }

  /// Notes that an element is drawn in another way, or not at all.
  mutating func note(
    _ element: SLDElement, _ message: String, _ outcome: DocumentOutcome = .dropped
  ) {
    guard warnings.count < Self.mostWarnings else {
      further += 1
      return
    }
    let word = outcome == .dropped ? "not drawn" : outcome == .approximated ? "approximated" : "note"
    warnings.append(
      SLDWarning(
        line: element.line, path: element.place.path, message: "\(word): \(message)", outcome: outcome))
  }

  /// The elements that may stand several times in an element.
  private static let repeated = symbolizers.union([
    "NamedLayer", "UserLayer", "NamedStyle", "UserStyle", "FeatureTypeStyle", "CoverageStyle", "Rule",
    "FeatureTypeConstraint", "Extent", "SemanticTypeIdentifier", "VendorOption", "CssParameter",
    "SvgParameter",
    "ExternalGraphic", "Mark", "ColorReplacement",
  ])

  /// Reports the elements in an element that are not known there, and those that are given again.
  mutating func check(_ element: SLDElement, _ known: Set<String>) {
    var found: Set<String> = []
    for child in element.children {
      if !known.contains(child.name) {
        note(child, "unknown element" + nearestName(child.name, known))
      } else if !found.insert(child.name).inserted, !Self.repeated.contains(child.name) {
        note(child, "given before; the first \(child.name) is used")
      }
    }
  }

  /// Reports a parameter or option that is given again with another value.
  mutating func checkRepeated(_ first: SLDElement?, _ second: SLDElement) {
    guard let first, first.text != second.text || !first.children.isEmpty else { return }
    note(first, "given again in line \(second.line), whose value is used")
  }

  /// Returns `; did you mean "Rule"?` for a name that is nearly a known one; empty text for all others.
  func nearestName(_ name: String, _ known: Set<String>) -> String {
    guard warnings.count < Self.mostWarnings else { return "" }
    return NearestName.of(name, among: known.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns whether a symbolizer is drawn on the map; one for legends alone is not.
  mutating func isOnMap(_ element: SLDElement) -> Bool {
    let option = element.all("VendorOption").last { $0.attributes["name"] == "inclusion" }
    guard let option, option.text != "mapOnly" || element.name != "TextSymbolizer" else { return true }
    switch option.text {
    case "legendOnly": note(option, "the symbol is left out; legends show what is drawn", .approximated)
    case "mapOnly": note(option, "legends show the symbol, too", .approximated)
    default: break
    }
    return option.text != "legendOnly"
  }

  /// Returns the vendor options of an element, by name, and reports those that are not known.
  mutating func vendorOptions(
    _ element: SLDElement, drawn: Set<String>, undrawn: [String: String] = [:]
  ) -> [String: SLDElement] {
    var options: [String: SLDElement] = [:]
    for option in element.all("VendorOption") {
      let name = option.attributes["name"] ?? ""
      if drawn.contains(name) {
        checkRepeated(options[name], option)
        options[name] = option
      } else if let reason = undrawn[name] {
        note(option, "the vendor option \(name): \(reason)", .approximated)
      } else {
        let nearest = nearestName(name, drawn.union(undrawn.keys))
        note(option, "the vendor option \"\(name.prefix(60))\" is not known here" + nearest)
      }
    }
    return options
  }
}

/// A report on an element of a style document.
package struct SLDWarning: Hashable, Sendable {
  /// The line of the element, from 1.
  package let line: Int
  /// The path of the element, such as `NamedLayer/UserStyle/FeatureTypeStyle/Rule[2]/PolygonSymbolizer`.
  package let path: String
  /// The consequence, such as `not drawn: unknown element`.
  package let message: String
  /// The outcome of the element.
  package let outcome: DocumentOutcome
}
