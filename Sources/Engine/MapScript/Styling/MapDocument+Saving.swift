import MapDocuments
public import MapJSON
import MapModel
public import MapState
import MapSystem

extension MapDocument {
  /// Returns a warning if the saved document needs permission to read data outside its folder; otherwise nil.
  package func folderWarning(savedAt path: String) -> String? {
    guard let folder = FileAccess.realPath(FilePath.folder(of: path)),
      let data = FileAccess.realPath(self.path),
      !data.hasPrefix(folder == "/" ? folder : folder + "/")
    else { return nil }
    return "\(path): the data are outside its folder; open it with --allow-path \(FilePath.folder(of: data))"
  }

  /// Returns the document as JSON, to be saved at a path.
  ///
  /// The document contains the view's viewpoint and time and the layer's filters. The path of the data is relative
  /// to the document's folder if the data are below it, else absolute.
  /// - Throws: `MapStateError` of kind usage if the source is already a document.
  public func documentJSON(view: MapView, savedAt path: String) throws(MapStateError) -> JSONValue {
    guard isPlainData else {
      throw MapStateError(.usage, "--save-document needs plain data; this is already a document")
    }
    guard self.path != "-" else {
      throw MapStateError(.usage, "--save-document needs data from a file, not from standard input")
    }
    var saved = webMap
    let place = view.viewpoint
    saved.viewpoint = Viewpoint(center: place.center, scale: place.scale, rotation: place.rotation)
    saved.background = map.backgroundColor
    saved.timeExtent = view.timeExtent
    // Options may have changed the layer, so its current values are saved.
    let layer = layers[0].layer
    saved.layers[0].definition.$definitionExpression = layer.definitionFilter
    saved.layers[0].displayFilter = layer.displayFilterDefinition?.form
    saved.layers[0].isVisible = layer.isVisible
    saved.basemap = map.basemap
    saved.layers[0].definition = saved.layers[0].definition.colored(on: view.freeze().groundColor)
    if let folder = FileAccess.realPath(FilePath.folder(of: path)), let data = FileAccess.realPath(self.path)
    {
      let prefix = folder == "/" ? folder : folder + "/"
      // A document may read files below its folder. Data elsewhere need --allow-path and an absolute path.
      saved.layers[0].content = .url(data.hasPrefix(prefix) ? String(data.dropFirst(prefix.count)) : data)
    }
    return saved.json
  }
}
