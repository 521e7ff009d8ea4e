import ArgumentParser
import MapScript
package import MapState

/// The options that change the filters of layers.
package struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Filters to apply; \"document\": both; \"all\": count --funnel in each mode.", valueName: "mode"))
  var filters: FilterChoice = .document
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Definition expression in SQL, instead of the document's; repeatable.",
      valueName: "[layer: ]sql"),
    transform: { LayerClause($0) })
  var definition: [LayerClause] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Display filter in SQL, instead of the document's; repeatable.", valueName: "[layer: ]sql"),
    transform: { LayerClause($0) })
  var displayFilter: [LayerClause] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time extent of dates or timestamps as in filters, months or years; .. leaves an end open.",
      valueName: "start/end"),
    transform: { try TimeExtent(text: $0) })
  var time: TimeExtent?
  @OptionGroup var clock: ClockOptions

  package init() {}
}

/// The filters of a document that apply, or each mode for a funnel.
enum FilterChoice: String, CaseIterable, ExpressibleByArgument {
  case document, none, definition, display, all

  /// The mode of one view.
  var mode: FilterMode { FilterMode(rawValue: rawValue) ?? .document }
  /// The modes that a funnel compares.
  static let compared: [FilterMode] = [.none, .definition, .display]
}

/// The conditions of commands that draw, which have no question.
package struct ConditionOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "SQL condition, added by AND to the definition expression; repeatable.", valueName: "[layer: ]sql"),
    transform: { LayerClause($0) })
  var clauses: [LayerClause] = []

  /// The conditions, each as SQL or `NAME: SQL`.
  package var conditions: [LayerClause] { clauses }

  package init() {}

  package func validate() throws {
    // A shell variable without a value would otherwise draw every feature.
    guard !clauses.contains(where: { $0.text.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("--where is empty; give a condition, or leave the option out")
    }
  }

  /// The names of the fields in the conditions.
  var fieldNames: [String] { clauses.flatMap(\.readings).flatMap(\.fieldNames) }
}
