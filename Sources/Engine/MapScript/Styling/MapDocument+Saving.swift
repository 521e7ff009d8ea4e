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
  /// The document contains the view's viewpoint and time and the filters of the layers. The path of the data is relative
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
    saved.basemap = map.basemap
    let frozen = view.freeze()
    let data = dataPath(savedAt: path)
    for (index, layer) in layers.map(\.layer).enumerated() where saved.layers.indices.contains(index) {
      // Options may have changed the layers, so their current values are saved.
      saved.layers[index].definition.$definitionExpression = layer.definitionFilter
      saved.layers[index].displayFilter = layer.displayFilterDefinition?.form
      saved.layers[index].isVisible = layer.isVisible
      let hasDefaults = saved.layers[index].darkRenderer != nil
      saved.layers[index].definition = saved.layers[index].definition.colored(on: frozen.groundColor)
      if hasDefaults, let renderer = saved.layers[index].renderer {
        saved.layers[index].renderer = renderer.differing(from: frozen.groundColors)
      }
      if let data, case .url(let url) = saved.layers[index].content {
        // The name of a table or kind of geometries follows that of the file.
        let name = FilePath.name(of: self.path)
        saved.layers[index].content = .url(data + (url.hasPrefix(name) ? url.dropFirst(name.count) : ""))
      }
    }
    return saved.json
  }

  /// The path of the data in a document that is saved at a path: relative if the data are below its folder, else absolute.
  ///
  /// A document may read files below its folder. Data elsewhere need `--allow-path` and an absolute path.
  private func dataPath(savedAt path: String) -> String? {
    guard let folder = FileAccess.realPath(FilePath.folder(of: path)),
      let data = FileAccess.realPath(self.path)
    else { return nil }
    let prefix = folder == "/" ? folder : folder + "/"
    return data.hasPrefix(prefix) ? String(data.dropFirst(prefix.count)) : data
  }
}
