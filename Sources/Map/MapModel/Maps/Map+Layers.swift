extension Map {
  /// The layers and groups of layers, starting at the bottom.
  public var operationalLayers: [any Layer] { state.read { $0.layers } }

  /// The same layers under another name, for a module that gives ``operationalLayers`` another type.
  package var layers: [any Layer] { operationalLayers }

  /// The feature layers, including those in groups, in drawing order.
  ///
  /// Views draw these layers; counts and layer numbers refer to them.
  public var featureLayers: [FeatureLayer] { operationalLayers.flatMap(\.featureLayers) }

  /// Adds a layer on top.
  ///
  /// A layer belongs to one map, group or basemap at most, and cannot be added twice. A layer that was added before
  /// stays there. The map then fails to load, with a ``MapStateError``, until it is loaded again.
  public func addOperationalLayer(_ layer: any Layer) { insertOperationalLayer(layer, at: .max) }

  /// Adds layers on top, the last one uppermost.
  public func addOperationalLayers(_ layers: [any Layer]) {
    update { for layer in layers { addOperationalLayer(layer) } }
  }

  /// Inserts a layer below the layer at an index; an index past the end adds it on top.
  public func insertOperationalLayer(_ layer: any Layer, at place: Int) {
    update {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      // The layers of a document were added to another map object that no longer exists, so `refusal` is nil for
      // them.
      guard !operationalLayers.contains(where: { $0 === layer }) else {
        return loader.fail(MappingError.impossiblePlace("layer \"\(layer.name)\" is in this map already"))
      }
      layer.home.join(self)
      state.update { $0.layers.insert(layer, at: min(max(place, 0), $0.layers.count)) }
    }
  }

  /// Removes a layer; does nothing when it is not in the map or is in a group.
  public func removeOperationalLayer(_ layer: any Layer) { removeOperationalLayers([layer]) }

  /// Removes layers; ignores those that are not in the map or are in groups.
  public func removeOperationalLayers(_ layers: [any Layer]) {
    update {
      let leaving = operationalLayers.filter { layer in layers.contains { $0 === layer } }
      for layer in leaving { layer.home.leave(self) }
      state.update { $0.layers.removeAll { layer in leaving.contains { $0 === layer } } }
    }
  }

  /// Removes all layers.
  public func removeAllOperationalLayers() { removeOperationalLayers(operationalLayers) }

  /// Moves the layer at an index to another index, counted without the layer itself.
  ///
  /// Without a layer at the index nothing moves. The map then fails to load, with
  /// a ``MapStateError``, until it is loaded again.
  public func moveOperationalLayer(from place: Int, to target: Int) {
    let count = operationalLayers.count
    guard 0..<count ~= place else {
      return loader.fail(
        MappingError.impossiblePlace(
          "there is no layer at index \(place); the map has \(count), counted from 0"))
    }
    state.update { state in
      guard state.layers.indices.contains(place) else { return }
      let layer = state.layers.remove(at: place)
      state.layers.insert(layer, at: min(max(target, 0), state.layers.count))
    }
  }
}

extension Map: LayerOwner {
  var kind: String { "a map" }
  var contents: any ModelPart { state }
  var mapProjection: MapProjection? {
    MapProjection(reference: spatialReference, operations: projections.snapshot)
  }
}
