import MapJSON

extension PropertyComparison {
  /// Returns the changes of the styles in two records: of properties, and of numbers of features.
  ///
  /// - Parameter comparesFiles: whether files of images and glyphs are compared.
  static func styleChanges(
    _ before: PictureRecord, _ after: PictureRecord, comparesFiles: Bool
  ) -> (properties: [PropertyChange], counts: [PropertyChange]) {
    var (properties, counts) = ([PropertyChange](), [PropertyChange]())
    var open = before.styles
    for new in after.styles {
      // The only style of a map may have another name, such as that of its file.
      let index =
        open.firstIndex { $0.name == new.name }
        ?? (before.styles.count == 1 && after.styles.count == 1 ? open.indices.first : nil)
      guard let index else { continue }
      let comparison = StyleComparison(open.remove(at: index), new)
      func change(_ found: StyleComparison.Difference) -> PropertyChange {
        let isAlone = after.styles.count == 1
        let layer = found.layer.map { isAlone ? $0 : "\(new.name)#\($0)" } ?? (isAlone ? nil : new.name)
        var change = PropertyChange(
          scope: .style, layer: layer, className: nil, key: found.key, name: found.name, before: found.before,
          after: found.after)
        change.recordedLayer = found.layer.map { "\(new.name)#\($0)" }
        change.featureCount = found.featureCount
        return change
      }
      properties += (comparison.properties + (comparesFiles ? comparison.files : [])).map(change)
      counts += comparison.counts.map(change)
    }
    return (properties, counts)
  }
}
