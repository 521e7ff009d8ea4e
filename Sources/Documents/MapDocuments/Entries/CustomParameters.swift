import MapJSON
import MapModel
import MapReaders

/// The parameters that a layer adds to the requests to its service.
///
/// - Source: Esri web map specification, `customParameters`: an object of names and values.
enum CustomParameters {
  /// Returns the parameters in a value, in the order of their names; others than text, numbers and booleans are left out.
  static func list(_ value: JSONValue?) -> [ServiceParameter] {
    let members = value?.object?.members ?? []
    return members.compactMap { member -> ServiceParameter? in
      // The sublayers that it describes are read.
      guard member.name != "dynamicLayers", !member.name.isEmpty else { return nil }
      return text(member.value).map { ServiceParameter(name: member.name, value: $0) }
    }.sorted { $0.name < $1.name }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    case .boolean(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// Reads the parameters of a layer, also those of a Web Feature Service; warns about values that are not sent.
  static func read(_ node: JSONNode, _ report: inout DocumentReport) -> [ServiceParameter] {
    var found: [ServiceParameter] = []
    for node in [node["customParameters"], node["wfsInfo"]?["customParameters"]].compactMap({ $0 }) {
      let more = list(node.value)
      for member in node.value.object?.members ?? []
      where member.name != "dynamicLayers" && !member.value.isNull
        && !more.contains(where: { $0.name == member.name })
      {
        report.note(node.path[member.name], "not sent to the service: is not text, a number or a boolean")
      }
      found += more.filter { parameter in
        !found.contains { $0.name.lowercased() == parameter.name.lowercased() }
      }
    }
    return found
  }
}
