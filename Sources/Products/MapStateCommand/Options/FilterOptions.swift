import ArgumentParser
import MapScript
import MapState

/// The options that change the filters of layers.
package struct FilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Filters to apply; \"document\": all.", valueName: "mode"))
  var filters: FilterMode = .document
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
