import ArgumentParser
import MapReaders
import MapScript
import MapState

/// The source and the options that all commands on a map share.
package struct MapOptions: ParsableArguments {
  @Argument(
    help: "Web map document (JSON), data file or layer URL, or - for standard input.", completion: .file())
  var source: String

  @OptionGroup(title: HelpGroup.view) var shape: ViewShape
  @OptionGroup(title: HelpGroup.layers) var layers: LayerSelection
  @OptionGroup(title: HelpGroup.filters) var filters: FilterOptions
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  package init() {}

  /// The layers to open: those of `--only`, else those of the rule, and those that options name.
  func choice(_ rule: LayerChoice.Rule) -> LayerChoice {
    var choice = LayerChoice()
    choice.rule = layers.only.isEmpty ? rule : .named
    choice.names = layers.only + [shape.fit].compactMap { $0 }
    if rule == .named, layers.only.isEmpty { choice.names += [layers.layer].compactMap { $0 } }
    (choice.hidden, choice.shown) = (layers.hide, layers.show)
    return choice
  }

  /// Opens the source and reports its warnings.
  ///
  /// - Parameters:
  ///   - fields: the fields to read from files.
  ///   - choice: the layers of a document to open.
  func open(_ fields: FieldSelection, _ choice: LayerChoice) async throws(MapStateError) -> MapDocument {
    let catalog = try sources.catalog()
    let document = try await Progress.showing("reading \(SourceCatalog.shown(source))") {
      () async throws(MapStateError) in
      do {
        return try await MapDocument.open(source, catalog: catalog, fields: fields, choice: choice)
      } catch {
        throw MapStateError(error)
      }
    }
    for warning in document.warnings { Warnings.add(warning) }
    if let padding = shape.padding?.value { warnOf(padding) }
    return document
  }

  /// Warns of padding that is larger than the view.
  private func warnOf(_ padding: Double) {
    if padding * 2 >= min(shape.width, shape.height) {
      Warnings.add("--padding \(padding) is larger than the view; a smaller margin is applied")
    }
  }

  /// Warns of padding that the document's own viewpoint ignores.
  func warnOfPadding(_ document: MapDocument, _ options: ViewOptions) {
    if shape.padding != nil, options.place == nil, document.map.initialViewpoint != nil {
      Warnings.add("--padding is not applied: the view is the document's own viewpoint")
    }
  }

  /// Reports warnings found after opening, and geometries without a position on the map.
  func warnOfAnswers(in document: MapDocument, _ view: ViewState) async {
    for warning in document.laterWarnings { Warnings.add(warning) }
    for layer in view.layers where layer.source.inMemory != nil {
      for warning in (try? await view.placeWarnings(of: layer)) ?? [] {
        Warnings.add("layer \"\(layer.name)\": \(warning)")
      }
    }
  }

  /// The index of the one layer that a command takes.
  func oneLayerIndex(in document: MapDocument) throws(MapStateError) -> Int {
    guard layers.only.count < 2 else {
      throw MapStateError(.usage, "--only names \(layers.only.count) layers; this command takes one")
    }
    return try document.layerIndex(named: layers.layer ?? layers.only.first)
  }

  /// The options of a view.
  ///
  /// - Parameter bounds: the extent to show, if any.
  func viewOptions(bounds: Envelope?) -> ViewOptions {
    var options = ViewOptions()
    (options.width, options.height) = (shape.width, shape.height)
    options.pixelRatio = shape.pixelRatio
    options.padding = shape.padding?.value
    if let viewpoint = shape.viewpoint {
      options.place = .viewpoint(viewpoint.viewpoint)
    } else if let fit = shape.fit {
      options.place = .fit(layer: fit, rotation: .nan, padding: shape.padding?.value ?? 0)
    } else if let bounds {
      options.place = .bounds(bounds, rotation: .nan, padding: shape.padding?.value ?? 0)
    }
    options.reference = shape.reference?.reference
    options.filterMode = filters.filters
    (options.layer, options.only) = (layers.layer, layers.only)
    (options.definitions, options.displayFilters) = (filters.definition, filters.displayFilter)
    (options.hidden, options.shown) = (layers.hide, layers.show)
    return options
  }
}
