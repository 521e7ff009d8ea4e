import ArgumentParser
import MapState

/// The options that say which features a question is about.
struct QuestionOptions: ParsableArguments {
  @Flag(help: "Without the extent.")
  var everywhere = false
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("And-ed to the layer's expression.", valueName: "sql"))
  var whereClause: String?
  @Option(
    name: .customLong("cql2"), parsing: .unconditional,
    help: ArgumentHelp("CQL2, and-ed too: JSON where it begins with {.", valueName: "text|json"))
  var cql2: String?
  @Option(help: "Whether the case of names in --cql2 counts: sensitive (as in the standard) or insensitive.")
  var propertyCase: PropertyCase?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "In this envelope instead of the view's.", valueName: "xmin,ymin,xmax,ymax[,wkid]"))
  var extent: EnvelopeOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Features that lie to a geometry as --relation says.", valueName: "geojson|esri json"))
  var geometry: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("\(RelationOption.list); default intersects.", valueName: "relation"))
  var relation: RelationOption?

  func validate() throws {
    if [everywhere, extent != nil, geometry != nil].filter({ $0 }).count > 1 {
      throw ValidationError("--everywhere, --extent and --geometry each say where to look; give one of them.")
    }
    if propertyCase != nil, cql2 == nil { throw ValidationError("--property-case goes with --cql2.") }
    if relation != nil, geometry == nil { throw ValidationError("--relation goes with --geometry.") }
  }

  /// True when nothing was asked for.
  var isEmpty: Bool {
    !everywhere && whereClause == nil && cql2 == nil && extent == nil && geometry == nil
  }

  /// What is asked; plain data, which has no view of its own, everywhere unless an option says where to look.
  func question(
    map: MapOptions, document: MapDocument, aboutView: Bool = false
  ) throws(MapError) -> FeatureQuestion {
    var question = FeatureQuestion()
    question.everywhere =
      everywhere || (document.isPlainData && !map.hasView && extent == nil && geometry == nil && !aboutView)
    question.extent = extent?.envelope
    if let geometry {
      let asked = relation ?? RelationOption(.intersects)
      do {
        question.geometry = try SpatialCondition(
          QueryGeometry.read(geometry), asked.relationship, pattern: asked.pattern)
      } catch {
        throw MapError(error)
      }
    }
    question.whereClause = whereClause ?? ""
    question.cql2 = cql2 ?? ""
    question.cql2NamesHaveCase = propertyCase != .insensitive
    question.time = map.time?.extent
    return question
  }
}

/// Whether the case of names counts.
enum PropertyCase: String, CaseIterable, ExpressibleByArgument {
  case sensitive, insensitive
}
