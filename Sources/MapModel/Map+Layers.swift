extension Map {
  /// The layers and groups of layers, first at the bottom.
  public var operationalLayers: [any Layer] { state.snapshot.layers }

  /// The layers under a second name, for a module that gives the first one another type.
  package var layers: [any Layer] { operationalLayers }

  /// The layers of features in drawing order, also those in groups: what views draw, counts and numbers go by.
  public var featureLayers: [FeatureLayer] { operationalLayers.flatMap(\.featureLayers) }

  /// Puts a layer on top; a layer stands in a map once, itself or in a group.
  ///
  /// One that stands somewhere already stays there; this map has then failed to load, with
  /// ``MappingError/impossiblePlace(_:)``, until it is loaded once more.
  public func addOperationalLayer(_ layer: any Layer) { insertOperationalLayer(layer, at: .max) }

  /// Puts layers on top, the last uppermost.
  public func addOperationalLayers(_ layers: [any Layer]) {
    update { for layer in layers { addOperationalLayer(layer) } }
  }

  /// Puts a layer below the one that stands at a place, or on top at the end.
  public func insertOperationalLayer(_ layer: any Layer, at place: Int) {
    update {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      // A map that was read has its layers from the one that read them, which is gone.
      guard !operationalLayers.contains(where: { $0 === layer }) else {
        return loader.fail(MappingError.impossiblePlace("layer \"\(layer.name)\" is in this map already"))
      }
      layer.home.map = self
      state.update { $0.layers.insert(layer, at: min(max(place, 0), $0.layers.count)) }
    }
  }

  /// Takes a layer out; one that is not in the map, or in a group of it, changes nothing.
  public func removeOperationalLayer(_ layer: any Layer) { removeOperationalLayers([layer]) }

  /// Takes layers out; those that are not in the map, or in groups of it, change nothing.
  public func removeOperationalLayers(_ layers: [any Layer]) {
    update {
      let leaving = operationalLayers.filter { layer in layers.contains { $0 === layer } }
      for layer in leaving { layer.home.map = nil }
      state.update { $0.layers.removeAll { layer in leaving.contains { $0 === layer } } }
    }
  }

  /// Takes all layers out.
  public func removeAllOperationalLayers() { removeOperationalLayers(operationalLayers) }

  /// Moves the layer at a place to another, counted without it.
  ///
  /// Where there is no layer nothing moves, and the map has failed to load, with
  /// ``MappingError/impossiblePlace(_:)``, until it is loaded once more.
  public func moveOperationalLayer(from place: Int, to target: Int) {
    let count = operationalLayers.count
    guard 0..<count ~= place else {
      return loader.fail(
        MappingError.impossiblePlace(
          "there is no layer at place \(place); the map has \(count), counted from 0"))
    }
    state.update { state in
      guard state.layers.indices.contains(place) else { return }
      let layer = state.layers.remove(at: place)
      state.layers.insert(layer, at: min(max(target, 0), state.layers.count))
    }
  }
}
