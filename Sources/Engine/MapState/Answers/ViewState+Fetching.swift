import MapDrawing
import MapFeatures
import MapGeometry
public import MapModel

extension ViewState {
  /// Returns the same view with the features of its layers fetched.
  ///
  /// Features of services are fetched as far as the view reaches, so that image, counts, labels and identified
  /// features come from one answer. Tables in memory stay unchanged.
  /// - Throws: ``MapStateError``.
  public func fetched() async throws(MapStateError) -> ViewState {
    try await mappingLayers { layer throws(MapStateError) in try await fetched(layer) }
  }

  /// Fetches the features of the layers of services for several views of one map, and leaves them to the sources' caches.
  ///
  /// Areas that overlap are fetched as one, unless that is much larger than the areas. A view then finds its features
  /// without another request.
  ///
  /// - Parameter views: the views, all with the same layers; those of the basemap are not fetched.
  /// - Throws: ``MapStateError``.
  package static func fetch(forAll views: [ViewState]) async throws(MapStateError) {
    guard let first = views.first else { return }
    for (index, layer) in first.layers.enumerated()
    where layer.source.inMemory == nil && !(layer.source is UnreadSource) {
      var boxes: [Envelope] = []
      for view in views {
        let layer = view.layers[index]
        guard view.conditions(for: layer).isShown else { continue }
        boxes += view.fetchEnvelopes(of: layer, in: nil)
      }
      let joined = Envelope.joined(boxes)
      // A chain of boxes from one corner to the other is joined to a box that is mostly empty.
      guard !joined.isEmpty, joined.count < boxes.count,
        joined.reduce(0, { $0 + $1.width * $1.height }) <= 2 * boxes.reduce(0, { $0 + $1.width * $1.height })
      else { continue }
      try await first.naming(layer) {
        var conditions = first.conditions(for: layer)
        conditions.viewArea = QueryArea(joined)
        _ = try await layer.source.fetch(conditions.query(for: .stage(.extent)))
      }
    }
  }

  /// Returns the same view with each layer replaced, including the basemap's own layers.
  func mappingLayers<Failure: Error>(
    _ change: (LayerState) async throws(Failure) -> LayerState
  ) async throws(Failure) -> ViewState {
    func changed(_ layers: [LayerState]) async throws(Failure) -> [LayerState] {
      var all: [LayerState] = []
      for layer in layers { all.append(try await change(layer)) }
      return all
    }
    let base = try await changed(basemap?.baseLayers ?? [])
    let reference = try await changed(basemap?.referenceLayers ?? [])
    return with(
      layers: try await changed(layers),
      over: basemap?.with(baseLayers: base, referenceLayers: reference))
  }

  /// Returns a layer with the features fetched that drawing needs; those of a hidden layer are not fetched.
  ///
  /// The display filter and the time are applied locally, so that changing them does not query the service again.
  package func fetched(_ layer: LayerState, window: Envelope? = nil) async throws(MapStateError) -> LayerState
  {
    guard !(layer.source is UnreadSource) else { return layer }
    return try await naming(layer) {
      // The source counts the points, and keeps the counts for the drawing.
      if let cells = layer.cells, try await groupedPoints(of: layer, cells) != nil { return layer }
      var conditions = conditions(for: layer)
      conditions.viewArea = QueryArea(fetchEnvelopes(of: layer, in: window))
      var layer = layer
      layer.source = try await layer.source.fetch(
        conditions.query(for: conditions.isShown ? .stage(.extent) : .stage(.scale)))
      return layer
    }
  }
}

extension Envelope {
  /// Returns envelopes without common points, by joining those that meet.
  fileprivate static func joined(_ boxes: [Envelope]) -> [Envelope] {
    var joined: [Envelope] = []
    for box in boxes where !box.isEmpty {
      var grown = box
      // A joined box may meet others that its parts did not meet.
      while let index = joined.firstIndex(where: { $0.meets(grown) }) {
        grown = grown.union(joined.remove(at: index))
      }
      joined.append(grown)
    }
    return joined
  }
}
