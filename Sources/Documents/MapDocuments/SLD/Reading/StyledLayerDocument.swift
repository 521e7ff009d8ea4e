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
    /// The element of the layer; nil for a style without one.
    let layerElement: SLDElement?
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
  private var root: SLDElement

  /// Whether bytes begin as XML does, also in UTF-16, and not as JSON.
  package static func isXML(_ bytes: some Sequence<UInt8>) -> Bool {
    let before: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
    return bytes.first { !before.contains($0) } == UInt8(ascii: "<")
  }

  /// Whether the first element of a file is that of a style.
  package static func isStyle(_ bytes: [UInt8]) -> Bool {
    guard isXML(bytes) else { return false }
    // The element may stand after comments and an instruction.
    var text = String(decoding: bytes.prefix(8192).filter { $0 != 0 }, as: UTF8.self)[...]
    while let start = text.firstIndex(of: "<") {
      text = text[start...].dropFirst()
      if text.hasPrefix("!--") {
        guard let end = text.firstRange(of: "-->") else { return false }
        text = text[end.upperBound...]
      } else if let first = text.first, first != "?", first != "!" {
        let name = text.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        return rootNames.contains(String(name.split(separator: ":").last ?? ""))
      }
    }
    return false
  }

  private static let rootNames: Set<String> = [
    "StyledLayerDescriptor", "UserStyle", "FeatureTypeStyle", "CoverageStyle",
  ]

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
    // A request for a map of a server may have the document in it.
    if root.name == "GetMap", let own = root["StyledLayerDescriptor"] { root = own }
    switch root.name {
    case "StyledLayerDescriptor":
      for (index, child) in root.children.enumerated() {
        switch child.name {
        case "NamedLayer", "UserLayer":
          for style in child.all("UserStyle") { add(style, of: child, index) }
        case "UserStyle": add(child, of: nil, index)
        default: break
        }
      }
    case "UserStyle": add(root, of: nil, 0)
    case "FeatureTypeStyle", "CoverageStyle":
      styles.append(
        Style(
          layer: "", name: root.text("Name") ?? "", title: "", isDefault: true, passes: [root], element: nil,
          layerElement: nil, layerIndex: 0))
    default:
      let nearest = NearestName.of(
        root.name, among: ["StyledLayerDescriptor", "UserStyle", "FeatureTypeStyle"])
      throw MapStateError(
        .input,
        "line \(root.line): <\(root.name.prefix(60))> is no style; expected <StyledLayerDescriptor>"
          + (nearest.map { "; did you mean <\($0)>?" } ?? ""), suggestion: nearest)
    }
  }

  private mutating func add(_ style: SLDElement, of layer: SLDElement?, _ index: Int) {
    let isDefault = ["1", "true"].contains(style.text("IsDefault") ?? "")
    styles.append(
      Style(
        layer: layer?.text("Name") ?? "", name: style.text("Name") ?? "",
        title: style.text("Title") ?? style["Description"]?.text("Title") ?? "", isDefault: isDefault,
        passes: style.all("FeatureTypeStyle"), element: style, layerElement: layer, layerIndex: index))
  }

  // MARK: Choosing

  /// The names of the first styles, for messages.
  private var listedNames: String {
    let names = self.names
    return names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) others" : "")
  }

  /// The names of the styles.
  package var names: [String] {
    styles.map { $0.layer.isEmpty ? $0.name : $0.name.isEmpty ? $0.layer : "\($0.layer)/\($0.name)" }
  }

  /// Returns the style with a name; without one, the default style of the only layer, or of the layer with a title.
  ///
  /// - Throws: ``MapStateError`` of kind input with the names that the document has.
  package func style(named name: String?, for title: String) throws(MapStateError) -> Style {
    guard !styles.isEmpty else {
      throw MapStateError(
        .input,
        "the document has no style of its own: no UserStyle is in it, and styles of servers are not read")
    }
    if let name {
      let found = styles.filter { $0.isNamed(name) }
      if let style = found.first(where: \.isDefault) ?? found.first { return style }
      let nearest = NearestName.of(name, among: names)
      throw MapStateError(
        .input,
        "no style named \"\(name)\"; " + (nearest.map { "did you mean \"\($0)\"? " } ?? "")
          + "available: \(listedNames)", suggestion: nearest)
    }
    var candidates = styles
    if Set(styles.map(\.layerIndex)).count > 1 {
      candidates = styles.filter { $0.layer == title || $0.layer.hasSuffix(":\(title)") }
      guard !candidates.isEmpty else {
        throw MapStateError(
          .input,
          "the document has styles of several layers; name one after #: \(listedNames)")
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
    let constraints = style.layerElement?.all("LayerFeatureConstraints") ?? []
    for constraint in constraints.flatMap({ $0.all("FeatureTypeConstraint") }) {
      mapping.check(constraint, ["FeatureTypeName", "Filter", "Extent"])
      mapping.checkType(constraint, of: style)
      for extent in constraint.all("Extent") { mapping.note(extent, "the condition is not evaluated") }
      guard let filter = constraint["Filter"] else { continue }
      if let condition = mapping.filter(filter) {
        conditions.append(condition)
      } else {
        mapping.note(constraint, "the condition of the layer is not applied")
      }
    }
    for pass in style.passes { mapping.checkType(pass, of: style) }
    let (renderer, labels) = mapping.drawing(style.passes, where: conditions)
    mapping.noteFurther(style.element ?? root)
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
    let names: Set<String> = ["Name", "Title", "Abstract", "Description"]
    if root.place.parent != nil { mapping.note(root, "only the style of the request is read", .approximated) }
    if root.name == "StyledLayerDescriptor" {
      mapping.check(
        root,
        names.union(["NamedLayer", "UserLayer", "UserStyle", "UseSLDLibrary", "EnvironmentVariables"]))
      if let library = root["UseSLDLibrary"] { mapping.note(library, "other documents are not read") }
    }
    if let layer = style.layerElement {
      let losses = [
        "NamedStyle": "styles of servers are not read", "RemoteOWS": "data of other addresses are not read",
        "InlineFeature": "features in the document are not read",
        "LayerCoverageConstraints": "images are not drawn by styles",
      ]
      mapping.check(
        layer, names.union(losses.keys).union(["UserStyle", "LayerFeatureConstraints"]))
      for child in layer.children {
        if let loss = losses[child.name] { mapping.note(child, loss) }
      }
    }
    if let element = style.element {
      mapping.check(
        element,
        names.union(["IsDefault", "FeatureTypeStyle", "CoverageStyle", "VendorOption", "Background"]))
      _ = mapping.vendorOptions(element, drawn: [])
      if let background = element["Background"] {
        mapping.note(background, "the background of a style; --background sets one")
      }
      for coverage in element.all("CoverageStyle") {
        mapping.note(coverage, "images are not drawn by styles")
      }
    }
  }
}

extension SLDMapping {
  /// Reports a condition on the type of the features, which are those of the layer here.
  fileprivate mutating func checkType(_ element: SLDElement, of style: StyledLayerDocument.Style) {
    guard let own = element["FeatureTypeName"], !own.text.isEmpty else { return }
    let (type, layer) = (own.text.localName.lowercased(), style.layer.localName.lowercased())
    guard type != "feature", type != layer else { return }
    note(
      own, "applies to all features, not only to those of the type \"\(own.text.prefix(60))\"", .approximated)
  }
}

extension SLDElement {
  /// The number of elements, with the element itself.
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}
