import MapJSON
import MapScript

/// A further reference that a case accepts, in a folder of the case's folder.
struct OtherReference: Hashable, Sendable {
  /// The name of the folder.
  let name: String
  /// The platform whose images it has.
  let platform: String
  /// The reason for it.
  let reason: String

  /// Reads a further reference of a case.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown(["folder", "platform", "reason"])
    name = try node.required("folder").string()
    platform = try node.required("platform").string()
    reason = try node.required("reason").string()
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw node.invalid("the folder of a reference must be in the case's folder")
    }
    guard !platform.isEmpty, !reason.isEmpty else {
      throw node.invalid("a further reference needs a \"platform\" and a \"reason\"")
    }
  }
}
