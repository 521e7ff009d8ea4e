package import MapFeatures
import MapGeometry
import MapModel

extension CellCounts {
  /// Writes the counts.
  package func write(to writer: inout StateWriter) {
    let grid = plan.grid
    writer.append(grid.shape.rawValue)
    for number in [grid.side, grid.originX, grid.originY, grid.cosine, grid.sine] { writer.append(number) }
    writer.append(plan.isOnDark)
    writer.append(plan.classes) { item, writer in
      writer.append(item.index)
      writer.append(item.label)
      writer.append(raw: [item.color.red, item.color.green, item.color.blue, item.color.alpha])
    }
    writer.append(Array(zip(keys, counts))) { item, writer in
      writer.append(Int(truncatingIfNeeded: item.0))
      writer.append(item.1)
    }
  }

  /// Reads counts.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    guard let shape = CountingCells.Shape(rawValue: try reader.text()) else {
      throw .value("cells of a shape that does not exist")
    }
    let (side, x, y) = (try reader.finite(), try reader.finite(), try reader.finite())
    let direction = (cosine: try reader.finite(), sine: try reader.finite())
    guard let grid = CellGrid(shape, side: side, origin: (x, y), direction: direction) else {
      throw .value("cells of a size of \(side)")
    }
    let isOnDark = try reader.boolean()
    let classes = try reader.list { reader throws(StateBytesError) in
      let (index, label) = (try reader.integer(), try reader.text())
      let channels = Array(try reader.raw(4))
      return CellClass(
        index: index, label: label,
        color: Color(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3]))
    }
    let items = try reader.list { reader throws(StateBytesError) in
      (key: UInt64(bitPattern: Int64(try reader.integer())), count: try reader.count())
    }
    guard items.allSatisfy({ $0.count > 0 && $0.key < .max }),
      zip(items, items.dropFirst()).allSatisfy({ $0.key < $1.key })
    else { throw .value("counts of cells that are not in order") }
    self.init(
      Plan(grid: grid, classes: classes, isOnDark: isOnDark), keys: items.map(\.key),
      counts: items.map(\.count))
  }
}
