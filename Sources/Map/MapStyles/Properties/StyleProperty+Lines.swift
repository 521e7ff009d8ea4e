import MapJSON

extension StyleProperty {
  /// The properties of layers of the type `line`.
  static let line: [StyleProperty] = [
    .layout("line-cap", .enumeration(["butt", "round", "square"]), default: "butt", by: .feature),
    .layout("line-join", .enumeration(["bevel", "round", "miter"]), default: "miter", by: .feature),
    .layout(
      "line-miter-limit", .number, default: 2, by: .feature, isInterpolated: true,
      requires: [.member("line-join", in: ["miter"])]),
    .layout(
      "line-round-limit", .number, default: 1.05, by: .feature, isInterpolated: true,
      requires: [.member("line-join", in: ["round"])]),
    .layout("line-sort-key", .number, by: .feature),
    .paint("line-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1),
    .paint("line-layer-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint(
      "line-color", .color, default: "#000000", by: .featureState, isInterpolated: true,
      requires: [.absent("line-pattern")]),
    .paint(
      "line-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels"),
    .paint(
      "line-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("line-translate")]),
    .paint(
      "line-width", .number, default: 1, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity)),
    .paint(
      "line-gap-width", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity)),
    .paint("line-offset", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels"),
    .paint(
      "line-blur", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity)),
    .paint(
      "line-dasharray", .array(.number), by: .feature, units: "line widths", within: 0...(.infinity),
      requires: [.absent("line-pattern")]),
    .paint("line-pattern", .resolvedImage, by: .feature),
    .paint(
      "line-gradient", .color, by: .lineProgress, isInterpolated: true,
      requires: [.absent("line-dasharray"), .absent("line-pattern"), .source("geojson", has: "lineMetrics")]),
  ]
}
