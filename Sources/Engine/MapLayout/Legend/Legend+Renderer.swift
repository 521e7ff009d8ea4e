public import MapFeatures
public import MapGeometry
public import MapModel

extension LegendLayer {
  /// The largest number of entries that a legend lists for one layer.
  ///
  /// - Source: design decision: more do not fit any image.
  public static let entryLimit = 400

  /// Creates the entries of a renderer.
  ///
  /// - Parameters:
  ///   - renderer: the renderer at the scale of the map.
  ///   - fields: the fields of the table, whose aliases name the values.
  ///   - scale: the scale denominator.
  ///   - rotation: the counterclockwise rotation of the map in degrees, which rotates symbols with a direction, too.
  ///   - counts: the number of drawn features by class; nil if unknown.
  ///   - showsAll: Whether classes without a drawn feature are listed, too.
  ///   - hasOthers: Whether a feature has the default symbol, which is listed only then.
  ///   - hasCounts: Whether entries have their counts.
  ///   - hasBars: Whether class breaks are a bar with numbers at the breaks, if they have no counts and differ in
  ///     colour only.
  ///   - ranges: the range of the values in view by the input of a visual variable. Sizes of a known range are those of
  ///     round numbers in it.
  ///   - dotDensities: the number of dots of each attribute of a dot density per square view pixel; empty if
  ///     unknown.
  /// - Returns: the entries, and warnings about what they do not show.
  public static func of(
    _ renderer: RendererForm, title: String, kind: GeometryKind, opacity: Double = 1, fields: [Field],
    scale: Double, rotation: Double = 0, counts: [Int: Int]? = nil, showsAll: Bool = true,
    hasOthers: Bool = true, hasCounts: Bool = false, hasBars: Bool = false,
    ranges: [VariableInput: ClosedRange<Double>] = [:], dotDensities: [Double] = []
  ) -> (layer: LegendLayer, warnings: [String]) {
    var builder = RendererEntries(
      renderer: renderer, kind: kind, fields: fields, scale: scale, rotation: rotation,
      shown: showsAll ? nil : Set((counts ?? [:]).filter { $0.value > 0 }.keys),
      counts: hasCounts ? counts : nil, hasOthers: hasOthers, hasBars: hasBars, ranges: ranges,
      densities: dotDensities)
    switch renderer {
    case .heatmap(let renderer): builder.addDensities(renderer)
    case .dotDensity(let renderer): builder.addDots(renderer)
    case .pieChart(let renderer):
      builder.addSlices(renderer)
      builder.addVariables()
    case .simple, .uniqueValue, .classBreaks, .rules:
      builder.addClasses(title: title)
      builder.addVariables()
    }
    var layer = LegendLayer(
      title: title, subtitle: builder.subtitle == title ? "" : builder.subtitle, entries: builder.entries,
      opacity: opacity)
    if case .classBreaks = renderer, kind == .polygon { layer.isSequence = true }
    // The label of the only symbol says what the title would say.
    if case .simple = renderer, layer.entries.count == 1, !layer.entries[0].label.isEmpty {
      layer.showsTitle = false
    }
    return (layer, builder.warnings)
  }
}
