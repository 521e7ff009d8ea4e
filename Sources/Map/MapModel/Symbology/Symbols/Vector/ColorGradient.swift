import MapSystem

/// Colours that change across an area.
///
/// - Source: Esri CIM specification, `CIMGradientFill`. Which end of a gradient has the first colour follows the
///   ArcGIS Maps SDK for JavaScript.
public struct ColorGradient: Hashable, Sendable {
  /// The lines of equal colour.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// Straight lines; the first colour is at the side to which the angle points.
    case linear
    /// Rectangles in the extent of the area, rotated by the angle; the first colour is outside.
    case rectangular
    /// Circles about the centre of the extent; the first colour is at its corners.
    case circular
    /// Lines at a distance from the edge of the area; the first colour is at the edge.
    case buffered
  }

  /// The length over which the colours change, from the side of the first colour; the rest has the last colour.
  public enum Size: Hashable, Sendable {
    /// A part of the area from 0 to 1.
    case relative(Double)
    /// A distance in pixels of 1/96 inch.
    case absolute(Double)
  }

  /// A colour at a place of the gradient, from 0 at the first colour to 1 at the last.
  public struct Stop: Hashable, Sendable {
    /// The place.
    public var offset: Double
    /// The colour.
    public var color: Color

    /// Creates a stop.
    public init(offset: Double, color: Color) { (self.offset, self.color) = (offset, color) }
  }

  /// The lines of equal colour.
  public var form: Form
  /// The colours by ascending place.
  public var stops: [Stop]
  /// The direction of linear and rectangular gradients, counter-clockwise from the right in degrees.
  public var angle: Double
  /// The length over which the colours change.
  public var size: Size
  /// The number of bands of one colour; nil for continuous colours.
  public var bandCount: Int?

  /// Creates a gradient: continuous over the whole area and from top to bottom, unless specified otherwise.
  public init(
    form: Form, stops: [Stop], angle: Double = 90, size: Size = .relative(1), bandCount: Int? = nil
  ) {
    (self.form, self.stops, self.angle) = (form, stops, angle)
    (self.size, self.bandCount) = (size, bandCount)
  }

  /// Returns the colour at a place, from 0 at the first colour to 1 at the last; places outside have the nearest one.
  ///
  /// Red, green, blue and alpha change linearly between stops. Of several bands, each has the colour of its place
  /// among them, the first and the last those of the ends.
  public func color(at place: Double) -> Color {
    guard let first = stops.first, let last = stops.last else {
      return Color(red: 0, green: 0, blue: 0, alpha: 0)
    }
    // This comparison is false for NaN.
    var place = place > 0 ? min(place, 1) : 0
    if let count = bandCount {
      let band = min((place * Double(count)).rounded(.down), Double(count - 1))
      place = count > 1 ? band / Double(count - 1) : 0
    }
    guard let after = stops.firstIndex(where: { $0.offset >= place }) else { return last.color }
    guard after > 0 else { return first.color }
    let (low, high) = (stops[after - 1], stops[after])
    let width = high.offset - low.offset
    let part = width > 0 ? (place - low.offset) / width : 1
    func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(clamping: Int(clamping: (Double(a) + (Double(b) - Double(a)) * part).rounded()))
    }
    return Color(
      red: mixed(low.color.red, high.color.red), green: mixed(low.color.green, high.color.green),
      blue: mixed(low.color.blue, high.color.blue), alpha: mixed(low.color.alpha, high.color.alpha))
  }
}
