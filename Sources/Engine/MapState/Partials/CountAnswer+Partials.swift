package import MapFeatures
import MapGeometry
import MapSystem

extension CountAnswer {
  /// Returns the counts of all parts of the rows together, from those of each part.
  ///
  /// - Throws: ``MapStateError`` if the parts have other layers or another extent.
  package static func joining(_ parts: [CountAnswer]) throws(MapStateError) -> CountAnswer? {
    guard let first = parts.first else { return nil }
    for part in parts {
      let isSame =
        part.spatialReference == first.spatialReference && part.extent == first.extent
        && part.scale == first.scale && part.layers.count == first.layers.count
        && zip(part.layers, first.layers).allSatisfy {
          ($0.funnel == nil) == ($1.funnel == nil) && ($0.classes == nil) == ($1.classes == nil)
        }
      guard isSame else { throw MapStateError(.input, "the layers or the extents of the counts differ") }
    }
    return first.with(
      first.layers.indices.map { index in
        Layer(joining: parts.map { $0.layers[index] }, name: first.layers[index].name)
      })
  }

  /// Writes the counts.
  package func write(to writer: inout StateWriter) {
    writer.append(spatialReference.wkid)
    writer.append(extent) { extent, writer in
      for side in [extent.xMin, extent.yMin, extent.xMax, extent.yMax] { writer.append(side) }
      writer.append(extent.spatialReference?.wkid ?? 0)
    }
    writer.append(scale)
    writer.append(layers) { layer, writer in
      writer.append(layer.name)
      writer.append(layer.count)
      writer.append(layer.isExact)
      writer.append(layer.funnel) { funnel, writer in
        for count in [
          funnel.total, funnel.definition, funnel.extent, funnel.time, funnel.scale, funnel.display,
          funnel.drawn,
        ] {
          writer.append(count)
        }
        writer.append(funnel.edge) { $1.append($0) }
      }
      writer.append(layer.classes) { classes, writer in
        writer.append(classes) { item, writer in
          writer.append(item.classIndex) { $1.append($0) }
          writer.append(item.label)
          writer.append(item.count)
          writer.append(item.drawn) { $1.append($0) }
        }
      }
    }
  }

  /// Reads the counts.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    let reference = SpatialReference(wkid: try reader.integer())
    let extent = try reader.optional { reader throws(StateBytesError) in
      let (xMin, yMin) = (try reader.finite(), try reader.finite())
      let (xMax, yMax) = (try reader.finite(), try reader.finite())
      let wkid = try reader.integer()
      return Envelope(
        xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax,
        spatialReference: wkid == 0 ? nil : SpatialReference(wkid: wkid))
    }
    let scale = try reader.finite()
    let layers = try reader.list { reader throws(StateBytesError) in
      Layer(
        name: try reader.text(), count: try reader.count(),
        inexactReason: try reader.boolean() ? nil : "the rows of a partition are not complete",
        funnel: try reader.optional { reader throws(StateBytesError) in
          FilterFunnel(
            total: try reader.count(), definition: try reader.count(), extent: try reader.count(),
            time: try reader.count(), scale: try reader.count(), display: try reader.count(),
            drawn: try reader.count(),
            edge: try reader.optional { reader throws(StateBytesError) in try reader.count() })
        },
        classes: try reader.optional { reader throws(StateBytesError) in
          try reader.list { reader throws(StateBytesError) in
            ClassCount(
              classIndex: try reader.optional { reader throws(StateBytesError) in try reader.integer() },
              label: try reader.text(), count: try reader.count(),
              drawn: try reader.optional { reader throws(StateBytesError) in try reader.count() })
          }
        })
    }
    self.init(spatialReference: reference, extent: extent, scale: scale, layers: layers)
  }
}
