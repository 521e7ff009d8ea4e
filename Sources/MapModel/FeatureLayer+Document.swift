extension FeatureLayer {
  /// What its document said of it, as far as it is known here; nil for a layer that was made here.
  var origin: WebMapLayer? { state.snapshot.origin }

  /// Takes down what a document says, to tell later what has changed since.
  func remember(_ document: WebMapLayer) {
    ModelGate.withLock {
      state.update { $0.origin = document }
      let read = written
      state.update { $0.origin = read }
    }
  }

  /// The layer as a document says it.
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
