import MapBasemap
import MapFeatures
public import MapFilter
import MapGeometry
public import MapModel

extension MapView {
  /// Returns the current view as a value.
  ///
  /// It never contains a partial update.
  ///
  /// `instant` is the value of `CURRENT_TIMESTAMP` and similar functions in all filters and expressions of the value;
  /// by default ``now``, else that of the system clock.
  public func freeze(at instant: Instant? = nil) -> ViewState {
    let copy = withPlace {
      let copy = copied(at: instant)
      hold(copy.changes)
      return copy
    }
    return copy.state
  }

  /// Returns the current view at another viewpoint, which may be in another spatial reference than the map.
  ///
  /// The changes of the view are not marked as drawn.
  package func freeze(showing viewpoint: ResolvedViewpoint) -> ViewState {
    var copy = copied()
    copy.viewpoint = viewpoint
    return copy.state
  }

  /// The change counts of the view, its map and its overlays.
  var changes: [UInt64] {
    [settings.changes, map.changes] + settings.read { $0.overlays }.map(\.changes)
  }

  /// Marks the changes up to the given counts as drawn.
  func hold(_ changes: [UInt64]) { frozenChanges.update { $0 = changes } }

  /// Returns a copy of the view without marking its changes as drawn.
  func copied(at instant: Instant? = nil) -> ViewCopy {
    withPlace {
      let (background, basemap, layers, tiles) = map.frozen
      return ViewCopy(
        settings: settings.snapshot, pixelRatio: pixelRatio, viewpoint: viewpoint, background: background,
        basemap: basemap, operations: map.projections.snapshot, layers: layers, tiles: tiles,
        runs: graphicsOverlays.flatMap(\.runs), referenceScale: map.referenceScale, fonts: map.fonts,
        fixedTime: instant ?? now, changes: changes)
    }
  }

  /// Runs `body` with the lock held, after projecting, without the lock, the tables that the view's position depends
  /// on.
  ///
  /// Tables of a change in between are projected next. A caller that holds the lock already holds it throughout.
  func withPlace<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // Other maps may displace the projected geometries, so the number of attempts is limited.
    for _ in 0..<3 {
      var missing: [any FeatureSource] = []
      let result = try ModelGate.withLock { () throws(Failure) -> Result? in
        missing = unprojected
        return missing.isEmpty ? try body() : nil
      }
      if let result { return result }
      for source in missing { _ = plane.extent(of: source) }
    }
    return try ModelGate.withLock(body)
  }

  /// The tables that must be projected before the start position of the view is known.
  var unprojected: [any FeatureSource] {
    guard settings.read({ $0.isAtStart }), map.initialViewpoint == nil else { return [] }
    let plane = plane
    return (map.featureLayers + (map.basemap?.featureLayers ?? [])).map(\.source).filter {
      !plane.knowsExtent(of: $0)
    }
  }
}

extension MapView: MapHolder {}

/// A copy of a view, made with the lock held.
struct ViewCopy {
  let settings: MapView.Settings
  let pixelRatio: Double
  var viewpoint: ResolvedViewpoint
  let background: Color?
  let basemap: (parts: BasemapParts, base: [LayerState], reference: [LayerState])?
  let operations: SpatialOperations
  let layers: [LayerState]
  let tiles: [TileLayerState]
  let runs: [GraphicRun]
  let referenceScale: Double
  let fonts: [FontFile]
  /// The fixed current time; nil for the system clock.
  let fixedTime: Instant?
  /// The change counts that the copy includes.
  let changes: [UInt64]

  /// The view as a value; the tables of graphics are built without the lock.
  var state: ViewState {
    let (width, height) = settings.size
    let ground = ViewState.groundColor(canvas: background, tiles: tiles, scale: viewpoint.scale)
    var state = ViewState(
      width: width, height: height, pixelRatio: pixelRatio, viewpoint: viewpoint, background: background,
      basemap: basemap.map {
        BundledBasemap.state(
          of: $0.parts, base: $0.base, reference: $0.reference, scale: viewpoint.scale,
          extent: viewpoint.envelope(width: width, height: height), operations: operations,
          on: GroundTone(of: ground))
      },
      timeExtent: settings.timeExtent, layers: layers, now: fixedTime ?? .now,
      overlays: runs.compactMap { $0.layer(operations) }, referenceScale: referenceScale, tileLayers: tiles,
      fonts: fonts)
    state.hasFixedTime = fixedTime != nil
    state.leavesFeaturesOutside = settings.leavingOutside == viewpoint
    return state.colored(selection: settings.selectionColor)
  }
}
