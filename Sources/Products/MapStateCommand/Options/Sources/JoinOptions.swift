import ArgumentParser
import MapState

/// The options that add the columns of tables to layers.
struct JoinOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Add the columns of a table to a layer, by equal keys; repeatable.",
      valueName: "[layer: ]file:key[=field]"),
    transform: { LayerJoin($0) })
  var join: [LayerJoin] = []
  @Flag(help: "Take the first of several rows of a table with one key; default: an error.")
  var joinFirst = false

  func validate() throws {
    if joinFirst, join.isEmpty { throw ValidationError("--join-first needs --join.") }
  }

  /// The options as a value.
  var joins: TableJoins {
    var joins = TableJoins()
    (joins.joins, joins.takesFirst) = (join, joinFirst)
    return joins
  }
}
