import MapJSON

extension StyleProperty {
  /// The properties of layers of the type `background`.
  static let background: [StyleProperty] = [
    .paint(
      "background-color", .color, default: "#000000", by: .zoom, isInterpolated: true,
      requires: [.absent("background-pattern")]),
    .paint("background-pattern", .resolvedImage, by: .zoom),
    .paint("background-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
  ]

  /// The properties of layers of the type `fill`.
  static let fill: [StyleProperty] = [
    .layout("fill-sort-key", .number, by: .feature),
    .paint("fill-antialias", .boolean, default: true, by: .zoom),
    .paint("fill-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1),
    .paint("fill-layer-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("fill-color", .color, default: "#000000", by: .featureState, isInterpolated: true),
    .paint(
      "fill-outline-color", .color, by: .featureState, isInterpolated: true,
      requires: [.absent("fill-pattern"), .member("fill-antialias", in: [true])]),
    .paint(
      "fill-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels"),
    .paint(
      "fill-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("fill-translate")]),
    .paint("fill-pattern", .resolvedImage, by: .feature),
  ]

  /// The properties of layers of the type `fill-extrusion`.
  static let fillExtrusion: [StyleProperty] = [
    .layout(
      "fill-extrusion-rounded-corner-distance", .number, default: 0, by: .state, units: "meters",
      within: 0...(.infinity)),
    .paint("fill-extrusion-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint(
      "fill-extrusion-color", .color, default: "#000000", by: .featureState, isInterpolated: true,
      requires: [.absent("fill-extrusion-pattern")]),
    .paint(
      "fill-extrusion-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels"),
    .paint(
      "fill-extrusion-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("fill-extrusion-translate")]),
    .paint("fill-extrusion-pattern", .resolvedImage, by: .feature),
    .paint(
      "fill-extrusion-height", .number, default: 0, by: .featureState, isInterpolated: true, units: "meters",
      within: 0...(.infinity), isDrawn: false),
    .paint(
      "fill-extrusion-base", .number, default: 0, by: .featureState, isInterpolated: true, units: "meters",
      within: 0...(.infinity), requires: [.present("fill-extrusion-height")], isDrawn: false),
    .paint("fill-extrusion-vertical-gradient", .boolean, default: true, by: .zoom, isDrawn: false),
  ]
}
