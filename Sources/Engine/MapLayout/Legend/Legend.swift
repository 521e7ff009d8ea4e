import MapDrawing
public import MapGeometry
public import MapModel
import MapSystem

/// The symbols of a map's layers with their labels, in the order of a legend: the top layer first.
public struct Legend: Hashable, Sendable {
  /// The title, which replaces the title and the field names of the only layer; empty for none.
  public var title = ""
  /// The layers that have an entry.
  public var layers: [LegendLayer]
  /// The symbols and properties that the legend does not show.
  public var warnings: [String]
  /// The fonts of the map, for letters that the bundled fonts lack.
  package var fonts: [FontFile] = []

  /// Creates a legend.
  public init(layers: [LegendLayer] = [], warnings: [String] = []) {
    (self.layers, self.warnings) = (layers, warnings)
  }

  /// Whether there is nothing to show.
  public var isEmpty: Bool { layers.allSatisfy(\.entries.isEmpty) }
  /// The number of entries of all layers without headings.
  var entryCount: Int { layers.reduce(0) { $0 + $1.entries.count { $0.graphic != .heading } } }
}

/// The entries of one layer.
public struct LegendLayer: Hashable, Sendable {
  /// The name of the layer; empty for none.
  public var title: String
  /// The field that selects the class or sets the colour or size; empty for none.
  public var subtitle: String
  /// The titles of the groups around the layer, the outermost first.
  public var groups: [String] = []
  /// The entries from top to bottom.
  public var entries: [LegendEntry]
  /// The opacity of the layer, 0 to 1.
  public var opacity: Double
  /// Whether the title is drawn.
  public var showsTitle = true
  /// Whether the classes of areas are adjacent ranges, whose swatches touch.
  public var isSequence = false

  /// Creates the entries of a layer.
  public init(title: String, subtitle: String = "", entries: [LegendEntry], opacity: Double = 1) {
    (self.title, self.subtitle, self.entries, self.opacity) = (title, subtitle, entries, opacity)
  }
}

/// A symbol or colour ramp with its label.
public struct LegendEntry: Hashable, Sendable {
  /// The graphic of an entry.
  public enum Graphic: Hashable, Sendable {
    /// A symbol, drawn at a point, along a short line, or in a rectangle.
    case symbol(SymbolForm, GeometryKind)
    /// A ramp of colours with labels at some values; ascending by value.
    case ramp([RampStop])
    /// A part of an area with dots, as dense as on the map.
    case dots(DotSample)
    /// A text that heads the entries after it.
    case heading
    /// The classes of two fields, crossed.
    case square(ClassSquare)
    /// The distribution of the numbers of a layer, with its classes.
    case chart(ClassChart)
  }

  /// A colour of a ramp.
  public struct RampStop: Hashable, Sendable {
    /// The position along the ramp, 0 to 1.
    public let place: Double
    /// The colour.
    public let color: Color
    /// The label; empty for none.
    public let label: String

    /// Creates a stop.
    public init(place: Double, color: Color, label: String) {
      (self.place, self.color, self.label) = (place, color, label)
    }
  }

  /// A rectangle with the dots of a dot density.
  public struct DotSample: Hashable, Sendable {
    /// The symbol of a dot.
    public let dot: SymbolForm
    /// The fill of the areas below the dots.
    public let area: SymbolForm
    /// The number of dots per square view pixel.
    public let density: Double

    /// The size in a legend with text of normal size, in view pixels.
    ///
    /// - Source: design decision; large enough to see how dense the dots are.
    package static let size = (width: 40.0, height: 24.0)

    /// Creates a sample.
    public init(dot: SymbolForm, area: SymbolForm, density: Double) {
      (self.dot, self.area, self.density) = (dot, area, density)
    }

    /// Returns the positions of the dots of a rectangle, at least one and at most ``mostDots``.
    package func points(width: Double, height: Double) -> [(x: Double, y: Double)] {
      let wanted = Int(clamping: (density * width * height).rounded())
      let inset = min(1.5, width / 4, height / 4)
      var random = SplitMix64(seed: 1)
      let (right, down) = (width - 2 * inset, height - 2 * inset)
      return (0..<min(max(wanted, 1), Self.mostDots)).map { _ -> (x: Double, y: Double) in
        let (x, y) = (random.fraction() * right, random.fraction() * down)
        return (inset + x, inset + y)
      }
    }

    /// The largest number of dots; more cover the rectangle.
    private static let mostDots = 2_000
  }

  /// The graphic.
  public var graphic: Graphic
  /// The label; empty for none.
  public var label: String
  /// The class of the renderer; -1 for the default symbol, nil for an entry that stands for no class.
  public var classIndex: Int?
  /// The number of drawn features of the class; nil if it was not requested.
  public var count: Int?
  /// Whether the symbol is one of several sizes, which are drawn in each other if they are circles.
  public var isSize = false

  /// Creates an entry.
  public init(_ graphic: Graphic, label: String, classIndex: Int? = nil, count: Int? = nil) {
    (self.graphic, self.label, self.classIndex, self.count) = (graphic, label, classIndex, count)
  }
}
