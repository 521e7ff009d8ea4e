import MapFeatures
import MapModel

/// How a layer stands in a view.
public struct LayerViewState: Hashable, Sendable {
  /// What may be said of it; active excludes not visible and out of scale.
  ///
  /// - Source: the names and values of the ArcGIS Maps SDK.
  public struct Status: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Options by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It is drawn.
    public static let active = Status(rawValue: 1)
    /// It, or what it is in, is switched off.
    public static let notVisible = Status(rawValue: 2)
    /// The view's scale is outside its range.
    public static let outOfScale = Status(rawValue: 4)
    /// Its table is on the way.
    public static let loading = Status(rawValue: 8)
    /// It cannot be drawn.
    public static let error = Status(rawValue: 16)
    /// It is not drawn as asked.
    public static let warning = Status(rawValue: 32)
  }

  /// How it stands.
  public let status: Status
  /// What is wrong, one line; nil unless the status has an error or a warning.
  public let error: String?
}

extension ViewState {
  /// How a layer stands, found out by asking its table for what is to be drawn.
  package func viewState(of layer: LayerState, loadError: (any Error)?) async -> LayerViewState {
    if let loadError { return LayerViewState(status: .error, error: "\(loadError)") }
    guard layer.isVisible else { return LayerViewState(status: .notVisible, error: nil) }
    guard layer.isShown(atScale: viewpoint.scale) else {
      return LayerViewState(status: .outOfScale, error: nil)
    }
    do {
      _ = try await fetched(layer).source.rows(conditions(for: layer).query(for: .drawing))
    } catch let error as QueryConditionError where error.kind == .display {
      return LayerViewState(status: [.active, .warning], error: "\(error)")
    } catch {
      return LayerViewState(status: .error, error: "\(error)")
    }
    if case .scale(let definition) = layer.displayFilter,
      definition.filters.count(where: { $0.covers(scale: viewpoint.scale) }) > 1
    {
      return LayerViewState(
        status: [.active, .warning], error: "several display filters cover the scale; the first is in force")
    }
    if let reduction = layer.undrawnReduction {
      return LayerViewState(
        status: [.active, .warning], error: "features are drawn one by one: \(reduction) is not drawn")
    }
    return LayerViewState(status: .active, error: nil)
  }

  /// The view with the features of its layers at hand, and nothing in the place of those that cannot be drawn.
  func withoutFaults() async -> ViewState {
    await mappingLayers { layer in
      do {
        let layer = try await fetched(layer)
        _ = try await layer.source.rows(conditions(for: layer).query(for: .drawing))
        return layer
      } catch {
        var hidden = layer
        // A hidden layer's filters are read all the same.
        (hidden.isVisible, hidden.definitionExpression, hidden.displayFilter) = (false, "", nil)
        return hidden
      }
    }
  }
}
