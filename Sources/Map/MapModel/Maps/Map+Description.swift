import MapFeatures
import MapGeometry
import MapJSON

extension Map: CustomStringConvertible {
  /// The names of the layers, the lowest first, and the basemap, such as `Map("Land", "Cities")`.
  public var description: String {
    let words = operationalLayers.map { "\"\($0.name)\"" } + (basemap.map { ["\($0)"] } ?? [])
    return "Map(\(words.joined(separator: ", ")))"
  }
}

extension Basemap: CustomStringConvertible {
  /// The name, such as `Basemap("arcgis/streets")`.
  public var description: String { "Basemap(\"\(name)\")" }
}

extension FeatureLayer: CustomStringConvertible {
  /// The name, such as `FeatureLayer("Cities")`.
  public var description: String { "FeatureLayer(\"\(name)\")" }
}

extension GroupLayer: CustomStringConvertible {
  /// Name and number of layers, such as `GroupLayer("Roads", 3 layers)`.
  public var description: String { "GroupLayer(\"\(name)\", \(layers.count.counted("layer")))" }
}

extension ImageTiledLayer: CustomStringConvertible {
  /// The name, such as `ImageTiledLayer("Streets")`.
  public var description: String { "ImageTiledLayer(\"\(name)\")" }
}

extension VectorTiledLayer: CustomStringConvertible {
  /// The name, such as `VectorTiledLayer("Streets")`.
  public var description: String { "VectorTiledLayer(\"\(name)\")" }
}

extension LayerForm: CustomStringConvertible {
  /// The description of the layer.
  public var description: String {
    switch self {
    case .features(let layer): layer.description
    case .group(let layer): layer.description
    case .tiles(let layer): layer.description
    case .vectorTiles(let layer): layer.description
    }
  }
}

extension GraphicsOverlay: CustomStringConvertible {
  /// The number of graphics, such as `GraphicsOverlay(3 graphics)`.
  public var description: String { "GraphicsOverlay(\(graphics.count.counted("graphic")))" }
}

extension FeatureReduction: CustomStringConvertible {
  /// Kind and state, such as `FeatureReduction(cluster, enabled)`.
  public var description: String { "FeatureReduction(\(kind), \(isEnabled ? "enabled" : "disabled"))" }
}

extension DisplayFilter: CustomStringConvertible {
  /// Name and condition, such as `DisplayFilter("Open", status = 'open')`.
  public var description: String { "DisplayFilter(\"\(name)\", \(whereClause))" }
}

extension ScaleRangeDisplayFilter: CustomStringConvertible {
  /// Name, condition and scale range.
  public var description: String {
    "ScaleRangeDisplayFilter(\"\(name)\", \(whereClause), \(ScaleText.range(minScale, maxScale)))"
  }
}

extension ManualDisplayFilterDefinition: CustomStringConvertible {
  /// The active filter and the number of available ones.
  public var description: String {
    let active = activeFilter.map(\.description) ?? "none"
    return "ManualDisplayFilterDefinition(active: \(active), \(availableFilters.count) available)"
  }
}

extension ScaleDisplayFilterDefinition: CustomStringConvertible {
  /// The filters.
  public var description: String {
    "ScaleDisplayFilterDefinition(\(filters.map(\.description).joined(separator: ", ")))"
  }
}

extension DisplayFilterForm: CustomStringConvertible {
  /// The description of the definition.
  public var description: String {
    switch self {
    case .manual(let definition): definition.description
    case .scale(let definition): definition.description
    }
  }
}

extension DrawingOrder: CustomStringConvertible {
  /// Field and direction, such as `POP descending`.
  public var description: String { "\(fieldName) \(direction)" }
}

extension LabelDefinition: CustomStringConvertible {
  /// The expression and the condition, if any, such as `LabelDefinition("[NAME]")`.
  public var description: String {
    "LabelDefinition(\"\(expression.text)\"\(whereClause.isEmpty ? "" : ", \(whereClause)"))"
  }
}

extension LabelExpressionForm: CustomStringConvertible {
  /// The expression as the document writes it.
  public var description: String { text }
}

extension Popup: CustomStringConvertible {
  /// The title, such as `Popup("Berlin")`.
  public var description: String { "Popup(\"\(title)\")" }
}

extension PopupDefinition: CustomDebugStringConvertible {
  /// The title; `description` is the text of the document.
  public var debugDescription: String { "PopupDefinition(\"\(title)\")" }
}

extension PopupField: CustomStringConvertible {
  /// The field name, such as `PopupField(POP)`.
  public var description: String { "PopupField(\(fieldName))" }
}

extension LayerState: CustomStringConvertible {
  /// Name and number of rows, such as `LayerState("Cities", 3 rows)`.
  public var description: String { "LayerState(\"\(name)\", \(source.rowCount.counted("row")))" }
}

extension ViewState: CustomStringConvertible {
  /// Size in view pixels and viewpoint.
  public var description: String {
    "ViewState(\(JSONWriter.text(of: width))x\(JSONWriter.text(of: height)), \(viewpoint))"
  }
}
