import Glibc
import MapFeatures
import MapGeometry
import MapModel
import MapState
import MapSystem

/// The rule by which the amounts of features set the sizes of markers.
public enum SizeScaling: String, CaseIterable, Hashable, Sendable {
  /// The area of a marker is proportional to the amount.
  case area
  /// The area grows a little faster, because readers underestimate large circles.
  ///
  /// - Source: Flannery, "The relative effectiveness of some common graduated point symbols in the presentation of
  ///   quantitative data", Canadian Cartographer 8(2), 1971: diameters grow with the power 0.5716.
  case flannery

  /// The power of the amount that is proportional to the diameter.
  var exponent: Double { self == .area ? 0.5 : 0.5716 }
}

extension SymbolForm {
  /// Returns the symbol for several sizes: markers have an outline in the colour of the ground, which separates those that
  /// overlap, and lines have round ends and joins, so that they meet without notches.
  func sized(on ground: GroundTone) -> SymbolForm {
    sized(in: ground == .light ? .white : Color(red: 30, green: 30, blue: 30))
  }

  /// Returns the symbol for several sizes with a colour of the outlines of markers.
  func sized(in edge: Color) -> SymbolForm {
    switch self {
    case .marker(var marker):
      marker.outline = SimpleLineSymbol(color: edge, width: 0.75)
      return .marker(marker)
    case .line(var line):
      (line.cap, line.join) = (.round, .round)
      return .line(line)
    default: return self
    }
  }
}

extension RendererForm {
  /// Returns the renderer with other sizes; colours and rotations by value stay.
  func sized(by variable: SizeVariable) -> RendererForm {
    var variables = visualVariables
    variables.size = variable
    return with(variables)
  }
}

/// The sizes of markers or widths of lines derived from the amounts in a field.
///
/// Sizes start at zero: a marker with four times the area of another has four times its amount, and so have lines of
/// four times the width. The largest amount has the largest size. Amounts too small for the smallest size have that
/// size, and so have zero and amounts below zero.
struct SizeByField {
  /// The sizes of markers and the widths of lines without a requested range, in pixels.
  ///
  /// - Source: design decision; circles of 40 pixels stay apart on a map of a continent.
  private static let (markerSizes, lineWidths) = (3.0...40.0, 0.5...8.0)
  /// The greatest error of a size between two stops, relative to the size.
  private static let tolerance = 0.001

  /// The size variable.
  let variable: SizeVariable
  /// The name of the field.
  let fieldName: String
  /// The warnings about features without a size of their own.
  let warnings: [String]

  /// Derives the sizes for a field of a table.
  ///
  /// - Parameter kind: the kind of geometries that are drawn.
  /// - Throws: `MapStateError` for areas, an unknown field and a field without numbers.
  init(
    _ field: String, _ request: StyleRequest, _ data: StyledRows, _ kind: GeometryKind
  ) throws(MapStateError) {
    let schema = data.table.schema
    let index = try schema.known(field, of: "--size-by")
    fieldName = schema.fields[index].name
    guard kind != .polygon else {
      throw MapStateError(.input, "--size-by: areas have no symbol size; use points or lines")
    }
    if kind == .polyline, request.sizeScaling != nil {
      throw MapStateError(
        .input, "--size-scaling: the widths of lines are proportional to their values; use it with points")
    }
    guard let numbers = data.numbers(ofColumn: index) else {
      let type = data.table.columns[index].type.rawValue
      throw MapStateError(.input, "--size-by: field \"\(fieldName)\" holds \(type) values, not numbers")
    }
    let known = numbers.compactMap { $0 }.filter(\.isFinite)
    let sizes = request.sizeRange ?? (kind == .polyline ? Self.lineWidths : Self.markerSizes)
    let exponent = kind == .polyline ? 1 : (request.sizeScaling ?? .area).exponent
    variable = SizeVariable(
      input: .field(fieldName),
      rule: Self.rule(largest: known.max() ?? 0, sizes, exponent: exponent))
    var warnings: [String] = []
    let missing = numbers.count - known.count
    if missing > 0 {
      warnings.append(
        "--size-by \(field): \(missing) \(missing == 1 ? "feature has" : "features have") no number and "
          + "\(missing == 1 ? "is" : "are") not drawn")
    }
    let negative = known.count { $0 < 0 }
    if negative > 0 {
      warnings.append(
        "--size-by \(field): \(negative) \(negative == 1 ? "value is" : "values are") below 0; sizes start at 0, so "
          + "\(negative == 1 ? "it has" : "they have") the smallest size")
    }
    self.warnings = warnings
  }

  /// Returns the rule with sizes proportional to a power of the value.
  ///
  /// Error: between the stops of a power other than 1, sizes are too small by up to 0.1 %.
  private static func rule(
    largest: Double, _ sizes: ClosedRange<Double>, exponent: Double
  ) -> SizeVariable.Rule {
    let (least, most) = (sizes.lowerBound, sizes.upperBound)
    guard largest > 0 else { return .stops([VariableStop(0, least)]) }
    func value(ofSize size: Double) -> Double { largest * pow(size / most, 1 / exponent) }
    if exponent == 1 {
      return .bounded(
        minimum: value(ofSize: least), maximum: largest, smallest: .fixed(least), largest: .fixed(most))
    }
    // Smaller symbols are invisible.
    let start = max(least, most / 1000)
    // The error in the middle between stops a and b of a power is p (1 - p) / 8 times the square of ln(b / a).
    let step = (8 * tolerance / (exponent * (1 - exponent))).squareRoot()
    let count = max(Int(clamping: (log(most / start) / exponent / step).rounded(.up)), 1)
    let stops = (0...count).map { index in
      let size = index == count ? most : start * pow(most / start, Double(index) / Double(count))
      return VariableStop(index == count ? largest : value(ofSize: size), size)
    }
    return .stops((least < start ? [VariableStop(0, least)] : []) + stops)
  }
}
