import ArgumentParser

/// The options that select, hide and show layers.
package struct LayerSelection: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Layer to filter or query, by title, id or index from 0.", valueName: "name"))
  var layer: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Leave out all other layers; LAYER#PATTERN for layers of a style, PATTERN for a style alone; repeatable.",
      valueName: "name"))
  var only: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Hide this layer; LAYER#PATTERN for layers of a style, PATTERN for a style alone; repeatable.",
      valueName: "name"))
  var hide: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Show this layer even if the document hides it; repeatable.", valueName: "name"))
  var show: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Layer of vector tiles whose features have ids in SVG and in records of snapshots; repeatable.",
      valueName: "name"))
  var idsOf: [String] = []

  package init() {}
}

/// The option of commands that can do without a layer.
struct UnavailableLayers: ParsableArguments {
  @Flag(
    name: .customLong("skip-unavailable"),
    help: "Skip layers that cannot be read, with a warning; default: stop with an error.")
  var areSkipped = false
}
