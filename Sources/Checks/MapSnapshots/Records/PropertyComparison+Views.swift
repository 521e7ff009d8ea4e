import MapJSON

extension PropertyComparison {
  /// Returns the differences of the views, without those that follow from another.
  static func differences(ofViews before: PictureRecord, _ after: PictureRecord) -> [Difference] {
    var found = differences(properties(ofView: before), properties(ofView: after))
    // Positions are equal within a hundredth of a pixel, and scales within a millionth.
    let step = max(1e-9, (after.extent[2] - after.extent[0]) / Double(max(1, after.width))) * 0.01
    func isNear(_ a: [Double], _ b: [Double]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < step }
    }
    func center(_ record: PictureRecord) -> [Double] {
      record.view["center"]?.array?.compactMap(\.double) ?? []
    }
    if isNear(before.extent, after.extent) { found.removeAll { $0.key == "extent" } }
    if isNear(center(before), center(after)) { found.removeAll { $0.key == "center" } }
    if let a = before.view["scale"]?.double, let b = after.view["scale"]?.double, abs(a - b) <= 1e-6 * abs(b)
    {
      found.removeAll { $0.key == "scale" }
    }
    if abs(before.rotation - after.rotation) < 1e-6 { found.removeAll { $0.key == "rotation" } }
    if before.basemap != after.basemap { found.removeAll { $0.key == "background" } }
    // A record of an earlier version does not have the parts of its page.
    if before.view["page"] == nil || after.view["page"] == nil {
      found.removeAll { $0.key.hasPrefix("page") }
    }
    let keys = Set(found.map(\.key))
    // A part of a page, such as a legend beside the map, changes what the map shows.
    if keys.contains(where: { $0.hasPrefix("page") }) {
      found.removeAll { ["center", "scale", "extent"].contains($0.key) }
    }
    // Another spatial reference, size or rotation changes the centre and the scale of a requested area.
    if keys.contains("spatialReference") {
      found.removeAll { $0.key == "center" || $0.key == "scale" || $0.key == "extent" }
    } else if keys.contains("size") || keys.contains("rotation") {
      found.removeAll { $0.key == "scale" || $0.key == "extent" }
    } else if keys.contains("center") || keys.contains("scale") {
      found.removeAll { $0.key == "extent" }
    }
    return found
  }

  private static func properties(ofView record: PictureRecord) -> [RecordedProperty] {
    var all: [RecordedProperty] = []
    func place(_ values: [Double]) -> String {
      values.map { LayerProperties.text(.number($0)) }.joined(separator: ", ")
    }
    for (key, name) in [
      ("spatialReference", "spatial reference (projection)"), ("size", "size"),
      ("pixelRatio", "pixel ratio"),
    ] {
      if let value = record.view[key] {
        all.append(RecordedProperty(key: key, name: name, value: LayerProperties.text(value)))
      }
    }
    all.append(RecordedProperty(key: "rotation", name: "rotation (view turned)", value: "\(record.rotation)"))
    if let center = record.view["center"]?.array {
      all.append(
        RecordedProperty(
          key: "center", name: "center (view moved)", value: place(center.compactMap(\.double))))
    }
    if let scale = record.view["scale"]?.double {
      all.append(
        RecordedProperty(
          key: "scale", name: "scale (view scaled)", value: "1:\(LayerProperties.text(.number(scale)))"))
    }
    all.append(RecordedProperty(key: "extent", name: "extent (view moved)", value: place(record.extent)))
    all.append(RecordedProperty(key: "basemap", name: "basemap", value: record.basemap))
    all.append(RecordedProperty(key: "background", name: "background color", value: record.background))
    let known: Set = ["spatialReference", "size", "pixelRatio", "center", "scale"]
    for member in record.view.members where !known.contains(member.name) {
      let name = member.name == "time" ? "time extent" : LayerProperties.words(member.name)
      all += LayerProperties.leaves(member.value, key: member.name, name: name)
    }
    return all
  }
}
