package import MapDrawing
public import MapModel
import MapStyles
import MapSystem

extension ViewState {
  /// Whether the map may have text: labels, text symbols, numbers of clusters, names of a style or an attribution.
  package var drawsText: Bool {
    let all = layers + (basemap?.baseLayers ?? []) + (basemap?.referenceLayers ?? []) + overlays
    return drawsNames || !attribution.isEmpty
      || all.contains { layer in
        let symbols = layer.renderer.classSymbols + (layer.renderer.defaultSymbol.map { [$0] } ?? [])
        return layer.labelsAreEnabled || aggregation(of: layer) != nil
          || symbols.contains { $0.simpleParts.contains { if case .text = $0 { true } else { false } } }
      }
  }

  /// Whether a layer of a style that is not hidden has texts.
  package var drawsNames: Bool {
    tileLayers.contains { layer in
      guard case .style(let style, let hidden)? = layer.content else { return false }
      return style.document.layers.contains { item in
        !hidden.contains(item.id) && item.type == .symbol
          && item.type.index(of: "text-field").map { item.values[$0] != nil } ?? false
      }
    }
  }

  /// Returns the symbolizer of a layer of the view, with the fonts of the view for text.
  package func symbolizer(of layer: LayerState) -> LayerSymbolizer {
    LayerSymbolizer(view: self, layer: layer, measurer: TextEngine.measurer(fonts))
  }

  /// The basemap's own layers from bottom to top, each with the index that its labels use.
  ///
  /// Layers below the map's layers have negative indexes. The indexes of those above continue after the map's
  /// layers.
  var ownBasemapLayers: [(place: Int, layer: LayerState)] {
    guard let basemap else { return [] }
    return basemap.baseLayers.enumerated().map { ($0 - basemap.baseLayers.count, $1) }
      + basemap.referenceLayers.enumerated().map { ($0 + layers.count, $1) }
  }

  /// The width of the image in output pixels.
  public var pictureWidth: Int { Int(clamping: (width * pixelRatio).rounded()) }
  /// The height of the image in output pixels.
  public var pictureHeight: Int { Int(clamping: (height * pixelRatio).rounded()) }

  func naming<Result>(
    _ layer: LayerState, _ body: () async throws -> Result
  ) async throws(MapStateError) -> Result {
    do { return try await body() } catch { throw MapStateError(error, ofLayer: layer.name) }
  }
}
