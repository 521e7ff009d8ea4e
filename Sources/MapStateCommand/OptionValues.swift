public import ArgumentParser
public import MapState

/// `WxH` in view pixels.
struct ViewSize: ExpressibleByArgument {
  let width: Double
  let height: Double

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
      return nil
    }
    (self.width, self.height) = (Double(width), Double(height))
  }
}

/// Decimal numbers between commas, all finite.
struct NumberList {
  let values: [Double]

  init?(_ text: String, counts: ClosedRange<Int>) {
    var values: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = part.drop { $0 == " " }
      // Double("0x1p3") and Double("nan") parse, but neither is a decimal number.
      guard let value = Double(String(digits)), value.isFinite, !digits.lowercased().contains("x") else {
        return nil
      }
      values.append(value)
    }
    guard counts.contains(values.count) else { return nil }
    self.values = values
  }
}

/// A decimal number, finite.
struct NumberOption: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = NumberList(argument, counts: 1...1)?.values.first else { return nil }
    self.value = value
  }
}

/// `LAT,LON,SCALE[,ROTATION]`.
struct ViewpointOption: ExpressibleByArgument {
  let viewpoint: Viewpoint

  init?(argument: String) {
    guard let numbers = NumberList(argument, counts: 3...4)?.values else { return nil }
    viewpoint = Viewpoint(
      latitude: numbers[0], longitude: numbers[1], scale: numbers[2],
      rotation: numbers.count == 4 ? numbers[3] : .nan)
  }
}

/// A spatial reference by its number.
struct ReferenceOption: ExpressibleByArgument {
  let reference: SpatialReference

  init?(argument: String) {
    guard let number = Int(argument), let wkid = WKID(number) else { return nil }
    reference = SpatialReference(wkid: wkid.rawValue)
  }
}

/// The relation of a query geometry to a feature: a name, or `relate:` and a pattern of nine letters.
struct RelationOption: ExpressibleByArgument {
  let relationship: SpatialRelationship
  let pattern: String?

  /// The names, for help.
  static let help = """
    Relations: intersects, contains, within, crosses, touches, overlaps, disjoint, equals, envelope-intersects, and \
    relate:PATTERN with a DE-9IM pattern.
    """

  init(_ relationship: SpatialRelationship) { (self.relationship, pattern) = (relationship, nil) }

  init?(argument: String) {
    if argument.hasPrefix("relate:") {
      (relationship, pattern) = (.relate, String(argument.dropFirst(7)))
      guard (try? SpatialCondition(Point(x: 0, y: 0), .relate, pattern: pattern)) != nil else { return nil }
    } else if let relationship = SpatialRelationship(anyName: argument), relationship != .relate {
      (self.relationship, pattern) = (relationship, nil)
    } else {
      return nil
    }
  }
}

/// `START/END`.
struct TimeOption: ExpressibleByArgument {
  let extent: TimeExtent

  init?(argument: String) {
    guard let extent = TimeExtent(text: argument) else { return nil }
    self.extent = extent
  }
}

/// Names between commas.
struct FieldList: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard !names.contains("") else { return nil }
  }
}

/// `N` or `A..B`.
struct ExpectedCount: ExpressibleByArgument {
  let range: ClosedRange<Int>

  init?(argument: String) {
    if let count = Int(argument), count >= 0 {
      range = count...count
    } else if let dots = argument.firstRange(of: ".."), let low = Int(argument[..<dots.lowerBound]),
      let high = Int(argument[dots.upperBound...]), low >= 0, low <= high
    {
      range = low...high
    } else {
      return nil
    }
  }
}

/// A colour or `none`: `#rgb`, `#rrggbb`, `#rrggbbaa`, `r,g,b[,a]` or a name.
struct BackgroundOption: ExpressibleByArgument {
  let color: Color?

  init?(argument: String) {
    guard argument.lowercased() != "none" else {
      color = nil
      return
    }
    guard let color = Color(text: argument) else { return nil }
    self.color = color
  }
}

/// The format of a table.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv
}

extension FilterMode: ExpressibleByArgument {}

/// A basemap style that has a drawing.
struct BasemapOption: ExpressibleByArgument {
  let basemap: Basemap?

  static let names = Basemap.Style.withDrawing.map(\.rawValue)

  init?(argument: String) {
    let style = Basemap.Style(rawValue: argument)
    guard style.hasDrawing else { return nil }
    basemap = Basemap(style: style)
  }

  static var allValueStrings: [String] { names }
}

extension FilterLanguage: ExpressibleByArgument {}
