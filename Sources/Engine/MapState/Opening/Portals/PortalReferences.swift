import MapDocuments
import MapJSON
import MapModel
import MapSystem

/// The layers of a document that name an item of a portal, and not their content.
struct PortalReferences {
  private let catalog: SourceCatalog
  /// The address of the document's own item, at which relative addresses start; nil for a document on this machine.
  private let base: String?
  /// Whether the items of hidden layers are asked for their drawing.
  private let includesHidden: Bool
  /// The reasons for layers that are not drawn, and the warnings about others.
  private(set) var answers = ItemAnswers()

  /// The layers of the items that were asked.
  private var known: [PortalItemAddress: [JSONObject]] = [:]
  /// The settings of the layers of the items that were asked for them.
  private var settings: [PortalItemAddress: [Int: JSONObject]] = [:]

  /// The number of layers in groups so far, since items in groups may name each other many times.
  private var memberCount = 0

  /// The greatest number of items that a document may name, since items may name others.
  private static let most = 1000
  /// The greatest number of items around a layer.
  private static let deepest = 20
  /// The layers whose drawing an item may have.
  private static let featureLayers: Set<String?> = [nil, "ArcGISFeatureLayer"]

  /// - Parameter folder: the folder or address at which relative paths of the document start.
  init(_ catalog: SourceCatalog, folder: String, _ choice: LayerChoice) {
    self.catalog = catalog
    base = SourceAddress.scheme(of: folder) == nil ? nil : folder
    includesHidden = choice.mayReadHidden
  }

  /// Returns a web map whose layers have the addresses, features and settings of their items.
  mutating func resolved(_ map: JSONValue) async -> JSONValue {
    guard var object = map.object else { return map }
    for name in ["operationalLayers", "tables"] {
      if let list = object[name]?.array {
        object[name] = .array(await layers(list, JSONPath.root[name], []))
      }
    }
    if var basemap = object["baseMap"]?.object, let list = basemap["baseMapLayers"]?.array {
      let path = JSONPath.root["baseMap"]["baseMapLayers"]
      basemap["baseMapLayers"] = .array(await layers(list, path, []))
      object["baseMap"] = .object(basemap)
    }
    return .object(object)
  }

  private mutating func layers(
    _ list: [JSONValue], _ path: JSONPath, _ items: [String]
  ) async -> [JSONValue] {
    var layers = list
    for index in layers.indices { layers[index] = await layer(layers[index], path[index], items) }
    return layers
  }

  /// Returns a layer with the content of its item.
  ///
  /// - Parameter items: the items around the layer.
  private mutating func layer(_ value: JSONValue, _ path: JSONPath, _ items: [String]) async -> JSONValue {
    guard var object = value.object else { return value }
    if let base {
      for name in ["url", "styleUrl", "templateUrl"] {
        guard let address = object[name]?.string, !address.isEmpty, SourceAddress.scheme(of: address) == nil,
          let whole = try? StylePlace.resolved(address, at: base)
        else { continue }
        object[name] = .string(whole)
      }
    }
    var items = items
    if let text = object["itemId"]?.string, let item = PortalItemAddress(text, in: catalog.services.portal) {
      let id = item.id
      do throws(MapStateError) {
        if lacksContent(object) {
          guard !items.contains(id), items.count < Self.deepest else {
            throw MapStateError(
              .input,
              "\(item.url): "
                + (items.contains(id)
                  ? "the item contains itself" : "lies in more than \(Self.deepest) items"))
          }
          try await fill(&object, from: item)
        } else if lacksDrawing(object) {
          await addDrawing(to: &object, of: item, path)
        }
        items.append(id)
      } catch { answers.faults[path] = error.description }
    }
    if Self.type(object) == "GroupLayer", let list = object["layers"]?.array {
      memberCount += list.count
      guard memberCount <= WebMap.largestLayerCount else {
        answers.faults[path] = "the groups of items have more than \(WebMap.largestLayerCount) layers"
        object["layers"] = .array([])
        return .object(object)
      }
      object["layers"] = .array(await layers(list, path["layers"], items))
    }
    return .object(object)
  }

  private static func type(_ object: JSONObject) -> String? {
    [object["layerType"], object["type"]].lazy.compactMap { $0?.string }.first
  }

  private func isAbsent(_ name: String, _ object: JSONObject) -> Bool {
    object[name].map { $0.isNull || $0.string?.isEmpty == true } ?? true
  }

  /// Whether a layer has its content only in its item.
  private func lacksContent(_ object: JSONObject) -> Bool {
    let type = Self.type(object)
    if type == "GroupLayer" { return isAbsent("layers", object) }
    guard type != "OpenStreetMap", type?.hasPrefix("BingMaps") != true else { return false }
    return ["url", "styleUrl", "templateUrl", "featureCollection"].allSatisfy { isAbsent($0, object) }
  }

  /// Whether the drawing of a layer of features is that of its item, or else of its service.
  private func lacksDrawing(_ object: JSONObject) -> Bool {
    guard catalog.services.asksPortals, Self.featureLayers.contains(Self.type(object)),
      let url = object["url"]?.string, SourceAddress.sublayer(url).number != nil,
      includesHidden || object["visibility"]?.boolean != false,
      object["layerDefinition"]?["drawingInfo"] == nil
    else { return false }
    return ((try? catalog.standIn(for: url)) ?? nil) == nil
  }

  /// Refuses to ask about another item of a document that names very many.
  private func checkCount() throws(MapStateError) {
    guard known.count + settings.count >= Self.most else { return }
    throw MapStateError(.input, "the document names more than \(Self.most) items of portals")
  }

  /// Adds the settings of a layer that its item has.
  private mutating func addDrawing(
    to object: inout JSONObject, of item: PortalItemAddress, _ path: JSONPath
  ) async {
    do throws(MapStateError) {
      guard try catalog.standIn(for: item.url) == nil else { return }
      let number = object["url"]?.string.flatMap { SourceAddress.sublayer($0).number }
      guard let number else { return }
      if settings[item] == nil {
        try checkCount()
        settings[item] = try await catalog.services.settings(of: item)
      }
      if let own = settings[item]?[number] { object.fill(from: own) }
    } catch {
      answers.warnings.append(
        DocumentWarning(
          path: path["itemId"], message: "approximated: drawn as its service describes it: \(error)",
          outcome: .approximated))
    }
  }

  /// Fills a layer with the content of its item, or of the item's stand-in.
  private mutating func fill(
    _ object: inout JSONObject, from item: PortalItemAddress
  ) async throws(MapStateError) {
    let type = Self.type(object)
    switch try catalog.standIn(for: item.url) {
    case .file(let path)?:
      // The style, the tiles or the table is opened with the layer.
      guard type == "Feature Collection" || type == "GroupLayer" || type == nil else { break }
      guard let bytes = try? FileAccess.read(path),
        let json = try? JSONValue(parsing: bytes, limits: WebMap.limits),
        json["layers"]?.array != nil
      else { break }
      if type == "GroupLayer" {
        object.fill(from: json.object ?? [:])
      } else {
        object["featureCollection"] = json
      }
      return
    case .service?, .source?: break
    case nil:
      if type == "VectorTileLayer" {
        // The layer asks for the style of its item itself, and reports its absence.
        if catalog.services.portal != nil { object["styleUrl"] = .string(item.style) }
        return
      }
      if known[item] == nil {
        try checkCount()
        known[item] = try await catalog.layers(of: catalog.services.item(item))
      }
      // The first layer of a service is at the top.
      if let layer = known[item]?.last { object.fill(from: layer) }
      if type == "GroupLayer", object["layers"]?.array == nil {
        throw MapStateError(.input, "\(item.url): the item is not a group of layers")
      }
      return
    }
    guard type != "VectorTileLayer" else { return }
    object["url"] = .string(item.url)
    if type == nil || type == "Feature Collection" { object["layerType"] = "ArcGISFeatureLayer" }
  }
}
