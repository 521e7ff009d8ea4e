import ArgumentParser
import MapState

/// Refuses an option of one value that is given twice; the parser would take the last value.
package enum RepeatedOptions {
  /// The other names of options that have two.
  package static let synonyms = [
    "-o": "--output", "--extent": "--bounds", "--legend-title": "--title", "--legend-columns": "--columns",
  ]

  /// - Parameter arguments: the command line without the name of the tool.
  /// - Cost: reads the options of the subcommand, which takes 5 ms, only when a word that looks like an option repeats.
  static func check(_ arguments: some Sequence<String>) throws(MapStateError) {
    var words = Array(arguments.prefix { $0 != "--" })
    var looked: Set<String> = []
    let isRepeated = words.filter { $0.hasPrefix("-") }.contains { word in
      let name = String(word.prefix { $0 != "=" })
      return !looked.insert(synonyms[name] ?? name).inserted
    }
    guard isRepeated else { return }
    var command: any ParsableCommand.Type = MapStateCommand.self
    while let name = words.first,
      let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
    {
      command = next
      words.removeFirst()
    }
    guard command != MapStateCommand.self, let info = try? CommandInfo(command) else { return }
    var given: [String: String] = [:]
    var index = words.startIndex
    while index < words.endIndex {
      let word = words[index]
      index += 1
      let name = String(word.prefix { $0 != "=" })
      guard let option = info.options.first(where: { $0.kind == .option && $0.names.contains(name) }) else {
        continue
      }
      // The value is the next word, even one that looks like an option.
      if !word.contains("=") { index += 1 }
      guard !option.isRepeating else { continue }
      if let first = given.updateValue(name, forKey: option.key) {
        throw MapStateError(
          .usage,
          first == name
            ? "\(name) is given twice; give it once"
            : "\(first) and \(name) are the same option; give one of them")
      }
    }
  }
}
