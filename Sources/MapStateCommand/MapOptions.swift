import ArgumentParser
import Glibc
import MapState

/// The options that all commands over a map share.
struct MapOptions: ParsableArguments {
  @Argument(help: "A web map document (JSON), a data file or the address of a layer; - reads standard input.")
  var source: String

  @Option(parsing: .unconditional, help: ArgumentHelp("A layer by title, id or index.", valueName: "name"))
  var layer: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size in view pixels (1/96 inch), default 800x600.", valueName: "WxH"))
  var size: ViewSize?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Picture pixels a view pixel, 1 to 4.", valueName: "r"))
  var pixelRatio = 1.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Centre, scale and turn of the view.", valueName: "lat,lon,scale[,rotation]"))
  var viewpoint: ViewpointOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the view must show, WKID 3857 without one.", valueName: "xmin,ymin,xmax,ymax[,wkid]")
  )
  var bounds: EnvelopeOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show all features of a layer that its expression leaves.", valueName: "layer"))
  var fit: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("View pixels free around --bounds or --fit.", valueName: "p"))
  var padding: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw the map in this reference, by its EPSG or Esri number.", valueName: "wkid"))
  var reference: ReferenceOption?
  @Option(help: "Which of the document's filters hold: document, none, definition or display.")
  var filters: FilterMode = .document
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A definition expression instead of the document's.", valueName: "sql"))
  var definition: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A display filter instead of the document's.", valueName: "sql"))
  var displayFilter: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time of the view: dates or RFC 3339, .. for an open end.", valueName: "start/end"))
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

  func validate() throws {
    if [viewpoint != nil, bounds != nil, fit != nil].filter({ $0 }).count > 1 {
      throw ValidationError("--viewpoint, --bounds and --fit each say where to look; give one of them.")
    }
    if let padding = padding?.value, padding < 0 {
      throw ValidationError("--padding is \(padding); it must be 0 or more.")
    }
    if padding != nil, bounds == nil, fit == nil {
      throw ValidationError("--padding goes with --bounds or --fit.")
    }
    if let padding = padding?.value, padding * 2 >= min(size?.width ?? 800, size?.height ?? 600) {
      StandardError.warn("--padding \(padding) leaves no room in the view and is not applied")
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

  /// True when an option says where to look or how large the view is.
  var hasView: Bool { viewpoint != nil || bounds != nil || fit != nil || size != nil }

  /// Opens the source, of its files the fields that are wanted, and reports its warnings.
  func open(_ fields: FieldSelection) async throws(MapError) -> MapDocument {
    let catalog = try sources.catalog()
    let document = try await Progress.showing("reading \(SourceCatalog.shown(source))") {
      () async throws(MapError) in
      do { return try await MapDocument.open(source, catalog: catalog, fields: fields) } catch {
        throw MapError(error)
      }
    }
    for warning in document.warnings { StandardError.warn(warning) }
    return document
  }

  /// Says what answering found beyond what opening did, and what of files has no place on the map.
  func warnOfAnswers(in document: MapDocument, _ view: ViewState) async {
    for warning in document.laterWarnings { StandardError.warn(warning) }
    for layer in view.layers where layer.source is InMemorySource {
      for warning in (try? await view.placeWarnings(of: layer)) ?? [] {
        StandardError.warn("layer \"\(layer.name)\": \(warning)")
      }
    }
  }

  /// A view of the opened map with the options in force.
  func view(of document: MapDocument, background: Color?? = nil, basemap: Basemap?? = nil)
    async throws(MapError) -> MapView
  {
    var options = ViewOptions()
    if let size { (options.width, options.height) = (size.width, size.height) }
    options.pixelRatio = pixelRatio
    if let viewpoint {
      options.place = .viewpoint(viewpoint.viewpoint)
    } else if let bounds {
      options.place = .bounds(bounds.envelope, rotation: .nan, padding: padding?.value ?? 0)
    } else if let fit {
      options.place = .fit(layer: fit, rotation: .nan, padding: padding?.value ?? 0)
    }
    options.reference = reference?.reference
    options.filterMode = filters
    options.filteredLayer = layer
    (options.definition, options.displayFilter) = (definition, displayFilter)
    options.time = time?.extent
    (options.hidden, options.shown) = (hide, show)
    (options.background, options.basemap) = (background, basemap)
    let view = try await document.view(options)
    if time != nil {
      for item in document.layers where item.layer.timeInfo == nil {
        StandardError.warn(
          "layer \"\(item.layer.name)\" has no time: --time counts none of it and draws all of it")
      }
    }
    return view
  }

  /// The place of the layer that `--layer` names, or of the only one.
  func oneLayerIndex(in document: MapDocument) throws(MapError) -> Int {
    let named = try document.layer(named: layer)
    return document.layers.firstIndex { $0.layer === named.layer } ?? 0
  }

  /// The place of the layer that `--layer` names; nil without it.
  func layerIndex(in document: MapDocument) throws(MapError) -> Int? {
    layer == nil ? nil : try oneLayerIndex(in: document)
  }
}
