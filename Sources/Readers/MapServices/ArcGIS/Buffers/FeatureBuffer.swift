import MapGeometry
import MapReaders

/// A page of features in Esri's protocol buffers: its description, and the byte range of each feature.
///
/// - Source: Esri, FeatureCollectionPBuffer of the package esriPBuffer; proto3, in which absent values are 0.
struct FeatureBuffer {
  /// The conversion of integers into coordinates.
  struct Transform: Equatable {
    var scale = (x: 0.0, y: 0.0)
    var translation = (x: 0.0, y: 0.0)
    /// Whether y increases upwards.
    var isLowerLeft = false

    static func == (a: Transform, b: Transform) -> Bool {
      a.scale == b.scale && a.translation == b.translation && a.isLowerLeft == b.isLowerLeft
    }
  }

  let bytes: [UInt8]
  private(set) var fieldNames: [String] = []
  private(set) var geometryType = 0
  private(set) var reference: SpatialReference?
  private(set) var isCut = false
  /// The number of values per vertex: x, y, and Z and M values if present.
  private(set) var dimensions = 2
  private(set) var transform: Transform?
  private(set) var features: [Range<Int>] = []
  /// Whether values are stored in a table beside the features; no known service sends this.
  private(set) var hasSharedValues = false

  init(_ bytes: [UInt8]) throws(ProtobufError) {
    self.bytes = bytes
    var result: Range<Int>?
    var root = ProtobufReader(bytes, 0..<bytes.count)
    while let (field, content) = try root.next() {
      guard field == 2, case .bytes(let range) = content else { continue }
      var query = ProtobufReader(bytes, range)
      while let (field, content) = try query.next() {
        if field == 1, case .bytes(let range) = content { result = range }
      }
    }
    guard let result else { throw ProtobufError("no features in it") }
    try read(result)
  }

  private mutating func read(_ range: Range<Int>) throws(ProtobufError) {
    var reader = ProtobufReader(bytes, range)
    while let (field, content) = try reader.next() {
      switch (field, content) {
      case (7, .varint(let type)): geometryType = Int(clamping: type)
      case (8, .bytes(let range)): reference = try Self.reference(ProtobufReader(bytes, range))
      case (9, .varint(let flag)): isCut = flag != 0
      case (10, .varint(let flag)), (11, .varint(let flag)): dimensions += flag == 0 ? 0 : 1
      case (12, .bytes(let range)): transform = try Self.transform(bytes, range)
      case (13, .bytes(let range)): fieldNames.append(try Self.name(ProtobufReader(bytes, range)))
      case (14, _): hasSharedValues = true
      case (15, .bytes(let range)): features.append(range)
      default: continue
      }
    }
  }

  private static func name(_ reader: ProtobufReader) throws(ProtobufError) -> String {
    var (reader, name) = (reader, "")
    while let (field, content) = try reader.next() {
      if field == 1, case .bytes(let range) = content {
        name = String(decoding: reader.bytes[range], as: UTF8.self)
      }
    }
    return name
  }

  private static func reference(_ reader: ProtobufReader) throws(ProtobufError) -> SpatialReference? {
    var (reader, first, latest) = (reader, 0, 0)
    while let (field, content) = try reader.next() {
      guard case .varint(let number) = content else { continue }
      if field == 1 { first = Int(clamping: number) }
      if field == 2 { latest = Int(clamping: number) }
    }
    let wkid = latest > 0 ? latest : first
    return wkid > 0 ? SpatialReference(wkid: wkid) : nil
  }

  private static func transform(_ bytes: [UInt8], _ range: Range<Int>) throws(ProtobufError) -> Transform {
    var (reader, transform) = (ProtobufReader(bytes, range), Transform())
    while let (field, content) = try reader.next() {
      switch (field, content) {
      case (1, .varint(let origin)): transform.isLowerLeft = origin == 1
      case (2, .bytes(let range)): transform.scale = try pair(ProtobufReader(bytes, range))
      case (3, .bytes(let range)): transform.translation = try pair(ProtobufReader(bytes, range))
      default: continue
      }
    }
    return transform
  }

  private static func pair(_ reader: ProtobufReader) throws(ProtobufError) -> (x: Double, y: Double) {
    var (reader, pair) = (reader, (x: 0.0, y: 0.0))
    while let (field, content) = try reader.next() {
      guard case .fixed64(let bits) = content else { continue }
      if field == 1 { pair.x = Double(bitPattern: bits) }
      if field == 2 { pair.y = Double(bitPattern: bits) }
    }
    return pair
  }
}
