import MapFilter
import MapGeometry
import MapJSON
package import MapModel

/// The reading of one style of a document for the features of a layer, with a report of what is drawn otherwise.
struct SLDMapping {
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

  /// Notes that an element is drawn in another way, or not at all.
  mutating func note(
    _ element: SLDElement, _ message: String, _ outcome: DocumentOutcome = .dropped
  ) {
    let word = outcome == .dropped ? "not drawn" : outcome == .approximated ? "approximated" : "note"
    warnings.append(
      SLDWarning(
        line: element.line, path: element.place.path, message: "\(word): \(message)", outcome: outcome))
  }

  /// Reports the elements in an element that are not known there.
  mutating func check(_ element: SLDElement, _ known: Set<String>) {
    for child in element.children where !known.contains(child.name) {
      note(child, "unknown element" + nearestName(child.name, known))
    }
  }

  /// Returns `; did you mean "Rule"?` for a name that is nearly a known one; empty text for all others.
  func nearestName(_ name: String, _ known: Set<String>) -> String {
    NearestName.of(name, among: known.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns the vendor options of an element, by name, and reports those that are not known.
  mutating func vendorOptions(
    _ element: SLDElement, drawn: Set<String>, undrawn: [String: String] = [:]
  ) -> [String: SLDElement] {
    var options: [String: SLDElement] = [:]
    for option in element.all("VendorOption") {
      let name = option.attributes["name"] ?? ""
      if drawn.contains(name) {
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
