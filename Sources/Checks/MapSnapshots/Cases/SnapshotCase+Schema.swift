extension SnapshotCase {
  /// The JSON Schema of `case.json`.
  ///
  /// - Source: JSON Schema, draft 2020-12.
  public static var schema: String { String(decoding: PackageResources.case_schema_json, as: UTF8.self) }
}
