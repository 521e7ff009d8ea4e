import MapScript

/// The names of options in messages of the library, as a request writes them.
enum ParameterSpelling {
  /// The parameters by the options that have the same meaning.
  private static let names: [String: String] = {
    let reading = [
      "sourceReference", "x", "y", "encoding", "delimiter", "decimal", "skipBadRows", "join", "tiles",
      "joinFirst", "tileZoom", "missingTiles", "font", "painter", "basemapLanguage",
    ]
    let shared =
      (ViewRequest.names + QuestionRequest.names + LayoutRequest.names + StyleRequest.names
      + DrawingRequest.names).filter { !reading.contains($0) }
    let own = [
      "byClass", "statistic", "groupBy", "orderBy", "having", "top", "bins", "outFields", "offset",
      "maxFeatures",
      "noGeometry", "outWkid", "maxOffset", "by", "byField", "byTime", "mute", "svgText", "svgIds", "dpi",
      "id",
    ]
    var names: [String: String] = [:]
    for name in shared + own {
      names["--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()] = name
    }
    return names
  }()

  /// Returns a message in which known options are replaced with their parameters.
  static func text(_ message: String) -> String {
    guard message.contains("--") else { return message }
    // The parameter has its value after an equals sign.
    var rest = message.replacing("with --layer;", with: "with layer=NAME;")[...]
    var text = ""
    while let start = rest.firstRange(of: "--") {
      let option = "--" + rest[start.upperBound...].prefix { $0.isLetter && $0.isLowercase || $0 == "-" }
      let isWord = rest[..<start.lowerBound].last.map { !$0.isLetter && !$0.isNumber && $0 != "-" } ?? true
      text += rest[..<start.lowerBound] + (isWord ? names[option] ?? option : option)
      rest = rest[rest.index(start.lowerBound, offsetBy: option.count)...]
    }
    return text + rest
  }
}
