import MapState

/// A table of every type, so that filters that parse are checked and evaluated too.
private let table: FeatureColumns = {
  let text = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Oslo","pop":5,"rate":0.5,"open":true,"day":"2024-02-29","at":"2024-02-29T10:00:00Z"},"geometry":null},
    {"type":"Feature","properties":{"name":null,"pop":null,"rate":null,"open":null,"day":null,"at":null},"geometry":null}]}
    """
  do { return try GeoJSONReader.read(Array(text.utf8)) } catch { fatalError("\(error)") }
}()

/// Any text either parses and can be asked, or is refused with a place inside it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWhere(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  let text = unsafe String(decoding: bytes, as: UTF8.self)
  do {
    guard let expression = try SQLWhereParser.parse(text) else { return 0 }
    let rows = (try? CompiledFilter(expression, for: table))?.rows(in: table)
    precondition((rows?.count ?? 0) <= 2)
  } catch {
    precondition(error.offset >= 0 && error.offset <= text.utf8.count)
    precondition(!"\(error)".isEmpty && !error.caretPicture(in: text).isEmpty)
  }
  return 0
}
