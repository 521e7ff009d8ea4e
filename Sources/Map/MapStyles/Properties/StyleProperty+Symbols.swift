import MapJSON

extension StyleProperty {
  /// The properties of layers of the type `symbol`.
  static let symbol: [StyleProperty] = [
    .layout("symbol-placement", .enumeration(["point", "line", "line-center"]), default: "point", by: .zoom),
    .layout(
      "symbol-spacing", .number, default: 250, by: .zoom, isInterpolated: true, units: "pixels",
      within: 1...(.infinity), requires: [.member("symbol-placement", in: ["line"])]),
    .layout("symbol-avoid-edges", .boolean, default: false, by: .zoom),
    .layout("symbol-sort-key", .number, by: .feature),
    .layout("symbol-z-order", .enumeration(["auto", "viewport-y", "source"]), default: "auto", by: .zoom),
    .layout(
      "icon-allow-overlap", .boolean, default: false, by: .zoom,
      requires: [.present("icon-image"), .absent("icon-overlap")]),
    .layout(
      "icon-overlap", .enumeration(["never", "always", "cooperative"]), by: .zoom,
      requires: [.present("icon-image")]),
    .layout("icon-ignore-placement", .boolean, default: false, by: .zoom, requires: [.present("icon-image")]),
    .layout(
      "icon-optional", .boolean, default: false, by: .zoom,
      requires: [.present("icon-image"), .present("text-field")]),
    .layout(
      "icon-rotation-alignment", .enumeration(["map", "viewport", "auto"]), default: "auto", by: .zoom,
      requires: [.present("icon-image")]),
    .layout(
      "icon-size", .number, default: 1, by: .feature, isInterpolated: true,
      units: "factor of the original icon size", within: 0...(.infinity), requires: [.present("icon-image")]),
    .layout(
      "icon-text-fit", .enumeration(["none", "width", "height", "both"]), default: "none", by: .zoom,
      requires: [.present("icon-image"), .present("text-field")]),
    .layout(
      "icon-text-fit-padding", .array(.number, count: 4), default: [0, 0, 0, 0], by: .zoom,
      isInterpolated: true, units: "pixels",
      requires: [
        .present("icon-image"), .present("text-field"),
        .member("icon-text-fit", in: ["both", "width", "height"]),
      ]),
    .layout("icon-image", .resolvedImage, by: .feature, hasTokens: true),
    .layout(
      "icon-rotate", .number, default: 0, by: .feature, isInterpolated: true, units: "degrees",
      requires: [.present("icon-image")]),
    .layout(
      "icon-padding", .padding, default: [2], by: .feature, isInterpolated: true, units: "pixels",
      requires: [.present("icon-image")]),
    .layout(
      "icon-keep-upright", .boolean, default: false, by: .zoom,
      requires: [
        .present("icon-image"), .member("icon-rotation-alignment", in: ["map"]),
        .member("symbol-placement", in: ["line", "line-center"]),
      ]),
    .layout(
      "icon-offset", .array(.number, count: 2), default: [0, 0], by: .feature, isInterpolated: true,
      requires: [.present("icon-image")]),
    .layout(
      "icon-anchor",
      .enumeration([
        "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
      ]), default: "center", by: .feature, requires: [.present("icon-image")]),
    .layout(
      "icon-pitch-alignment", .enumeration(["map", "viewport", "auto"]), default: "auto", by: .zoom,
      requires: [.present("icon-image")]),
    .layout(
      "text-pitch-alignment", .enumeration(["map", "viewport", "auto"]), default: "auto", by: .zoom,
      requires: [.present("text-field")]),
    .layout(
      "text-rotation-alignment", .enumeration(["map", "viewport", "viewport-glyph", "auto"]), default: "auto",
      by: .zoom, requires: [.present("text-field")]),
    .layout("text-field", .formatted, default: "", by: .feature, hasTokens: true),
    .layout(
      "text-font", .array(.string), default: ["Open Sans Regular", "Arial Unicode MS Regular"], by: .feature,
      requires: [.present("text-field")]),
    .layout(
      "text-size", .number, default: 16, by: .feature, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("text-field")]),
    .layout(
      "text-max-width", .number, default: 10, by: .feature, isInterpolated: true, units: "ems",
      within: 0...(.infinity), requires: [.present("text-field")]),
    .layout(
      "text-line-height", .number, default: 1.2, by: .zoom, isInterpolated: true, units: "ems",
      requires: [.present("text-field")]),
    .layout(
      "text-letter-spacing", .number, default: 0, by: .feature, isInterpolated: true, units: "ems",
      requires: [.present("text-field")]),
    .layout(
      "text-justify", .enumeration(["auto", "left", "center", "right"]), default: "center", by: .feature,
      requires: [.present("text-field")]),
    .layout(
      "text-radial-offset", .number, default: 0, by: .feature, isInterpolated: true, units: "ems",
      requires: [.present("text-field")]),
    .layout(
      "text-variable-anchor",
      .array(
        .enumeration([
          "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
        ])), by: .zoom, requires: [.present("text-field"), .member("symbol-placement", in: ["point"])]),
    .layout(
      "text-variable-anchor-offset", .variableAnchorOffsetCollection, by: .feature, isInterpolated: true,
      requires: [.present("text-field"), .member("symbol-placement", in: ["point"])]),
    .layout(
      "text-anchor",
      .enumeration([
        "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
      ]), default: "center", by: .feature,
      requires: [.present("text-field"), .absent("text-variable-anchor")]),
    .layout(
      "text-max-angle", .number, default: 45, by: .zoom, isInterpolated: true, units: "degrees",
      requires: [.present("text-field"), .member("symbol-placement", in: ["line", "line-center"])]),
    .layout(
      "text-writing-mode", .array(.enumeration(["horizontal", "vertical"])), by: .zoom,
      requires: [.present("text-field"), .member("symbol-placement", in: ["point"])]),
    .layout(
      "text-rotate", .number, default: 0, by: .feature, isInterpolated: true, units: "degrees",
      requires: [.present("text-field")]),
    .layout(
      "text-padding", .number, default: 2, by: .zoom, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("text-field")]),
    .layout(
      "text-keep-upright", .boolean, default: true, by: .zoom,
      requires: [
        .present("text-field"), .member("text-rotation-alignment", in: ["map"]),
        .member("symbol-placement", in: ["line", "line-center"]),
      ]),
    .layout(
      "text-transform", .enumeration(["none", "uppercase", "lowercase"]), default: "none", by: .feature,
      requires: [.present("text-field")]),
    .layout(
      "text-offset", .array(.number, count: 2), default: [0, 0], by: .feature, isInterpolated: true,
      units: "ems", requires: [.present("text-field"), .absent("text-radial-offset")]),
    .layout(
      "text-allow-overlap", .boolean, default: false, by: .zoom,
      requires: [.present("text-field"), .absent("text-overlap")]),
    .layout(
      "text-overlap", .enumeration(["never", "always", "cooperative"]), by: .zoom,
      requires: [.present("text-field")]),
    .layout("text-ignore-placement", .boolean, default: false, by: .zoom, requires: [.present("text-field")]),
    .layout(
      "text-optional", .boolean, default: false, by: .zoom,
      requires: [.present("text-field"), .present("icon-image")]),
    .paint(
      "icon-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1,
      requires: [.present("icon-image")]),
    .paint(
      "icon-color", .color, default: "#000000", by: .featureState, isInterpolated: true,
      requires: [.present("icon-image")]),
    .paint(
      "icon-halo-color", .color, default: "rgba(0, 0, 0, 0)", by: .featureState, isInterpolated: true,
      requires: [.present("icon-image")]),
    .paint(
      "icon-halo-width", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("icon-image")]),
    .paint(
      "icon-halo-blur", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("icon-image")]),
    .paint(
      "icon-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels", requires: [.present("icon-image")]),
    .paint(
      "icon-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("icon-image"), .present("icon-translate")]),
    .paint(
      "text-opacity", .number, default: 1, by: .featureState, isInterpolated: true, within: 0...1,
      requires: [.present("text-field")]),
    .paint(
      "text-color", .color, default: "#000000", by: .featureState, isInterpolated: true,
      requires: [.present("text-field")]),
    .paint(
      "text-halo-color", .color, default: "rgba(0, 0, 0, 0)", by: .featureState, isInterpolated: true,
      requires: [.present("text-field")]),
    .paint(
      "text-halo-width", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("text-field")]),
    .paint(
      "text-halo-blur", .number, default: 0, by: .featureState, isInterpolated: true, units: "pixels",
      within: 0...(.infinity), requires: [.present("text-field")]),
    .paint(
      "text-translate", .array(.number, count: 2), default: [0, 0], by: .zoom, isInterpolated: true,
      units: "pixels", requires: [.present("text-field")]),
    .paint(
      "text-translate-anchor", .enumeration(["map", "viewport"]), default: "map", by: .zoom,
      requires: [.present("text-field"), .present("text-translate")]),
  ]
}
