import MapJSON

extension StyleProperty {
  /// The properties of layers of the type `circle`.
  static let circle: [StyleProperty] = [
    .layout("circle-sort-key", .number, by: .feature),
    .paint(
      "circle-radius", .number, default: 5, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity)),
    .paint("circle-color", .color, default: "#000000", by: .featureState, isInterpolated: true),
    .paint("circle-blur", .number, default: 0, by: .featureState, isInterpolated: true),
    .paint("circle-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1),
    .paint(
      "circle-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels"),
    .paint(
      "circle-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("circle-translate")]),
    .paint("circle-pitch-scale", .enumeration(["map", "viewport"]), default: "map", by: .zoom),
    .paint("circle-pitch-alignment", .enumeration(["map", "viewport"]), default: "viewport", by: .zoom),
    .paint(
      "circle-stroke-width", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity)),
    .paint("circle-stroke-color", .color, default: "#000000", by: .featureState, isInterpolated: true),
    .paint(
      "circle-stroke-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1),
  ]

  /// The properties of layers of the type `heatmap`.
  static let heatmap: [StyleProperty] = [
    .paint(
      "heatmap-radius", .number, default: 30, by: .featureState, isInterpolated: true, units: "pixels",
      within: 1...(.infinity)),
    .paint(
      "heatmap-weight", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...(.infinity)),
    .paint(
      "heatmap-intensity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...(.infinity)),
    .paint(
      "heatmap-color", .color,
      default: [
        "interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0, 0, 255, 0)", 0.1, "royalblue", 0.3,
        "cyan",
        0.5, "lime", 0.7, "yellow", 1, "red",
      ], by: .heatmapDensity, isInterpolated: true),
    .paint("heatmap-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
  ]
}
