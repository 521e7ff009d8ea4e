import MapJSON

extension StyleProperty {
  /// The properties of layers of the type `raster`.
  static let raster: [StyleProperty] = [
    .paint("raster-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("raster-hue-rotate", .number, default: 0, by: .zoom, isInterpolated: true, units: "degrees"),
    .paint("raster-brightness-min", .number, default: 0, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("raster-brightness-max", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("raster-saturation", .number, default: 0, by: .zoom, isInterpolated: true, within: -1...1),
    .paint("raster-contrast", .number, default: 0, by: .zoom, isInterpolated: true, within: -1...1),
    .paint("resampling", .enumeration(["linear", "nearest"]), default: "linear", by: .zoom),
    .paint("raster-resampling", .enumeration(["linear", "nearest"]), default: "linear", by: .zoom),
    .paint(
      "raster-fade-duration", .number, default: 300, by: .zoom, isInterpolated: true, units: "milliseconds",
      within: 0...(.infinity)),
  ]

  /// The properties of layers of the type `hillshade`.
  static let hillshade: [StyleProperty] = [
    .paint(
      "hillshade-illumination-direction", .numberArray, default: 335, by: .zoom, isInterpolated: true,
      within: 0...359),
    .paint(
      "hillshade-illumination-altitude", .numberArray, default: 45, by: .zoom, isInterpolated: true,
      within: 0...90),
    .paint(
      "hillshade-illumination-anchor", .enumeration(["map", "viewport"]), default: "viewport", by: .zoom),
    .paint("hillshade-exaggeration", .number, default: 0.5, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("hillshade-shadow-color", .colorArray, default: "#000000", by: .zoom, isInterpolated: true),
    .paint("hillshade-highlight-color", .colorArray, default: "#FFFFFF", by: .zoom, isInterpolated: true),
    .paint("hillshade-accent-color", .color, default: "#000000", by: .zoom, isInterpolated: true),
    .paint(
      "hillshade-method", .enumeration(["standard", "basic", "combined", "igor", "multidirectional"]),
      default: "standard", by: .zoom),
    .paint("resampling", .enumeration(["linear", "nearest"]), default: "linear", by: .zoom),
  ]

  /// The properties of layers of the type `color-relief`.
  static let colorRelief: [StyleProperty] = [
    .paint("color-relief-opacity", .number, default: 1, by: .zoom, isInterpolated: true, within: 0...1),
    .paint("color-relief-color", .color, by: .elevation, isInterpolated: true),
    .paint("resampling", .enumeration(["linear", "nearest"]), default: "linear", by: .zoom),
  ]
}
