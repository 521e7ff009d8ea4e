import MapJSON
import MapModel
import MapStyles
import MapSystem

/// The clusters of a GeoJSON source's points at each zoom.
///
/// From the largest zoom down, each point that is in no cluster of the zoom takes those within the radius.
///
/// - Source: the library supercluster, which MapLibre GL JS uses.
struct StyleClusters: Sendable {
  /// A point, or a cluster of points.
  struct Item: Sendable {
    /// The place in the world, from 0 to 1.
    let place: StylePoint
    /// The number of points.
    let count: Int
    /// The row of a point; the number of a cluster.
    let id: Int
    let isCluster: Bool
    /// The values that clusters sum up.
    let values: [String: StyleValue]
    /// The zoom at which the item was last taken.
    var zoom = Int.max
  }

  /// A value of clusters: what each point gives, and how two are joined.
  private struct Property: Sendable {
    let name: String
    let map: StyleExpression
    let reduce: StyleExpression
  }

  private let radius: Double
  private let leastCount: Int
  /// The largest zoom with clusters.
  let largestZoom: Int
  private var properties: [Property] = []

  /// Creates clusters by the members of a source; nil for a source without clusters.
  ///
  /// - Throws: ``MapStateError`` for invalid expressions.
  init?(_ source: StyleSource) throws(MapStateError) {
    guard source.members["cluster"]?.boolean == true else { return nil }
    radius = max(0, source.members["clusterRadius"]?.double ?? 50)
    leastCount = max(2, source.members["clusterMinPoints"]?.integer ?? 2)
    let largest = source.members["clusterMaxZoom"]?.double ?? (source.maxzoom ?? 18) - 1
    largestZoom = min(max(Int(clamping: largest.rounded()), 0), 24)
    for member in source.members["clusterProperties"]?.object?.members ?? [] {
      guard let parts = member.value.array, parts.count == 2 else {
        throw MapStateError(.input, "its clusterProperties '\(member.name)' is no pair")
      }
      let reduce: JSONValue =
        parts[0].string.map { [.string($0), ["accumulated"], ["get", .string(member.name)]] } ?? parts[0]
      do throws(StyleExpressionErrors) {
        properties.append(
          Property(
            name: member.name, map: try StyleExpression(parts[1], decidedBy: .feature),
            reduce: try StyleExpression(reduce, decidedBy: .feature)))
      } catch {
        throw MapStateError(
          .input,
          "its clusterProperties '\(member.name)': \(error.errors.first?.description ?? "is invalid")")
      }
    }
  }

  /// Returns the values that a point gives to its cluster.
  func values(of feature: StyleFeature) -> [String: StyleValue] {
    var values: [String: StyleValue] = [:]
    for property in properties {
      values[property.name] = (try? property.map.value(StyleContext(zoom: 0), feature: feature)) ?? .null
    }
    return values
  }

  /// Returns the items at a zoom: points above the largest one, else clusters and the points that are in none.
  func items(_ points: [Item], atZoom zoom: Int) -> [Item] {
    var items = points
    for level in stride(from: largestZoom, through: max(zoom, 0), by: -1) {
      items = clustered(items, level, points: points.count)
    }
    return items
  }

  private func clustered(_ all: [Item], _ zoom: Int, points: Int) -> [Item] {
    var items = all
    // The world has 512 pixels at zoom 0.
    let reach = radius / 512 / Double(1 << zoom)
    guard reach > 0 else { return items }
    struct Cell: Hashable { let column, row: Int }
    // Cells of a tiny radius have numbers that are whole, and few different points.
    let side = max(reach, 0x1p-50)
    func cell(_ place: StylePoint) -> Cell {
      Cell(
        column: Int(clamping: (place.x / side).rounded(.down)),
        row: Int(clamping: (place.y / side).rounded(.down)))
    }
    var cells: [Cell: [Int]] = [:]
    for (index, item) in items.enumerated() { cells[cell(item.place), default: []].append(index) }
    var result: [Item] = []
    for index in items.indices where items[index].zoom > zoom {
      items[index].zoom = zoom
      let own = items[index]
      let middle = cell(own.place)
      var near: [Int] = []
      for row in middle.row - 1...middle.row + 1 {
        for column in middle.column - 1...middle.column + 1 {
          for other in cells[Cell(column: column, row: row)] ?? [] where items[other].zoom > zoom {
            let step = items[other].place - own.place
            if step.x * step.x + step.y * step.y <= reach * reach { near.append(other) }
          }
        }
      }
      let count = near.reduce(own.count) { $0 + items[$1].count }
      guard count > own.count, count >= leastCount else {
        result.append(own)
        for other in near.sorted() {
          items[other].zoom = zoom
          result.append(items[other])
        }
        continue
      }
      var sum = own.place * Double(own.count)
      var values = own.values
      for other in near.sorted() {
        items[other].zoom = zoom
        sum += items[other].place * Double(items[other].count)
        join(items[other].values, into: &values)
      }
      result.append(
        Item(
          place: sum / Double(count), count: count, id: index << 5 + (zoom + 1) + points, isCluster: true,
          values: values))
    }
    for index in result.indices { result[index].zoom = .max }
    return result
  }

  private func join(_ other: [String: StyleValue], into values: inout [String: StyleValue]) {
    let feature = StyleFeature(
      properties: StyleObject(other.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    for property in properties {
      var context = StyleContext(zoom: 0)
      context.accumulated = values[property.name] ?? .null
      values[property.name] = (try? property.reduce.value(context, feature: feature)) ?? .null
    }
  }
}

extension StyleClusters.Item {
  /// The properties of a cluster.
  var clusterProperties: [(String, StyleValue)] {
    let short: StyleValue =
      count >= 10_000
      ? .string("\(Int(clamping: (Double(count) / 1000).rounded()))k")
      : count >= 1000
        ? .string(Self.text((Double(count) / 100).rounded() / 10) + "k") : .number(Double(count))
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + [
      ("cluster", .boolean(true)), ("cluster_id", .number(Double(id))),
      ("point_count", .number(Double(count))), ("point_count_abbreviated", short),
    ]
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(clamping: number))" : "\(number)"
  }
}
