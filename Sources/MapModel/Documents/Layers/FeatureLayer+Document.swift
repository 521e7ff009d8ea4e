extension FeatureLayer {
  /// The layer as its document described it, as far as the model represents it; nil for a layer made in code.
  var origin: WebMapLayer? { state.snapshot.origin }

  /// Stores the description of the layer in its document, so that later changes can be found.
  func remember(_ document: WebMapLayer) {
    ModelGate.withLock {
      state.update { $0.origin = document }
      let read = written
      state.update { $0.origin = read }
    }
  }

  /// The layer in the form of a document.
  var written: WebMapLayer {
    ModelGate.withLock {
      let settings = state.snapshot
      let now = settings.layer
      var layer = settings.origin ?? WebMapLayer(id: now.id, title: now.title, url: "")
      if settings.origin?.mark == nil { layer.content = table.writtenContent }
      (layer.title, layer.renderer, layer.showing) = (now.title, settings.renderer, now.showing)
      (layer.definitionExpression, layer.displayFilter) = (now.definitionExpression, now.displayFilter)
      (layer.timeInfo, layer.timeOffset, layer.filtersByTime) = (
        now.timeInfo, now.timeOffset, now.filtersByTime
      )
      (layer.drawingOrder, layer.scalesSymbols) = (now.drawingOrder, now.scalesSymbols)
      (layer.showsLabels, layer.labelDefinitions) = (now.labelsAreEnabled, now.labelDefinitions)
      layer.showsInLegend = settings.showsInLegend
      (layer.popupDefinition, layer.isPopupEnabled) = (settings.popups.definition, settings.popups.areEnabled)
      layer.featureReduction = settings.reduction?.json
      layer.reducesFeatures = settings.reduction?.isEnabled ?? true
      return layer
    }
  }
}
