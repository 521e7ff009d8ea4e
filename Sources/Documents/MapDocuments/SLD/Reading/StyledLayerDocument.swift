package import MapFeatures
package import MapFilter
import MapGeometry
import MapJSON
package import MapModel
import MapReaders
package import MapSystem

/// A document with styles of layers: a Styled Layer Descriptor, or a style of Symbology Encoding alone.
///
/// - Source: OGC 02-070 (SLD 1.0.0), OGC 05-078r4 (SLD 1.1.0) and OGC 05-077r4 (SE 1.1.0).
package struct StyledLayerDocument: Sendable {
  /// A style of a layer.
  package struct Style: Sendable {
    /// The name of the layer that the style is for; empty for none.
    package let layer: String
    /// The name of the style; may be empty.
    package let name: String
    /// The title of the style; may be empty.
    package let title: String
    /// Whether the style is the default one of its layer.
    let isDefault: Bool
    /// The elements with rules.
    let passes: [SLDElement]
    /// The element of the style; nil for rules without one.
    let element: SLDElement?
    /// The elements with conditions of the layer.
    let constraints: [SLDElement]
    /// The number of the layer in the document.
    let layerIndex: Int

    /// The name by which the style can be asked for: that of the layer, and of the style where the layer has several.
    fileprivate func isNamed(_ name: String) -> Bool {
      name == self.name || name == layer || name == "\(layer)/\(self.name)"
    }
  }

  /// The drawing of a style.
  package struct Drawing: Sendable {
    /// The renderer; one without rules for a style without symbols.
    package let renderer: RuleRenderer
    /// The labels.
    package let labels: [LabelDefinition]
    /// The parts that are drawn in another way, or not at all, in the order of the lines.
    package let warnings: [SLDWarning]
    /// The font families that labels name.
    package let families: [String]
    /// The number of elements of the style by outcome.
    package let counts: [DocumentOutcome: Int]
  }

  /// The largest document in bytes.
  ///
  /// - Source: design decision; the largest published styles have about 4 MB.
  package static let largestSize = 32 << 20

  /// The styles, in the order of the document.
  package private(set) var styles: [Style] = []
  private let bytes: [UInt8]
  private let root: SLDElement

  /// Whether bytes begin as XML does, and not as JSON.
  package static func isXML(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }

  /// Reads a document.
  ///
  /// - Throws: ``MapStateError`` with line and column for XML that is not well-formed, declares entities or is nested too
  ///   deep, and for another vocabulary.
  package init(_ bytes: [UInt8]) throws(MapStateError) {
    guard bytes.count <= Self.largestSize else {
      throw MapStateError(.input, "a style of \(bytes.count) bytes; at most \(Self.largestSize) are read")
    }
    do throws(FeatureReadError) { (root, self.bytes) = try SLDElement.read(bytes) } catch {
      throw MapStateError(.input, "\(error)")
    }
    switch root.name {
    case "StyledLayerDescriptor":
      let layers = root.children.filter { ["NamedLayer", "UserLayer"].contains($0.name) }
      for (index, layer) in layers.enumerated() { add(layer, index) }
    case "UserStyle": add(root, layer: "", [], 0)
    case "FeatureTypeStyle", "CoverageStyle":
      styles.append(
        Style(
          layer: "", name: root.text("Name") ?? "", title: "", isDefault: true, passes: [root], element: nil,
          constraints: [], layerIndex: 0))
    default:
      let nearest = NearestName.of(
        root.name, among: ["StyledLayerDescriptor", "UserStyle", "FeatureTypeStyle"])
      throw MapStateError(
        .input,
        "line \(root.line): <\(root.name)> is no style; expected <StyledLayerDescriptor>"
          + (nearest.map { "; did you mean <\($0)>?" } ?? ""), suggestion: nearest)
    }
  }

  private mutating func add(_ layer: SLDElement, _ index: Int) {
    let name = layer.text("Name") ?? ""
    for style in layer.all("UserStyle") {
      add(style, layer: name, layer.all("LayerFeatureConstraints"), index)
    }
  }

  private mutating func add(_ style: SLDElement, layer: String, _ constraints: [SLDElement], _ index: Int) {
    let isDefault = ["1", "true"].contains(style.text("IsDefault") ?? "")
    styles.append(
      Style(
        layer: layer, name: style.text("Name") ?? "",
        title: style.text("Title") ?? style["Description"]?.text("Title") ?? "", isDefault: isDefault,
        passes: style.all("FeatureTypeStyle"), element: style, constraints: constraints, layerIndex: index))
  }

  // MARK: Choosing

  /// The names of the styles, for messages.
  package var names: [String] {
    styles.map { $0.layer.isEmpty ? $0.name : $0.name.isEmpty ? $0.layer : "\($0.layer)/\($0.name)" }
  }

  /// Returns the style with a name; without one, the default style of the only layer, or of the layer with a title.
  ///
  /// - Throws: ``MapStateError`` of kind input with the names that the document has.
  package func style(named name: String?, for title: String) throws(MapStateError) -> Style {
    guard !styles.isEmpty else {
      throw MapStateError(.input, "the document has no style of its own: no UserStyle is in it")
    }
    if let name {
      let found = styles.filter { $0.isNamed(name) }
      if let style = found.first(where: \.isDefault) ?? found.first { return style }
      let nearest = NearestName.of(name, among: names)
      throw MapStateError(
        .input,
        "no style named \"\(name)\"; " + (nearest.map { "did you mean \"\($0)\"? " } ?? "")
          + "available: \(names.joined(separator: ", "))", suggestion: nearest)
    }
    var candidates = styles
    if Set(styles.map(\.layerIndex)).count > 1 {
      candidates = styles.filter { $0.layer == title || $0.layer.hasSuffix(":\(title)") }
      guard !candidates.isEmpty else {
        throw MapStateError(
          .input,
          "the document has styles of several layers; name one after #: \(names.joined(separator: ", "))")
      }
    }
    return candidates.first(where: \.isDefault) ?? candidates[0]
  }

  // MARK: Drawing

  /// Returns the drawing of a style.
  ///
  /// - Parameters:
  ///   - schema: the fields and geometries of the features; nil where they are not known.
  ///   - pictureAt: Returns the image at a path or address of the document, or the reason for its absence.
  package func drawing(
    of style: Style, for schema: (schema: FeatureSchema, fields: FilterFields)?,
    pictureAt: @escaping (String) -> Result<SymbolPicture, SymbolPictureError>
  ) -> Drawing {
    var mapping = SLDMapping(
      fields: schema?.fields, geometryName: schema?.schema.geometryName ?? FeatureSchema.defaultGeometryName,
      kind: schema?.schema.geometryKind, bytes: bytes, pictureAt: pictureAt)
    checkAround(style, &mapping)
    var conditions: [FilterExpression] = []
    for constraint in style.constraints.flatMap({ $0.all("FeatureTypeConstraint") }) {
      guard let filter = constraint["Filter"] else { continue }
      if let condition = mapping.filter(filter) {
        conditions.append(condition)
      } else {
        mapping.note(constraint, "the condition of the layer is not applied")
      }
    }
    let (renderer, labels) = mapping.drawing(style.passes, where: conditions)
    let names = mapping.families.map(\.name).filter {
      !["sansserif", "sans-serif", "sans", "noto sans"].contains($0.lowercased())
    }
    let all = style.passes.reduce(0) { $0 + $1.count }
    let lost = Dictionary(grouping: Set(mapping.warnings.map { LostElement($0) }), by: \.outcome)
      .mapValues(\.count)
    let (dropped, approximated) = (lost[.dropped] ?? 0, lost[.approximated] ?? 0)
    return Drawing(
      renderer: renderer, labels: labels,
      warnings: mapping.warnings.sorted { $0.line < $1.line },
      families: names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
      counts: [.drawn: max(all - dropped - approximated, 0), .approximated: approximated, .dropped: dropped])
  }

  private struct LostElement: Hashable {
    let path: String
    let outcome: DocumentOutcome

    init(_ warning: SLDWarning) { (path, outcome) = (warning.path, warning.outcome) }
  }

  /// Reports what is around the rules.
  private func checkAround(_ style: Style, _ mapping: inout SLDMapping) {
    if root.name == "StyledLayerDescriptor" {
      mapping.check(
        root,
        [
          "Name", "Title", "Abstract", "Description", "NamedLayer", "UserLayer", "UseSLDLibrary",
          "EnvironmentVariables",
        ])
      if let library = root["UseSLDLibrary"] { mapping.note(library, "other documents are not read") }
    }
    if let element = style.element {
      mapping.check(
        element,
        [
          "Name", "Title", "Abstract", "Description", "IsDefault", "FeatureTypeStyle", "CoverageStyle",
          "VendorOption", "Background",
        ])
      if let background = element["Background"] {
        mapping.note(background, "the background of a style; --background sets one")
      }
      for coverage in element.all("CoverageStyle") {
        mapping.note(coverage, "images are not drawn by styles")
      }
    }
  }
}

extension SLDElement {
  /// The number of elements, with the element itself.
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}
