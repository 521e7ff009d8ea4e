import MapJSON
import MapModel
import MapSystem

/// A reader of CIM colours.
///
/// - Source: Esri CIM specification, colours: `values` with alpha from 0 to 100 at the end. An array has alpha from 0
///   to 255.
enum CIMColor {
  static func color(_ node: JSONNode?, _ report: inout DocumentReport) throws(JSONDecodingError) -> Color? {
    guard let node else { return nil }
    if node.value.array != nil { return try EsriMembers.color(node) }
    let type = try node.string("type") ?? ""
    var values: [Double] = []
    for value in try node.required("values").elements() { values.append(try value.double()) }
    let count = ["CIMRGBColor": 3, "CIMGrayColor": 1, "CIMHSVColor": 3, "CIMCMYKColor": 4][type]
    guard let count, values.count == count || values.count == count + 1 else {
      report.note(node.path, "not drawn: a color of type \"\(type)\" with \(values.count) values")
      return nil
    }
    let alpha = values.count > count ? values[count] * 255 / 100 : 255
    let (red, green, blue): (Double, Double, Double)
    switch type {
    case "CIMGrayColor": (red, green, blue) = (values[0], values[0], values[0])
    case "CIMHSVColor": (red, green, blue) = rgb(hue: values[0], saturation: values[1], value: values[2])
    case "CIMCMYKColor":
      let ink = 1 - values[3] / 100
      (red, green, blue) = (
        255 * (1 - values[0] / 100) * ink, 255 * (1 - values[1] / 100) * ink,
        255 * (1 - values[2] / 100) * ink
      )
    default: (red, green, blue) = (values[0], values[1], values[2])
    }
    func channel(_ value: Double) -> UInt8 {
      value > 0 ? UInt8(clamping: Int(clamping: min(value, 255).rounded())) : 0
    }
    return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: channel(alpha))
  }

  /// Reads a colour as hue from 0 to 360, saturation and value from 0 to 100, and alpha from 0 to 255; a grey has the
  /// hue 0.
  static func hsv(_ color: Color) -> (hue: Double, saturation: Double, value: Double, alpha: Double) {
    let channels = [color.red, color.green, color.blue].map { Double($0) }
    let (most, least) = (channels.max() ?? 0, channels.min() ?? 0)
    let chroma = most - least
    guard chroma > 0 else { return (0, 0, most * 100 / 255, Double(color.alpha)) }
    let place =
      switch most {
      case channels[0]: (channels[1] - channels[2]) / chroma
      case channels[1]: (channels[2] - channels[0]) / chroma + 2
      default: (channels[0] - channels[1]) / chroma + 4
      }
    return (
      (place * 60 + 360).truncatingRemainder(dividingBy: 360), chroma / most * 100, most * 100 / 255,
      Double(color.alpha)
    )
  }

  /// Converts a hue of 0 to 360, and a saturation and value of 0 to 100.
  static func rgb(
    hue: Double, saturation: Double, value: Double
  ) -> (Double, Double, Double) {
    let chroma = value / 100 * saturation / 100
    func channel(_ shift: Double) -> Double {
      let place = (shift + hue / 60).truncatingRemainder(dividingBy: 6)
      return 255 * (value / 100 - chroma * max(0, min(place, 4 - place, 1)))
    }
    return (channel(5), channel(3), channel(1))
  }
}
