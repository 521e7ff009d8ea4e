import MapJSON

/// The members of a KML layer that choose what is shown of its file.
///
/// The file is divided into layers when it is opened, because its folders are not known before.
package struct KMLEntry: Hashable, Sendable {
  /// The numbers of the folders that are shown; empty if the file decides.
  package let visibleFolders: Set<Int>
  /// The opacity of the layer, without that of the groups around it.
  package let opacity: Double

  /// Reads the members.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    visibleFolders = Set(
      try node.elements("visibleFolders").map { number throws(JSONDecodingError) in try number.integer() })
    opacity = try node.double("opacity") ?? 1
  }
}
