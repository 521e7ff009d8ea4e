import MapCairo
import MapDrawing
import MapFeatures
import MapFilter
import MapModel
import MapSystem
import MapTiles

extension ViewState {
  /// The number of the basemap's own layers below the layers of the map.
  var baseCount: Int { basemap?.baseLayers.count ?? 0 }

  /// Returns the layers of tiles of a part of the map that lie directly below one of its feature layers.
  ///
  /// - Parameter index: the index of the feature layer in the part; nil for those above all.
  private func tileLayers(
    _ section: TileLayerState.Section, below index: Int?
  ) -> [TileLayerState] {
    let count =
      switch section {
      case .base: baseCount
      case .operational: layers.count
      case .reference: basemap?.referenceLayers.count ?? 0
      }
    // A view of only some layers has fewer than the map.
    return tileLayers.filter { layer in
      layer.section == section && layer.isShown(atScale: viewpoint.scale)
        && (index.map { layer.below == $0 } ?? (layer.below >= count))
    }
  }

  /// Paints the layers of tiles directly below a feature layer.
  func paintTiles(
    _ section: TileLayerState.Section, below index: Int?, _ order: inout PaintingOrder
  ) async throws {
    for layer in tileLayers(section, below: index) { try await order.paint(layer, of: self) }
  }

  /// Returns the drawings of the layers of tiles directly below a feature layer.
  ///
  /// - Parameter styled: the drawings of styles with placed symbols.
  func tileDrawings(
    _ section: TileLayerState.Section, below index: Int?, _ styled: StyledLayers, joinsTiles: Bool
  ) async throws(MapStateError) -> [DisplayLayer] {
    var drawings: [DisplayLayer] = []
    for layer in tileLayers(section, below: index) {
      drawings += try await draw(layer, styled, threads: 1, joinsTiles: joinsTiles).drawings
    }
    return drawings
  }

  /// Returns the drawings of a layer of tiles with its effects, in the groups around it: one of images, or one for each
  /// layer of its style.
  ///
  /// - Parameter styled: the drawings of styles with placed symbols.
  func draw(
    _ layer: TileLayerState, _ styled: StyledLayers, threads: Int, joinsTiles: Bool
  ) async throws(MapStateError) -> (drawings: [DisplayLayer], report: RenderReport.Tiles) {
    if case .style(let style, let hidden)? = layer.content {
      return try await draw(
        layer, style, hidden: hidden, in: styled, threads: threads, joinsTiles: joinsTiles)
    }
    var (drawing, report) = try await drawWithoutEffects(layer, threads: threads)
    guard let plain = drawing else { return ([], report) }
    let around = imageGroups(layer.groups).groups
    let functions = layer.effect?.functions(atScale: viewpoint.scale) ?? []
    let outer = around.reduce(0) { $0 + $1.margin }
    let own = Int(clamping: (functions.reduce(0) { $0 + $1.reach } * pixelRatio).rounded(.up))
    drawing?.blendMode = layer.blendMode
    if !functions.isEmpty || outer > 0 {
      var painted = plain
      if own + outer > 0 {
        let larger = try await grown(by: own + outer).drawWithoutEffects(layer, threads: threads)
        (painted, report) = (larger.drawing ?? plain, larger.report)
      }
      drawing?.effect = DisplayEffect(
        parts: [DisplayEffect.Part(batches: painted.batches, functions: [])], functions: functions,
        margin: own,
        pixelRatio: pixelRatio)
    }
    return (drawing.map { [addingGroups(around, to: $0, isShown: true)] } ?? [], report)
  }

  private func drawWithoutEffects(
    _ layer: TileLayerState, threads: Int
  ) async throws(MapStateError) -> (drawing: DisplayLayer?, report: RenderReport.Tiles) {
    guard let source = layer.source else {
      let reason = "nothing is drawn: \(layer.unloadedReason ?? "it is not loaded")"
      return (
        nil,
        RenderReport.Tiles(
          name: layer.name, place: "", zoom: nil, count: 0, missing: [], failed: [], warnings: [reason])
      )
    }
    let drawing: TileDrawing
    var (tiles, warnings): (any TileSource, [String]) = (source, [])
    do throws(TileError) {
      if let service = source as? ServiceImages {
        do throws(TileError) {
          guard
            let images = try await service.images(
              of: self, width: pictureWidth, height: pictureHeight, time: imageTime, operations: .installed)
          else { return (nil, report(of: layer, service, [])) }
          (tiles, warnings) = (images.tiles, images.warnings)
        } catch  where layer.missing != .fail {
          return (nil, report(of: layer, service, ["not drawn: the image \(error)"]))
        }
      }
      drawing = try await TileDrawing(
        self, width: pictureWidth, height: pictureHeight, source: tiles, missing: layer.missing,
        operations: .installed, threads: threads)
    } catch {
      throw MapStateError(.input, "layer \"\(layer.name)\": \(source.place): \(error)", cause: error)
    }
    let image = DisplayImage(width: drawing.width, pixels: drawing.pixels)
    return (
      DisplayLayer(index: -1, name: layer.name, opacity: layer.opacity, batches: [.image(image)]),
      RenderReport.Tiles(
        name: layer.name, place: source.place, zoom: drawing.zoom, count: drawing.tileCount,
        missing: drawing.missing, failed: drawing.failed,
        warnings: warnings.map { "\(source.place): \($0)" } + drawing.warnings(layer.missing))
    )
  }

  /// Returns the report of a layer whose service has no image of the view.
  private func report(
    of layer: TileLayerState, _ service: ServiceImages, _ warnings: [String]
  ) -> RenderReport.Tiles {
    RenderReport.Tiles(
      name: layer.name, place: service.place, zoom: nil, count: 0, missing: [], failed: [],
      warnings: warnings.map { "\(service.place): \($0)" })
  }

  /// The view's time in the forms of requests for images; nil for any time.
  private var imageTime: (start: ImageConditions.Time?, end: ImageConditions.Time?)? {
    func form(_ instant: Instant?) -> ImageConditions.Time? {
      instant.map { ImageConditions.Time(milliseconds: $0.microseconds / 1000, text: $0.description) }
    }
    return timeExtent.map { (form($0.start), form($0.end)) }
  }
}
