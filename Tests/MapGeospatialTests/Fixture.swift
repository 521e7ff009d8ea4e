import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON

/// The files that make_cases.py made.
enum Fixture {
  /// The path of a file.
  static func path(_ name: String) -> String {
    (Bundle.module.resourcePath ?? "") + "/Cases/" + name
  }

  /// The bytes of a file.
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// A file of JSON.
  static func json(_ name: String) throws -> JSONValue { try JSONValue(parsing: bytes(name)) }
}

extension FeatureColumns {
  /// A value by row and name of field.
  func value(_ row: Int, _ name: String) -> AttributeValue {
    schema.index(ofField: name).map { columns[$0].value(at: row) } ?? .null
  }
}
