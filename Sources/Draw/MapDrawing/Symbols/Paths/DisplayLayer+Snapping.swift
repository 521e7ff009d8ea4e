import MapGeometry

extension DisplayLayer {
  /// Returns the layer with horizontal and vertical lines in the middle of pixels, so that thin ones are sharp.
  ///
  /// - Error: lines move by at most half a pixel.
  package func snappingStraightLines() -> DisplayLayer {
    var layer = self
    layer.batches = batches.map { batch in
      guard case .paths(var paths) = batch, paths.geometry.kind == .polyline else { return batch }
      paths.geometry.snapStraightParts()
      return .paths(paths)
    }
    return layer
  }
}

extension CoordinateBuffer {
  /// Moves the coordinate that all vertices of a part share to the middle of a pixel.
  fileprivate mutating func snapStraightParts() {
    let ends = partEnds
    func snap(_ places: inout MutableSpan<Double>, _ part: Range<Int>) {
      let first = places[part.lowerBound]
      for index in part where abs(places[index] - first) > 1e-6 { return }
      for index in part { places[index] = first.rounded(.down) + 0.5 }
    }
    moveVertices { x, y in
      var start = 0
      for end in ends {
        snap(&x, start..<end)
        snap(&y, start..<end)
        start = end
      }
    }
  }
}
