import MapFeatures
import MapModel

/// The state of a layer in a view.
public struct LayerViewState: Hashable, Sendable {
  /// The status of a layer; `active` excludes `notVisible` and `outOfScale`.
  ///
  /// - Source: the names and values of the ArcGIS Maps SDK.
  public struct Status: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Creates options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The layer is drawn.
    public static let active = Status(rawValue: 1)
    /// The layer, or a group that contains it, is hidden.
    public static let notVisible = Status(rawValue: 2)
    /// The view's scale is outside the layer's scale range.
    public static let outOfScale = Status(rawValue: 4)
    /// The layer's table is being loaded.
    public static let loading = Status(rawValue: 8)
    /// The layer cannot be drawn.
    public static let error = Status(rawValue: 16)
    /// The layer is drawn differently from its definition.
    public static let warning = Status(rawValue: 32)
  }

  /// The status of the layer.
  public let status: Status
  /// The fault in one line; nil unless the status has an error or a warning.
  public let error: String?
}

extension ViewState {
  /// Returns the state of a layer, determined by a query of its table for the features to draw.
  package func viewState(of layer: LayerState, loadError: MapStateError?) async -> LayerViewState {
    if let loadError { return LayerViewState(status: .error, error: "\(loadError)") }
    guard layer.isVisible else { return LayerViewState(status: .notVisible, error: nil) }
    guard layer.isShown(atScale: viewpoint.scale) else {
      return LayerViewState(status: .outOfScale, error: nil)
    }
    do {
      _ = try await fetched(layer).source.whole().rows(conditions(for: layer).query(for: .drawing))
    } catch let error as QueryConditionError where error.kind == .display {
      return LayerViewState(status: [.active, .warning], error: "\(error)")
    } catch {
      return LayerViewState(status: .error, error: "\(error)")
    }
    if case .scale(let definition) = layer.displayFilter,
      definition.filters.count(where: { $0.covers(scale: viewpoint.scale) }) > 1
    {
      return LayerViewState(
        status: [.active, .warning], error: "several display filters cover the scale; the first one applies")
    }
    if let reduction = layer.undrawnReduction {
      return LayerViewState(
        status: [.active, .warning], error: "\(reduction) is not supported: features are drawn one by one")
    }
    return LayerViewState(status: .active, error: nil)
  }

  /// Returns the view with the features of its layers fetched; layers that cannot be drawn are hidden.
  func withoutFaults() async -> ViewState {
    await mappingLayers { layer in
      do {
        let layer = try await fetched(layer)
        _ = try await layer.source.whole().rows(conditions(for: layer).query(for: .drawing))
        return layer
      } catch {
        var hidden = layer
        // The filters are removed, because the filters of hidden layers are still read.
        (hidden.isVisible, hidden.definitionExpression, hidden.displayFilter) = (false, "", nil)
        return hidden
      }
    }
  }
}
