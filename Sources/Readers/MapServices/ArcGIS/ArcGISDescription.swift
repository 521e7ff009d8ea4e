import MapFeatures
import MapGeometry
import MapJSON
import MapReaders

/// The description of a layer by its service.
struct ArcGISDescription: Sendable {
  /// The conversion of features into columns.
  let form: EsriLayerForm
  /// The object id field; nil if there is none.
  let idField: String?
  let metadata: SourceMetadata
  let abilities: ArcGISAbilities
  /// The extent in the spatial reference of `form`; nil if unknown.
  let extent: Envelope?
  /// Notices about losses in the description.
  let notices: [String]

  init(_ node: JSONNode) throws(JSONDecodingError) {
    try Self.checkKind(node)
    let (extent, box) = (try Self.extent(node), node["extent"])
    var reference: SpatialReference?
    var notices: [String] = []
    // The spatial reference of the stored data comes first, so that coordinates arrive unchanged.
    for name in ["sourceSpatialReference", "spatialReference"] where reference == nil {
      if let place = node[name] { reference = try Self.reference(place) }
    }
    reference = reference ?? extent?.spatialReference
    if reference == nil, node["geometryType"] != nil {
      reference = .wgs84
      if box != nil {
        notices.append("its spatial reference has no WKID: coordinates are requested in WGS 84")
      }
    }
    form = try EsriLayerForm(
      fields: node["fields"], geometryType: node["geometryType"], reference: reference)
    let schema = form.schema
    idField = schema.fields.first { $0.fieldType == .oid }?.name
    metadata = try Self.metadata(node, schema)
    abilities = try ArcGISAbilities(node)
    self.extent = extent.flatMap { extent in
      extent.spatialReference == reference ? extent : reference.flatMap { extent.projected(to: $0) }
    }
    let (hasZ, hasM) = (try node.boolean("hasZ") ?? false, try node.boolean("hasM") ?? false)
    if hasZ || hasM {
      notices.append("Z and M values are left out")
    }
    self.notices = notices + form.warnings + abilities.notices
  }

  private static func reference(_ node: JSONNode) throws(JSONDecodingError) -> SpatialReference? {
    let (latest, first) = (try node.integer("latestWkid"), try node.integer("wkid"))
    return (latest ?? first).map { SpatialReference(wkid: $0) }
  }

  /// Refuses a layer without queryable features.
  private static func checkKind(_ node: JSONNode) throws(JSONDecodingError) {
    if let type = try node.string("type"), !["Feature Layer", "Table"].contains(type) {
      throw node.invalid("a \(type) has no features of its own")
    }
    if let list = try node.string("capabilities"), !list.isEmpty {
      let words = list.split(separator: ",").map { $0.trimming { $0 == " " }.lowercased() }
      guard words.contains("query") || words.contains("data") else {
        throw node.invalid("it does not allow queries: its capabilities are \(list)")
      }
    }
    _ = try node.required("fields").elements()
  }

  private static func extent(_ node: JSONNode) throws(JSONDecodingError) -> Envelope? {
    guard let box = node["extent"] else { return nil }
    // A spatial reference given only as text counts as missing.
    let hasNumber = box["spatialReference"]?["latestWkid"] != nil || box["spatialReference"]?["wkid"] != nil
    guard hasNumber, let extent = try EsriGeometryJSON.envelope(box), !extent.isEmpty else { return nil }
    return extent
  }

  private static func metadata(
    _ node: JSONNode, _ schema: FeatureSchema
  ) throws(JSONDecodingError) -> SourceMetadata {
    var metadata = SourceMetadata()
    metadata.name = try node.string("name") ?? ""
    metadata.attribution = try node.string("copyrightText") ?? ""
    metadata.drawingInfo = node["drawingInfo"]?.value
    metadata.layerResource = node.value
    metadata.minScale = try node.double("minScale") ?? 0
    metadata.maxScale = try node.double("maxScale") ?? 0
    if let time = node["timeInfo"] {
      func field(_ name: String) throws(JSONDecodingError) -> String? {
        guard let name = try time.string(name), !name.isEmpty else { return nil }
        return schema.index(ofField: name).map { schema.fields[$0].name }
      }
      let (start, end) = (try field("startTimeField"), try field("endTimeField"))
      // An end field alone holds timestamps.
      if let start = start ?? end {
        metadata.timeInfo = TimeInfo(startField: start, endField: end == start ? nil : end)
      }
    }
    return metadata
  }
}

extension StringProtocol {
  /// Returns the text without the matching characters at both ends.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let first = text.first, isTrimmed(first) { text = text.dropFirst() }
    while let last = text.last, isTrimmed(last) { text = text.dropLast() }
    return String(text)
  }
}
