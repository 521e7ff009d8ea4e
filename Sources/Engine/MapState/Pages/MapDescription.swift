import MapFeatures
import MapGeometry
public import MapJSON
import MapLayout
public import MapModel
import MapSystem

/// A description of an image for people who do not see it: two sentences, and a table of the layers and their classes.
public struct MapDescription: Hashable, Sendable, CustomStringConvertible {
  /// A class of a layer with its number of drawn features.
  public struct Row: Hashable, Sendable {
    /// The name of the layer.
    public let layer: String
    /// The label of the class; empty for the only class of a layer.
    public let label: String
    /// The number of drawn features.
    public let count: Int
  }

  /// Two sentences: the features in the image, and its place and scale.
  public let summary: String
  /// The classes, from the bottom layer to the top layer.
  public let rows: [Row]
  /// The ground that the image covers, such as `24.5° N to 49.4° N, 124.8° W to 66.9° W`; empty if unknown.
  public let extent: String

  /// The sentences and the table in Markdown.
  public var description: String {
    func cell(_ text: String) -> String {
      MessageText.line(text).replacing("\\", with: "\\\\").replacing("|", with: "\\|")
    }
    var lines = [summary, "", "| layer | class | features |", "|---|---|---|"]
    lines += rows.map { "| \(cell($0.layer)) | \(cell($0.label)) | \(LegendNumber.text(Double($0.count))) |" }
    if !extent.isEmpty { lines.append("| extent | \(extent) | |") }
    return lines.joined(separator: "\n")
  }

  /// The description as JSON with keys in a fixed order.
  public var json: JSONValue {
    [
      "summary": .string(summary), "extent": .string(extent),
      "rows": .array(
        rows.map {
          ["layer": .string($0.layer), "class": .string($0.label), "count": .number($0.count)]
        }),
    ]
  }
}

extension MapPage {
  /// Returns a description of the page for people who do not see it.
  ///
  /// - Cost: drawing each layer without painting it.
  /// - Throws: ``MapStateError``.
  public func describe() async throws(MapStateError) -> MapDescription {
    try await map.describe(title: title)
  }
}

extension ViewState {
  /// Returns a description of the image for people who do not see it.
  ///
  /// - Parameter title: the title of the image; empty for none.
  /// - Cost: drawing each layer without painting it.
  /// - Throws: ``MapStateError``.
  public func describe(title: String = "") async throws(MapStateError) -> MapDescription {
    var rows: [MapDescription.Row] = []
    var (parts, largest): ([String], String?) = ([], nil)
    for (index, layer) in layers.enumerated() {
      guard layer.isShown(atScale: viewpoint.scale), !(layer.source is UnreadSource),
        let kind = layer.source.schema.geometryKind
      else { continue }
      let counts = try await drawnCounts(of: layer, index: index)
      let entries = LegendLayer.of(
        layer.renderer.resolved(atScale: viewpoint.scale), title: layer.name, kind: kind,
        fields: layer.source.schema.fields, scale: viewpoint.scale, counts: counts,
        hasOthers: counts[-1] ?? 0 > 0, hasCounts: true
      ).layer.entries.filter { $0.count != nil }
      let total = counts.values.reduce(0, +)
      let name = layer.name.isEmpty ? "\(index)" : layer.name
      parts.append("\(Self.number(total, kind)) of \"\(name)\"")
      let isOne = entries.count == 1 && entries[0].count == total
      for entry in entries {
        rows.append(MapDescription.Row(layer: name, label: isOne ? "" : entry.label, count: entry.count ?? 0))
      }
      let listed = entries.reduce(0) { $0 + ($1.count ?? 0) }
      if listed < total || entries.isEmpty {
        rows.append(
          MapDescription.Row(layer: name, label: entries.isEmpty ? "" : "others", count: total - listed))
      }
      guard entries.count > 1, let most = entries.max(by: { ($0.count ?? 0) < ($1.count ?? 0) }),
        let count = most.count, count > 0
      else { continue }
      largest = "of the classes of \"\(name)\", \"\(most.label)\" has the most features: \(count.inWords)"
    }
    let shown =
      parts.count == 2 ? parts.joined(separator: " and ") : parts.prefix(3).joined(separator: ", ")
    let rest = parts.count > 3 ? " and of \(parts.count - 3) further layers" : ""
    let subject = title.isEmpty ? "Map" : "\"\(MessageText.line(title))\": map"
    let first = parts.isEmpty ? "\(subject) without features" : "\(subject) of \(shown)\(rest)"
    let ground = groundExtent
    let scale = LegendNumber.text(Self.rounded(viewpoint.scale))
    let second =
      (ground.isEmpty ? "It has a scale of about 1:\(scale)" : "It covers \(ground) at about 1:\(scale)")
      + (largest.map { "; \($0)" } ?? "")
    return MapDescription(summary: "\(first). \(second).", rows: rows, extent: ground)
  }

  /// Returns a number with two significant digits.
  private static func rounded(_ number: Double) -> Double {
    var power = 1.0
    while number / power >= 100 { power *= 10 }
    return (number / power).rounded() * power
  }

  private static func number(_ count: Int, _ kind: GeometryKind) -> String {
    let name =
      switch kind {
      case .point: "point"
      case .multipoint: "group of points"
      case .polyline: "line"
      case .polygon: "area"
      }
    guard count != 1 else { return "1 \(name)" }
    return "\(count.inWords) \(kind == .multipoint ? "groups of points" : "\(name)s")"
  }
}

extension Int {
  /// The number with separators of thousands.
  fileprivate var inWords: String { LegendNumber.text(Double(self)) }
}
