import MapDrawing
import MapGeometry
import MapModel

extension DisplayBatch {
  /// Returns a filled rectangle.
  static func square(_ color: Color, _ box: Envelope) -> DisplayBatch {
    var batch = PathBatch(
      styles: [PathStyle(fill: color, stroke: nil, classIndex: 0)], kind: .polygon)
    for (x, y) in [
      (box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax),
      (box.xMin, box.yMin),
    ] { batch.geometry.appendVertex(x: x, y: y) }
    batch.geometry.endPart()
    batch.geometry.endRow()
    (batch.style, batch.row) = ([0], [0])
    return .paths(batch)
  }
}
