import MapDocuments
import MapFeatures
package import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapStyles
package import MapState
import MapSystem

/// A check of a document for probable faults of its classes, scales, labels and colours, and of a style for those of its
/// layers.
package struct DocumentLint: Sendable {
  /// The rules that are not checked.
  package var disabled: Set<LintRule> = []
  /// The current time of filters and expressions; nil for the system clock, with a warning where one reads it.
  package var now: Instant?

  /// Whether the layers keep the filters that they have now, instead of those of the document.
  package var keepsLayers = false

  package init() {}

  /// Checks all layers of a document that were read.
  ///
  /// Rows are selected as in a count by class: the definition expression applies, and the display filter does not.
  ///
  /// - Cost: one pass over the rows of each layer, and one more for each of its label classes.
  /// - Throws: `MapStateError` if rows cannot be read.
  package func answer(_ document: MapDocument) async throws(MapStateError) -> LintAnswer {
    if let style = Self.style(of: document) { return await StyleLint(style).answer(without: disabled) }
    var request = ViewRequest()
    request.fitsDefaultView = false
    (request.now, request.keepsLayers) = (now, keepsLayers)
    let view = try await document.view(request).freeze()
    var findings = isEnabled(.scaleRange) ? ScaleLint.findings(in: document) : []
    var warnings: [String] = []
    for (index, item) in document.layers.enumerated() where item.unreadReason == nil {
      let layer = LintedLayer(document, item, state: view.layers[index], view: view)
      if now == nil { warnings += layer.clockWarnings }
      var rows: ClassifiedRows?
      do {
        rows = try await view.classified(layer.state, FeatureQuestion(area: .everywhere))
      } catch {
        warnings.append("the rows of layer \"\(layer.name)\" are not checked: \(error)")
      }
      findings += layer.classFindings(rows, all: try await layer.unfilteredRows())
      findings += try await layer.labelFindings(hasRows: rows.map { !$0.rows.isEmpty } ?? false)
      findings += await layer.contrastFindings()
      findings += layer.confusionFindings(&warnings)
      findings += layer.visibilityFindings()
    }
    let order = Dictionary(
      document.layers.enumerated().map { ($1.layer.name, $0) }, uniquingKeysWith: { first, _ in first })
    let ranks = Dictionary(
      LintRule.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let sorted = findings.filter { isEnabled($0.rule) }.enumerated().sorted { a, b in
      let first = (order[a.element.layer] ?? .max, ranks[a.element.rule] ?? 0, a.offset)
      let second = (order[b.element.layer] ?? .max, ranks[b.element.rule] ?? 0, b.offset)
      return first < second
    }
    return LintAnswer(findings: sorted.map(\.element), warnings: warnings)
  }

  /// Returns whether a warning of opening a document is a finding, too.
  package static func isFinding(_ warning: String, of document: MapDocument) -> Bool {
    style(of: document)?.document.problems.contains {
      StyleLint.isFinding($0) && $0.description == warning
    } ?? false
  }

  /// Returns the style that a document is; nil for another document.
  private static func style(of document: MapDocument) -> MapStyle? {
    guard document.style != nil else { return nil }
    return document.map.operationalLayers.lazy.compactMap { ($0 as? VectorTiledLayer)?.style }.first
  }

  private func isEnabled(_ rule: LintRule) -> Bool { !disabled.contains(rule) }
}
