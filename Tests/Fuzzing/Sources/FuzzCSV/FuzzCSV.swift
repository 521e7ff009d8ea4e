import MapState

/// Any bytes either are a table, which can be indexed and written, or are refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCSV(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let table = try? CSVReader.read(bytes) else { return 0 }
  _ = InMemorySource(table).extent
  guard table.schema.spatialReference?.isBuiltIn ?? true,
    let rows = try? FeatureRows(table, rows: Array(0..<table.rowCount)),
    let written = try? DelimitedWriter(rows).text()
  else { return 0 }
  let again = try? CSVReader.read(Array(written.utf8))
  precondition(again?.rowCount == table.rowCount)
  return 0
}
