package import MapDocuments
package import MapFeatures
package import MapModel
package import MapSystem

/// A file with styles of layers (SLD).
package struct StyledLayerFile {
  /// The drawing of a style for the features of a table.
  package struct Drawing {
    /// The renderer.
    package let renderer: RuleRenderer
    /// The labels.
    package let labels: [LabelDefinition]
    /// The parts that are drawn in another way, or not at all.
    package let warnings: [DocumentWarning]
  }

  /// The path of the file.
  package let path: String
  /// The content of the file.
  package let document: StyledLayerDocument

  /// Reads a file.
  ///
  /// - Throws: ``MapStateError`` of kind input that names the file.
  package init(path: String) throws(MapStateError) {
    self.path = path
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path, limit: StyledLayerDocument.largestSize) } catch {
      throw MapStateError(error)
    }
    guard StyledLayerDocument.isXML(bytes) else {
      throw MapStateError(.input, "\(path): is no XML; --style takes a Styled Layer Descriptor (SLD)")
    }
    do throws(MapStateError) { document = try StyledLayerDocument(bytes) } catch {
      throw MapStateError(.input, "\(path): \(error)", suggestion: error.suggestion)
    }
  }

  /// Returns the drawing of the features of a source by a style.
  ///
  /// Images are read from the folder of the file.
  ///
  /// - Parameters:
  ///   - name: the name of the layer or the style; nil for the only one, or for that of the layer with the title.
  ///   - title: the title of the layer that is drawn.
  /// - Throws: ``MapStateError`` of kind input for a name that the document does not have.
  package func drawing(
    named name: String?, of source: any FeatureSource, titled title: String
  ) throws(MapStateError) -> Drawing {
    let style: StyledLayerDocument.Style
    do throws(MapStateError) { style = try document.style(named: name, for: title) } catch {
      throw MapStateError(.input, "\(path): \(error)", suggestion: error.suggestion)
    }
    let (schema, catalog) = (source.schema, SourceCatalog())
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    let folder = FilePath.folder(of: FileAccess.realPath(path) ?? path)
    let drawing = document.drawing(of: style, for: (schema, fields)) {
      catalog.picture(at: $0, documentFolder: folder)
    }
    let losses = warnings(drawing.warnings)
    let fonts = drawing.families.map {
      DocumentWarning(path: nil, message: DocumentWarning.missingFamily($0), outcome: .approximated)
    }
    return Drawing(renderer: drawing.renderer, labels: drawing.labels, warnings: losses + fonts)
  }

  /// The largest number of lines in a warning.
  private static let mostLines = 100

  /// Returns one warning for the same loss of elements of the same kind, with the lines of all of them.
  private func warnings(_ losses: [SLDWarning]) -> [DocumentWarning] {
    var kinds: [String] = []
    let groups = losses.reduce(into: [String: [SLDWarning]]()) { groups, loss in
      let kind = "\(loss.kind): \(loss.message)"
      if groups[kind] == nil { kinds.append(kind) }
      groups[kind, default: []].append(loss)
    }
    return kinds.compactMap { groups[$0] }.map { group in
      let first = group[0]
      var message = "\(path):\(first.line): \(first.path): \(first.message)"
      if group.count > 1 {
        let lines = group.dropFirst().reduce(into: [Int]()) { if $0.last != $1.line { $0.append($1.line) } }
        message += "; \(group.count - 1) more in \(lines.count == 1 ? "line" : "lines") "
        message += lines.prefix(Self.mostLines).map(String.init).joined(separator: ", ")
        if lines.count > Self.mostLines { message += " and others" }
      }
      return DocumentWarning(path: nil, message: message, outcome: first.outcome)
    }
  }
}

extension SLDWarning {
  /// The path without the numbers of elements among their siblings.
  fileprivate var kind: String {
    path.split(separator: "/").map { $0.prefix { $0 != "[" } }.joined(separator: "/")
  }
}

extension WebMapLayer {
  /// Draws the features of the layer by the rules and labels of a style.
  package mutating func draw(by drawing: StyledLayerFile.Drawing) {
    definition.renderer = .rules(drawing.renderer)
    (definition.labelsAreEnabled, definition.labelDefinitions) = (!drawing.labels.isEmpty, drawing.labels)
    definition.drawingOrder = []
  }
}
