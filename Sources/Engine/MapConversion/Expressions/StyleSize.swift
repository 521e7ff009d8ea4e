import MapExpressions
import MapFeatures
import MapFilter
import MapJSON
import MapModel

/// A size of a symbol as an expression: of the feature, of the zoom, or of both.
struct StyleSize {
  /// The size as a curve over the zoom, or at any zoom.
  private enum Form {
    case anyZoom(JSONValue)
    case byZoom(base: Double, [(zoom: Double, size: JSONValue)])
  }

  private let form: Form
  /// The number without which a feature is not drawn; nil for none.
  let needed: JSONValue?

  /// Creates a size of the feature alone.
  init(_ size: JSONValue) { (form, needed) = (.anyZoom(size), nil) }

  private init(_ form: Form, needed: JSONValue?) { (self.form, self.needed) = (form, needed) }

  /// Creates the size of a variable, which adds the properties that it needs; nil with a reason for one that styles
  /// cannot say.
  ///
  /// - Parameter byArea: whether the symbol is compared by area.
  static func variable(
    _ variable: SizeVariable, byArea: Bool, scale: Double, name: String, _ properties: inout WrittenProperties
  ) -> (size: StyleSize, loss: String?) {
    if case .scale = variable.input, case .stops(let stops) = variable.rule {
      // Linear in the scale is exponential to the base 1/2 in the zoom.
      let points = stops.reversed().map {
        (zoom: StyleZoom.zoom(ofScale: $0.value), size: StyleJSON.pixels($0.output))
      }.filter { $0.zoom.isFinite }
      return (StyleSize(.byZoom(base: 0.5, points), needed: nil), nil)
    }
    var loss: String?
    if case .expression(let expression) = variable.input, expression.usesScale {
      loss = "its expression is computed for the scale of the view"
    }
    switch variable.rule {
    case .stops(let stops):
      return fixed(stops, of: variable.input, name, loss, &properties)
    case .bounded(let minimum, let maximum, .fixed(let smallest), .fixed(let largest)):
      let stops = [VariableStop(minimum, smallest), VariableStop(maximum, largest)].ascending()
      return fixed(stops, of: variable.input, name, loss, &properties)
    case .ground:
      // Each zoom doubles the size at zoom 0.
      let one = Viewpoint.scale(ofZoom: 0)
      let start = sizes(variable, at: one, byArea: byArea, name, &properties)
      let ends = [StyleZoom.limits.lowerBound, StyleZoom.limits.upperBound].map { zoom in
        (zoom: zoom, size: StyleJSON.linear(start, times: one / Viewpoint.scale(ofZoom: zoom), plus: 0))
      }
      return (StyleSize(.byZoom(base: 2, ends), needed: start), loss)
    case .bounded, .proportional:
      if !variable.hasFixedSizes { loss = "its sizes are those at the scale of the view" }
      let size = sizes(variable, at: scale, byArea: byArea, name, &properties)
      return (StyleSize(.anyZoom(size), needed: size), loss)
    }
  }

  private static func fixed(
    _ stops: [VariableStop<Double>], of input: VariableInput, _ name: String, _ loss: String?,
    _ properties: inout WrittenProperties
  ) -> (StyleSize, String?) {
    let number = properties.number(of: input, name: name)
    guard !stops.isEmpty else { return (StyleSize(.anyZoom(0), needed: number), loss) }
    let curve = StyleJSON.curve(["linear"], number, stops.map { ($0.value, StyleJSON.pixels($0.output)) })
    return (StyleSize(.anyZoom(curve), needed: number), loss)
  }

  /// Adds the sizes at a scale as a property.
  private static func sizes(
    _ variable: SizeVariable, at scale: Double, byArea: Bool, _ name: String,
    _ properties: inout WrittenProperties
  ) -> JSONValue {
    let values = properties.numbers(of: variable.input).map { number in
      variable.size(of: number, scale: scale, byArea: byArea).map { AttributeValue.real($0) } ?? .null
    }
    return StyleJSON.get(properties.add(name, .float64, values))
  }

  /// Returns the size, multiplied and with a term, as the value of a property.
  ///
  /// - Parastart:
  ///   - divisor: a divisor of the feature; nil for none.
  ///   - growth: the scale at which symbols have their size and grow with the map from there on; nil for none.
  func expression(
    times factor: Double = 1, plus term: JSONValue = 0, dividedBy divisor: JSONValue? = nil,
    growing growth: StyleGrowth? = nil
  ) -> JSONValue {
    func changed(_ size: JSONValue) -> JSONValue {
      let sum = StyleJSON.linear(size, times: factor, plus: term)
      guard let divisor else { return sum }
      if let a = sum.double, let b = divisor.double { return .number(b > 0 ? a / b : 0) }
      return ["/", sum, divisor]
    }
    switch form {
    case .anyZoom(let size): return growth?.grown(changed(size)) ?? changed(size)
    case .byZoom(let base, let points):
      guard points.count > 1 else { return changed(points.first?.size ?? 0) }
      return StyleJSON.curve(
        ["exponential", .number(base)], ["zoom"], points.map { ($0.zoom, changed($0.size)) })
    }
  }

  /// Whether the size is a curve over the zoom.
  var dependsOnZoom: Bool { if case .byZoom = form { true } else { false } }
}

/// The growth of symbols with the map, in a map with a reference scale.
struct StyleGrowth {
  /// The scale denominator at which symbols have their nominal size.
  let referenceScale: Double

  /// Returns a size that doubles with each zoom.
  func grown(_ size: JSONValue) -> JSONValue {
    guard size != 0 else { return size }
    let ends = [StyleZoom.limits.lowerBound, StyleZoom.limits.upperBound].map { zoom in
      (
        input: zoom,
        output: StyleJSON.linear(size, times: referenceScale / Viewpoint.scale(ofZoom: zoom), plus: 0)
      )
    }
    return StyleJSON.curve(["exponential", 2], ["zoom"], ends)
  }
}

extension SizeVariable {
  /// Whether the sizes between which the variable interpolates are the same at all scales.
  fileprivate var hasFixedSizes: Bool {
    func isFixed(_ size: ScaledSize?) -> Bool {
      guard let size else { return true }
      return if case .fixed = size { true } else { false }
    }
    return switch rule {
    case .stops, .ground: true
    case .bounded(_, _, let smallest, let largest): isFixed(smallest) && isFixed(largest)
    case .proportional(_, let smallest, let largest): isFixed(smallest) && isFixed(largest)
    }
  }
}
