public import ArgumentParser
public import MapScript
public import MapState

/// An option value that names its accepted form when a text does not have it.
protocol FormedArgument: ExpressibleByArgument {
  /// Returns the fault of a text that is not a value.
  static func fault(of text: String) -> String
}

extension FormedArgument {
  /// Reads a value from the command line.
  static func read(_ text: String) throws -> Self {
    guard let value = Self(argument: text) else { throw ValidationError(fault(of: text)) }
    return value
  }
}

/// `WxH` in view pixels.
struct ViewSize: FormedArgument {
  let width: Double
  let height: Double

  static func fault(of text: String) -> String { "expected two whole numbers, for example 800x600" }

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
struct ViewpointOption: FormedArgument {
  let viewpoint: Viewpoint

  static func fault(of text: String) -> String {
    NumberList(text, counts: 2...2) == nil
      ? "expected lat,lon,scale[,rotation], for example 50,12,20000000"
      : "the scale is missing; for example 50,12,20000000"
  }

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
struct RelationOption: FormedArgument {
  let relationship: SpatialRelationship
  let pattern: String?

  static func fault(of text: String) -> String {
    text.hasPrefix("relate:")
      ? "expected a DE-9IM pattern of nine characters, for example relate:T********"
      : "expected a relation, for example within; --help lists them"
  }

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
struct TimeOption: FormedArgument {
  let extent: TimeExtent

  static func fault(of text: String) -> String {
    TimeExtent(text: text) == nil
      ? "expected a date, a timestamp or start/end, for example 2012-01-01/2012-12-31"
      : "the start is after the end"
  }

  init?(argument: String) {
    guard let extent = TimeExtent(text: argument), !extent.isReversed else { return nil }
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
struct ExpectedCount: FormedArgument {
  let range: ClosedRange<Int>

  static func fault(of text: String) -> String { "expected a count or a range, for example 5 or 1..10" }

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
struct BackgroundOption: FormedArgument {
  let color: Color?

  static func fault(of text: String) -> String {
    "expected a basic CSS colour name, #rrggbb, r,g,b or none; for example #add8e6"
  }

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
