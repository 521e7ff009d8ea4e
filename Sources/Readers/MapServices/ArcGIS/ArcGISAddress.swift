/// The address of a layer or of a service.
struct ArcGISAddress {
  /// The address without query and fragment.
  let url: String
  /// The layer's number; nil for a service.
  let layer: Int?

  /// Parses an address.
  ///
  /// - Throws: ``ServiceError`` for an address of neither a layer nor a service.
  init(_ text: String) throws(ServiceError) {
    var url = String(text.prefix { $0 != "?" && $0 != "#" })
    while url.hasSuffix("/") { url.removeLast() }
    let parts = url.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
    func isService(_ part: Substring?) -> Bool {
      ["featureserver", "mapserver"].contains(part?.lowercased())
    }
    self.url = url
    if isService(parts.last) {
      layer = nil
    } else if isService(parts.first), let last = parts.last, let number = Int(last), number >= 0 {
      layer = number
    } else {
      throw ServiceError(
        "not the address of an ArcGIS layer, which ends with FeatureServer or MapServer and a number",
        at: text)
    }
  }
}
