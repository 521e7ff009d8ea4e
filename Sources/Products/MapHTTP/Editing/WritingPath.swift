/// A path below a map that writes a file.
enum WritingPath: String, CaseIterable, Sendable {
  case save
  case snapshotCase = "case"

  /// Finds the path of a request; nil for another one.
  init?(_ request: HTTPRequest) {
    guard request.path.count == 3, request.path[0] == "maps" else { return nil }
    self.init(rawValue: request.path[2])
  }

  var parameters: [RequestParameter] {
    switch self {
    case .save: RequestParameter.save
    case .snapshotCase: RequestParameter.snapshotCase
    }
  }

  var summary: String {
    switch self {
    case .save: "Saves the document with the changes."
    case .snapshotCase: "Makes a snapshot case of the view."
    }
  }
}
