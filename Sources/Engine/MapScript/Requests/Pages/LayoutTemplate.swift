package import MapJSON
package import MapState
import MapSystem

/// Templates of pages: JSON files with the fields of a layout, which options, steps and snapshot cases name.
extension LayoutRequest {
  /// Reads a template.
  ///
  /// - Parameters:
  ///   - path: the path of a JSON file with one object of layout fields.
  ///   - folders: the folders in which a relative path is looked for, the first one that has it.
  /// - Throws: `MapStateError` of kind input that names the file.
  package init(template path: String, in folders: [String] = ["."]) throws(MapStateError) {
    let found = folders.lazy.map { FilePath.join($0, path) }.first { FileAccess.exists($0) } ?? path
    do {
      let node = JSONNode(try JSONValue(parsing: FileAccess.read(found)))
      try node.refuseUnknown(Self.names)
      try self.init(node)
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error); a template has fields of a layout, such as \"title\"")
    }
  }

  /// Reads a request from the members of an object, over those of the template that its member `template` names.
  ///
  /// - Throws: `MapStateError`.
  package init(_ node: JSONNode, in folders: [String]) throws(MapStateError) {
    self.init()
    if let template = try MapStateError.reading({ try node.string("template") }) {
      self = try LayoutRequest(template: template, in: folders)
    }
    try read(node)
  }

  /// Returns the request with the values of another one where it has none.
  package func filled(from other: LayoutRequest) -> LayoutRequest {
    var request = self
    request.title = title ?? other.title
    request.subtitle = subtitle ?? other.subtitle
    request.legend = legend ?? other.legend
    request.legendTitle = legendTitle ?? other.legendTitle
    request.legendInView = legendInView || other.legendInView
    request.legendCounts = legendCounts || other.legendCounts
    request.legendBars = legendBars || other.legendBars
    request.legendCharts = legendCharts || other.legendCharts
    request.legendColumns = legendColumns ?? other.legendColumns
    request.scaleBar = scaleBar ?? other.scaleBar
    request.locator = locator || other.locator
    request.northArrow = northArrow || other.northArrow
    request.insets = insets.isEmpty ? other.insets : insets
    request.attribution = attribution ?? other.attribution
    request.attributionText = attributionText ?? other.attributionText
    request.frame = frame || other.frame
    request.margin = margin ?? other.margin
    return request
  }
}
