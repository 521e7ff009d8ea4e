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
    let losses = drawing.warnings.map {
      DocumentWarning(
        path: nil, message: "\(path):\($0.line): \($0.path): \($0.message)", outcome: $0.outcome)
    }
    let fonts = drawing.families.map {
      DocumentWarning(path: nil, message: DocumentWarning.missingFamily($0), outcome: .approximated)
    }
    return Drawing(renderer: drawing.renderer, labels: drawing.labels, warnings: losses + fonts)
  }
}
