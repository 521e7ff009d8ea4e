import ArgumentParser
import Glibc
import MapState

/// The options that all commands over a map share.
package struct MapOptions: ParsableArguments {
  @Argument(help: "A web map document (JSON), a data file or the address of a layer; - reads standard input.")
  var source: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The layer that other options are about; hides no other.", valueName: "name"))
  var layer: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Draw or ask this layer alone; repeatable.", valueName: "name"))
  var only: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size in view pixels (1/96 inch), default 800x600.", valueName: "WxH"))
  var size: ViewSize?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Output pixels per view pixel, 1 to 4.", valueName: "r"))
  var pixelRatio = 1.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Centre, scale and rotation of the view.", valueName: "lat,lon,scale[,rotation]"))
  var viewpoint: ViewpointOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Zoom to the layer's filtered features.", valueName: "layer"))
  var fit: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Free view pixels around what the view is fitted to.", valueName: "p"))
  var padding: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Spatial reference of the map, by its EPSG or Esri number.", valueName: "wkid"))
  var reference: ReferenceOption?
  @Option(help: "The document's filters in force: document, none, definition or display.")
  var filters: FilterMode = .document
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Definition expression over the document's; repeatable.", valueName: "[name: ]sql"))
  var definition: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Display filter over the document's; repeatable.", valueName: "[name: ]sql"))
  var displayFilter: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time extent: dates or RFC 3339, .. for an open end.", valueName: "start/end"))
  var time: TimeOption?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Hide a layer; repeatable.", valueName: "layer"))
  var hide: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Show a layer; repeatable.", valueName: "layer"))
  var show: [String] = []
  @OptionGroup var sources: SourceOptions
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  package init() {}

  package func validate() throws {
    if viewpoint != nil, fit != nil {
      throw ValidationError("--viewpoint and --fit each say where to look; give one of them.")
    }
    if let padding = padding?.value, padding < 0 {
      throw ValidationError("--padding is \(padding); it must be 0 or more.")
    }
    if padding != nil, viewpoint != nil {
      throw ValidationError("--padding is for a view that is fitted to something; --viewpoint is not.")
    }
    do {
      _ = try MapView.pictureSize(
        width: size?.width ?? 800, height: size?.height ?? 600, pixelRatio: pixelRatio)
    } catch {
      throw ValidationError("\(error)")
    }
    if let viewpoint, case .center(let point, let scale) = viewpoint.viewpoint.target {
      if !ResolvedViewpoint.scaleLimits.contains(scale) {
        throw ValidationError("--viewpoint has scale \(scale); 0.001 to 10,000,000,000 can be shown.")
      }
      if abs(point.y) > 90 { throw ValidationError("--viewpoint has latitude \(point.y); -90 to 90 exist.") }
    }
  }

  /// The layers that are read: the only ones, else by rule, and those that options are about.
  func choice(_ rule: LayerChoice.Rule) -> LayerChoice {
    var choice = LayerChoice()
    choice.rule = only.isEmpty ? rule : .named
    choice.names = only + [fit].compactMap { $0 }
    if rule == .named, only.isEmpty { choice.names += [layer].compactMap { $0 } }
    (choice.hidden, choice.shown) = (hide, show)
    return choice
  }

  /// Opens the source and reports its warnings.
  ///
  /// - Parameters:
  ///   - fields: the fields of files that are wanted.
  ///   - choice: the layers of a document that are read.
  func open(_ fields: FieldSelection, _ choice: LayerChoice) async throws(MapError) -> MapDocument {
    let catalog = try sources.catalog(reporting)
    let document = try await Progress.showing("reading \(SourceCatalog.shown(source))") {
      () async throws(MapError) in
      do {
        return try await MapDocument.open(source, catalog: catalog, fields: fields, choice: choice)
      } catch {
        throw MapError(error)
      }
    }
    for warning in document.warnings { Warnings.add(warning) }
    if let padding = padding?.value { warnOf(padding) }
    return document
  }

  /// Warns of padding for which there is no room.
  private func warnOf(_ padding: Double) {
    if padding * 2 >= min(size?.width ?? 800, size?.height ?? 600) {
      Warnings.add("--padding \(padding) leaves no room in the view; less is applied")
    }
  }

  /// Warns of padding around a viewpoint that the document brings, which is not fitted to anything.
  func warnOfPadding(_ document: MapDocument, _ options: ViewOptions) {
    if padding != nil, options.place == nil, document.map.initialViewpoint != nil {
      Warnings.add("--padding is not applied: the view is the document's own viewpoint")
    }
  }

  /// Reports what answering found beyond opening, and geometries without a position on the map.
  func warnOfAnswers(in document: MapDocument, _ view: ViewState) async {
    for warning in document.laterWarnings { Warnings.add(warning) }
    for layer in view.layers where layer.source is InMemorySource {
      for warning in (try? await view.placeWarnings(of: layer)) ?? [] {
        Warnings.add("layer \"\(layer.name)\": \(warning)")
      }
    }
  }

  /// The index of the one layer that a question is about.
  func oneLayerIndex(in document: MapDocument) throws(MapError) -> Int {
    guard only.count < 2 else {
      throw MapError(.usage, "a question is about one layer; --only names \(only.count)")
    }
    return try document.layerIndex(named: layer ?? only.first)
  }

  /// The options of a view: the bounds to show, if any, and all that these options say.
  func viewOptions(bounds: Envelope?) -> ViewOptions {
    var options = ViewOptions()
    if let size { (options.width, options.height) = (size.width, size.height) }
    options.pixelRatio = pixelRatio
    options.padding = padding?.value
    if let viewpoint {
      options.place = .viewpoint(viewpoint.viewpoint)
    } else if let fit {
      options.place = .fit(layer: fit, rotation: .nan, padding: padding?.value ?? 0)
    } else if let bounds {
      options.place = .bounds(bounds, rotation: .nan, padding: padding?.value ?? 0)
    }
    options.reference = reference?.reference
    options.filterMode = filters
    (options.layer, options.only) = (layer, only)
    (options.definitions, options.displayFilters) = (definition, displayFilter)
    (options.hidden, options.shown) = (hide, show)
    return options
  }
}
