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
    parsing: .unconditional,
    help: ArgumentHelp(
      "In this envelope instead of the view's.", valueName: "xmin,ymin,xmax,ymax[,wkid]"))
  var extent: EnvelopeOption?

  func validate() throws {
    if everywhere, extent != nil {
      throw ValidationError("--everywhere and --extent each say where to look; give one of them.")
    }
  }

  /// True when nothing was asked for.
  var isEmpty: Bool { !everywhere && whereClause == nil && extent == nil }

  /// What is asked; plain data, which has no view of its own, everywhere unless an option says where to look.
  func question(map: MapOptions, document: MapDocument, aboutView: Bool = false) -> FeatureQuestion {
    var question = FeatureQuestion()
    question.everywhere = everywhere || (document.isPlainData && !map.hasView && extent == nil && !aboutView)
    question.extent = extent?.envelope
    question.whereClause = whereClause ?? ""
    question.time = map.time?.extent
    return question
  }
}
