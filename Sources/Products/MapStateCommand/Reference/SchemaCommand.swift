import ArgumentParser
import MapDocuments
import MapState
import MapSystem

/// Prints the JSON Schema of web maps.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of web maps.",
    usage: "mapstate schema [-o <file>]",
    discussion: """
      The schema lists the members of web maps. Each has a description: whether it is read, has no effect on the image, \
      or is not drawn. Editors use the schema to complete names and values. A document names it as "$schema".

      A document that the schema accepts is read without an error about the kind of a value. mapstate inspect also \
      reports unknown members.

      EXAMPLES:
        mapstate schema -o web-map.schema.json
      """)

  @OptionGroup(title: HelpGroup.output) var output: SchemaOutput

  func run() throws {
    let bytes = Array((DocumentSchema.json.text(style: .pretty) + "\n").utf8)
    guard let path = output.file, path != "-" else { return try StandardOutput.write(bytes) }
    do { try FileAccess.write(bytes, to: path) } catch { throw MapStateError(error) }
  }
}

/// The file of the schema.
struct SchemaOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("File to write; - is standard output.", valueName: "file"), completion: .file())
  var file: String?
}
