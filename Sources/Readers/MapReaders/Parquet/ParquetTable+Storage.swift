package import MapFeatures
import MapGeometry
import MapJSON

extension ParquetTable {
  /// The files, their row groups with boxes, and the columns with their encodings and compressions.
  package var storage: StorageDescription {
    let groups = groups.map { Self.json($0, parts[$0.part]) }
    let columns = parts.first.map { first in
      first.file.schema.leaves.indices.map { column(at: $0, first.file.schema.leaves[$0]) }
    }
    let writers = Set(parts.compactMap(\.file.footer.writer)).sorted()
    let json: JSONValue = [
      "format": "Parquet", "writers": .array(writers.map { .string($0) }), "files": .number(parts.count),
      "rowGroups": .array(groups.map(\.json)), "columns": .array((columns ?? []).map(\.json)),
    ]
    let counts = self.groups.map(\.rowCount)
    let rows =
      counts.isEmpty
      ? "" : " of \(counts.min() ?? 0)\(counts.min() == counts.max() ? "" : " to \(counts.max() ?? 0)") rows"
    let files = parts.count == 1 ? "" : ", \(parts.count) files"
    var lines = [
      (
        "storage",
        "Parquet\(writers.isEmpty ? "" : " by " + writers.joined(separator: ", "))\(files), "
          + "\(counts.count) row group\(counts.count == 1 ? "" : "s")\(rows)"
      )
    ]
    lines += groups.prefix(Self.shownGroups).map { ("row group", $0.text) }
    if groups.count > Self.shownGroups {
      lines.append(("", "and \(groups.count - Self.shownGroups) more, which --format json lists"))
    }
    lines += (columns ?? []).map { ("column", $0.text) }
    return StorageDescription(json: json, lines: lines)
  }

  /// The number of row groups in the text.
  private static let shownGroups = 10

  private static func json(_ group: Group, _ part: Part) -> (json: JSONValue, text: String) {
    let row = part.file.footer.rowGroups[group.number]
    let size = row.chunks.reduce(0) { $0 + $1.compressedSize }
    let box = part.geometry.flatMap { ParquetBoxes(part.file, $0) }?.box(ofGroup: group.number)
    var object: JSONObject = ["rows": .number(group.rowCount), "bytes": .number(size)]
    if let name = part.source.name { object["file"] = .string(name) }
    object["box"] =
      box.map { .array([$0.xMin, $0.yMin, $0.xMax, $0.yMax].map { .number($0) }) } ?? .null
    let name = part.source.name.map { "\($0): " } ?? ""
    let text = box.map { ", box \($0.xMin), \($0.yMin), \($0.xMax), \($0.yMax)" } ?? ""
    return (.object(object), "\(name)\(group.rowCount) rows, \(size) bytes\(text)")
  }

  private func column(at index: Int, _ leaf: ParquetLeaf) -> (json: JSONValue, text: String) {
    // Files of other fields have other columns at this index.
    let chunks = parts.filter {
      $0.file.schema.leaves.indices.contains(index) && $0.file.schema.leaves[index].path == leaf.path
    }.flatMap { $0.file.footer.rowGroups.map { $0.chunks[index] } }
    let encodings = chunks.reduce(UInt32(0)) { $0 | $1.encodings }
    let names = (0..<32).filter { encodings >> UInt32($0) & 1 == 1 }.map(Self.encodingName)
    let codecs = Set(chunks.map(\.codec.rawValue)).sorted().compactMap { ParquetCodec(rawValue: $0)?.name }
    let sizes = (
      chunks.reduce(0) { $0 &+ $1.compressedSize }, chunks.reduce(0) { $0 &+ $1.uncompressedSize }
    )
    func all(_ has: (ParquetChunk) -> Bool) -> Bool { !chunks.isEmpty && chunks.allSatisfy(has) }
    let parts: [(key: String, name: String, isSet: Bool)] = [
      ("statistics", "statistics", all { $0.statistics.least != nil }),
      ("pageIndex", "page index", all { $0.offsetIndex != nil && $0.columnIndex != nil }),
      ("bloomFilter", "bloom filter", all { $0.bloomFilter != nil }),
    ]
    var object: JSONObject = [
      "name": .string(leaf.name), "type": .string(leaf.valueType.name),
      "encodings": .array(names.map { .string($0) }), "compressions": .array(codecs.map { .string($0) }),
      "bytes": .number(sizes.0), "uncompressedBytes": .number(sizes.1),
    ]
    for part in parts { object[part.key] = .boolean(part.isSet) }
    let extras = parts.filter(\.isSet).map { ", " + $0.name }.joined()
    return (
      .object(object),
      "\(leaf.name)  \(leaf.valueType.name), \(names.joined(separator: " + ")), \(codecs.joined(separator: " + ")), "
        + "\(sizes.0) of \(sizes.1) bytes\(extras)"
    )
  }

  /// Returns the name of an encoding.
  ///
  /// - Source: parquet-format 2.11, `Encoding`.
  private static func encodingName(_ code: Int) -> String {
    let names = [
      0: "plain", 2: "plain dictionary", 3: "RLE", 4: "bit-packed", 5: "delta", 6: "delta length",
      7: "delta byte array", 8: "dictionary", 9: "byte-stream split",
    ]
    return names[code] ?? "encoding \(code)"
  }
}
