import MapFeatures
import MapJSON

/// A column of a file: the values at one end of the tree of fields.
struct ParquetLeaf: Sendable {
  /// The names on the path to it, which the columns of a group share.
  let path: [String]
  let type: ParquetPhysicalType
  let typeLength: Int
  /// The type of the values once they are read.
  let valueType: ArrowType
  /// The definition level of a value, and the greatest repetition level.
  let definition: Int, repetition: Int

  /// The names on the path, joined by periods.
  var name: String { path.joined(separator: ".") }
}

/// A field in the tree of a Parquet schema.
struct ParquetNode: Sendable {
  indirect enum Content: Sendable {
    /// A column, by its index among all.
    case leaf(Int)
    case structure([ParquetNode])
    /// A list, with the levels at which an element repeats and is present.
    case list(ParquetNode, repetition: Int, definition: Int)
    /// A map: a list of structures of a key and a value.
    case map(ParquetNode, repetition: Int, definition: Int)
    /// A group that is not read, by its name in messages.
    case unread(String)
  }

  let name: String
  let isNullable: Bool
  /// The definition level from which on the field is not null.
  let definition: Int
  let content: Content
  /// The indices of all columns below it.
  let leaves: Range<Int>
  /// The extension type and its metadata of a column of geometries.
  let extensionName: String?, extensionMetadata: String?

  /// Returns the field in Arrow's types.
  func field(_ all: [ParquetLeaf]) -> ArrowField {
    let (type, children): (ArrowType, [ParquetNode]) =
      switch content {
      case .leaf(let index): (all[index].valueType, [])
      case .structure(let children): (.structure, children)
      case .list(let element, _, _): (.list(.small), [element])
      case .map(let element, _, _): (.map, [element])
      case .unread(let name): (.unread(name, buffers: 0), [])
      }
    return ArrowField(
      name: name, isNullable: isNullable, type: type, children: children.map { $0.field(all) }, encoding: nil,
      extensionName: extensionName, extensionMetadata: extensionMetadata)
  }
}

/// The tree of the fields of a Parquet file.
///
/// - Source: parquet-format 2.11, `LogicalTypes.md`, "Nested Types" with the rules for older files; Dremel's levels.
struct ParquetSchema: Sendable {
  private(set) var nodes: [ParquetNode] = []
  private(set) var leaves: [ParquetLeaf] = []

  /// The limit of the nesting of fields.
  private static let deepest = 32

  /// Builds the tree from elements in depth-first order.
  init(_ elements: [ParquetElement]) throws(ArrowError) {
    guard let root = elements.first, root.type == nil else { throw ArrowError("contains no schema") }
    guard root.childCount <= FeatureSchema.fieldLimit else {
      throw ArrowError("\(root.childCount) fields: a table has at most \(FeatureSchema.fieldLimit)")
    }
    var next = 1
    for _ in 0..<root.childCount { nodes.append(try node(elements, &next, Levels())) }
    guard next == elements.count else { throw ArrowError("its schema has fields that belong to no group") }
  }

  /// The levels of a field's parent.
  private struct Levels {
    var depth = 1
    var definition = 0, repetition = 0
    var path: [String] = []
  }

  private mutating func node(
    _ elements: [ParquetElement], _ next: inout Int, _ parent: Levels
  ) throws(ArrowError) -> ParquetNode {
    guard next < elements.count else { throw ArrowError("its schema ends before its last field") }
    let element = elements[next]
    guard parent.depth <= Self.deepest else {
      throw ArrowError("field \(element.name): is nested deeper than \(Self.deepest)")
    }
    var levels = parent
    levels.depth += 1
    levels.path.append(element.name)
    switch element.repetition {
    case .required: break
    case .optional: levels.definition += 1
    case .repeated:
      // A repeated field outside of a list is a list of required values.
      levels.definition += 1
      levels.repetition += 1
      let value = try content(elements, &next, levels, isNullable: false)
      return ParquetNode(
        name: element.name, isNullable: false, definition: parent.definition,
        content: .list(value, repetition: levels.repetition, definition: levels.definition),
        leaves: value.leaves, extensionName: nil, extensionMetadata: nil)
    }
    return try content(elements, &next, levels, isNullable: element.repetition == .optional)
  }

  /// Returns an element with its children, after its own repetition is counted in the levels.
  private mutating func content(
    _ elements: [ParquetElement], _ next: inout Int, _ levels: Levels, isNullable: Bool
  ) throws(ArrowError) -> ParquetNode {
    let element = elements[next]
    let firstLeaf = leaves.count
    var (name, metadata): (String?, String?) = (nil, nil)
    let content: ParquetNode.Content
    if element.type != nil {
      (name, metadata) = element.geometryExtension
      content = .leaf(leaves.count)
      leaves.append(try leaf(element, levels))
      next += 1
    } else if element.meaning == .list || element.meaning == .map, element.childCount == 1,
      next + 1 < elements.count, elements[next + 1].repetition == .repeated
    {
      next += 1
      content = try list(elements, &next, levels, listName: element.name, isMap: element.meaning == .map)
    } else {
      next += 1
      var children: [ParquetNode] = []
      for _ in 0..<element.childCount { children.append(try node(elements, &next, levels)) }
      content =
        switch element.meaning {
        case .variant: .unread("variant")
        default: children.isEmpty ? .unread("empty group") : .structure(children)
        }
    }
    return ParquetNode(
      name: element.name, isNullable: isNullable, definition: levels.definition, content: content,
      leaves: firstLeaf..<leaves.count, extensionName: name, extensionMetadata: metadata)
  }

  /// Returns the content of a list, whose repeated group is next.
  private mutating func list(
    _ elements: [ParquetElement], _ next: inout Int, _ parent: Levels, listName: String, isMap: Bool
  ) throws(ArrowError) -> ParquetNode.Content {
    let group = elements[next]
    var levels = parent
    levels.depth += 1
    levels.definition += 1
    levels.repetition += 1
    levels.path.append(group.name)
    guard levels.depth <= Self.deepest else {
      throw ArrowError("field \(listName): is nested deeper than \(Self.deepest)")
    }
    let isItself =
      group.type != nil || group.childCount != 1 || group.name == "array" || group.name == listName + "_tuple"
      || (next + 1 < elements.count && elements[next + 1].repetition == .repeated)
    let element: ParquetNode
    if isItself {
      element = try content(elements, &next, levels, isNullable: false)
    } else {
      next += 1
      element = try node(elements, &next, levels)
    }
    // A map without values is a list of its keys.
    if isMap, case .structure(let members) = element.content, members.count == 2 {
      return .map(element, repetition: levels.repetition, definition: levels.definition)
    }
    return .list(element, repetition: levels.repetition, definition: levels.definition)
  }

  private func leaf(_ element: ParquetElement, _ levels: Levels) throws(ArrowError) -> ParquetLeaf {
    guard let type = element.type else { throw ArrowError("contains no schema") }
    return ParquetLeaf(
      path: levels.path, type: type, typeLength: element.typeLength, valueType: element.valueType(type),
      definition: levels.definition, repetition: levels.repetition)
  }
}

extension ParquetElement {
  /// The limit of the length of values of one length that are read, in bytes: that of a decimal.
  private static let longestRead = 32

  /// Returns the type of the values once they are read.
  fileprivate func valueType(_ type: ParquetPhysicalType) -> ArrowType {
    switch (type, meaning) {
    case (_, .null): return .null
    case (_, .interval): return .unread("interval", buffers: 0)
    case (.boolean, _): return .boolean
    case (.int32, .integer(let bits, let isSigned)) where bits <= 32:
      return .integer(bits: bits, isSigned: isSigned)
    case (.int32, .date): return .date(isInDays: true)
    case (.int32, .time(.milliseconds)): return .time(.milliseconds)
    case (.int32, .decimal(let scale)): return .decimal(bits: 32, scale: scale)
    case (.int32, _): return .integer(bits: 32, isSigned: true)
    case (.int64, .integer(bits: 64, let isSigned)): return .integer(bits: 64, isSigned: isSigned)
    case (.int64, .time(let unit)) where unit != .milliseconds: return .time(unit)
    case (.int64, .timestamp(let unit, let hasZone)): return .timestamp(unit, hasZone: hasZone)
    case (.int64, .decimal(let scale)): return .decimal(bits: 64, scale: scale)
    case (.int64, _): return .integer(bits: 64, isSigned: true)
    case (.int96, _): return .julianTimestamp
    case (.float, _): return .real(bits: 32)
    case (.double, _): return .real(bits: 64)
    case (.bytes, .text): return .bytes(.large, isText: true)
    case (.bytes, .decimal(let scale)): return .decimal(bits: 256, scale: scale)
    case (.bytes, _): return .bytes(.large, isText: false)
    case (.fixedBytes, .decimal(let scale)) where typeLength <= 32:
      return .decimal(bits: typeLength <= 16 ? 128 : 256, scale: scale)
    case (.fixedBytes, .half) where typeLength == 2: return .real(bits: 16)
    case (.fixedBytes, .uuid) where typeLength == 16: return .bytes(.large, isText: true)
    case (.fixedBytes, _) where typeLength <= Self.longestRead: return .fixedBytes(typeLength)
    // Nulls of long values would take memory without bytes in the file.
    case (.fixedBytes, _): return .unread("fixed-size binary", buffers: 0)
    }
  }

  /// The extension type of Parquet's own geometries, and its metadata.
  ///
  /// - Source: parquet-format 2.11, `Geospatial.md`: without a name, the spatial reference is OGC:CRS84.
  fileprivate var geometryExtension: (String?, String?) {
    guard type == .bytes, case .geometry(let crs, let edges) = meaning else { return (nil, nil) }
    let name = crs ?? ""
    let reference: JSONValue
    if name.isEmpty {
      reference = .string("OGC:CRS84")
    } else if name == "srid:0" {
      reference = .null
    } else if name.hasPrefix("srid:") {
      reference = .string("EPSG:\(name.dropFirst(5))")
    } else {
      reference = .string(name)
    }
    let metadata: JSONValue = ["crs": reference, "edges": .string(edges ?? "planar")]
    return ("geoarrow.wkb", metadata.text())
  }
}
