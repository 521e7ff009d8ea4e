import MapState

/// Any bytes either are a table, which can be indexed, written and read again, or are refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGeoJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let table = try? GeoJSONReader.read(bytes) else { return 0 }
  let source = InMemorySource(table)
  var conditions = QueryConditions()
  conditions.parameterEnvelopes = [Envelope(xMin: -10, yMin: -10, xMax: 10, yMax: 10)]
  let query = try? conditions.query(for: .query)
  precondition((query.flatMap { try? source.count($0) } ?? 0) <= table.rowCount)
  guard table.schema.spatialReference?.isBuiltIn ?? true,
    let rows = try? FeatureRows(table, rows: Array(0..<table.rowCount)),
    let written = try? GeoJSONWriter(rows).collection()
  else { return 0 }
  let again = try? GeoJSONReader.read(written)
  precondition(again?.rowCount == table.rowCount)
  return 0
}
