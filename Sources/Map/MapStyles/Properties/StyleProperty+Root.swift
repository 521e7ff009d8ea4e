import MapJSON

extension StyleProperty {
  /// The members of the root member `light`.
  static let light: [StyleProperty] = [
    .root("anchor", .enumeration(["map", "viewport"]), default: "viewport", by: .zoom),
    .root("position", .array(.number, count: 3), default: [1.15, 210, 30], by: .zoom, isInterpolated: true),
    .root("color", .color, default: "#ffffff", by: .zoom, isInterpolated: true),
    .root("intensity", .number, default: 0.5, by: .zoom, isInterpolated: true, within: 0...1),
  ]

  /// The members of the root member `sky`.
  static let sky: [StyleProperty] = [
    .root("sky-color", .color, default: "#88C6FC", by: .zoom, isInterpolated: true),
    .root("horizon-color", .color, default: "#ffffff", by: .zoom, isInterpolated: true),
    .root("fog-color", .color, default: "#ffffff", by: .zoom, isInterpolated: true),
    .root("fog-ground-blend", .number, default: 0.5, by: .zoom, isInterpolated: true, within: 0...1),
    .root("horizon-fog-blend", .number, default: 0.8, by: .zoom, isInterpolated: true, within: 0...1),
    .root("sky-horizon-blend", .number, default: 0.8, by: .zoom, isInterpolated: true, within: 0...1),
    .root("atmosphere-blend", .number, default: 0.8, by: .zoom, isInterpolated: true, within: 0...1),
  ]

  /// The members of the root member `projection`.
  static let projection: [StyleProperty] = [
    .root("type", .projectionDefinition, default: "mercator", by: .zoom, isInterpolated: true)
  ]
}
