public import ArgumentParser
public import MapScript
public import MapState

/// A decimal number, finite.
struct NumberOption: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = DecimalNumbers.read(argument, counts: 1...1)?.first else { return nil }
    self.value = value
  }
}

/// The relations of a query geometry to a feature.
enum RelationHelp {
  static let text = """
    Relations: intersects, contains, within, crosses, touches, overlaps, disjoint, equals, envelope-intersects, and \
    relate:PATTERN with a DE-9IM pattern.
    """
}

/// Names between commas; a name in double quotes may contain a comma.
struct FieldList: ExpressibleByArgument {
  /// The parts as written, with quotes.
  let texts: [String]

  /// The parts without quotes.
  var names: [String] { texts.map(QuotedNames.unquoted) }

  init?(argument: String) {
    texts = QuotedNames.split(argument, at: ",")
    guard !texts.contains("") else { return nil }
  }
}

/// A colour or `none`: `#rgb`, `#rrggbb`, `#rrggbbaa`, `r,g,b[,a]` or a name.
struct BackgroundOption {
  let color: Color?

  init(text: String) throws {
    guard text.lowercased() != "none" else {
      color = nil
      return
    }
    guard let color = Color(text: text) else {
      throw ValidationError(
        "expected a CSS colour name, #rrggbb, r,g,b or none; for example #add8e6")
    }
    self.color = color
  }
}

/// The format of a table.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv, ndjson, markdown
}

extension PropertyCase: ExpressibleByArgument {}

extension PageLayout.LegendPosition: ExpressibleByArgument {}

extension PageLayout.ScaleBarUnits: ExpressibleByArgument {}

extension BasemapChoice: ExpressibleByArgument {
  /// Reads the word of an option.
  public init?(argument: String) {
    do { try self.init(text: argument) } catch {
      // Other words are titles only where a portal is named.
      guard CommandWords.all.contains(where: { $0 == "--portal" || $0.hasPrefix("--portal=") }) else {
        return nil
      }
      self = .gallery(argument)
    }
  }

  /// The names that help and messages list.
  public static var allValueStrings: [String] { names }
}

extension ImageMedium: ExpressibleByArgument {}

extension FilterLanguage: ExpressibleByArgument {}

extension MissingTiles: ExpressibleByArgument {}
