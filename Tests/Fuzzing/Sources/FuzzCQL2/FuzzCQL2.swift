import MapState

/// A table of every type and with a geometry, so that filters that parse are checked and evaluated too.
private let source: InMemorySource = {
  let text = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Oslo","pop":5,"rate":0.5,"open":true,"day":"2024-02-29","at":"2024-02-29T10:00:00Z"},"geometry":{"type":"Point","coordinates":[10,60]}},
    {"type":"Feature","properties":{"name":null,"pop":null,"rate":null,"open":null,"day":null,"at":null},"geometry":null}]}
    """
  do { return InMemorySource(try GeoJSONReader.read(Array(text.utf8))) } catch { fatalError("\(error)") }
}()

/// Any text, JSON where it begins with a brace, either parses, can be asked and written again, or is refused with a place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCQL2(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  let text = unsafe String(decoding: bytes, as: UTF8.self)
  do {
    guard let read = try FilterText(cql2: text) else { return 0 }
    var conditions = QueryConditions()
    conditions.parameterCQL2 = text
    // Of what has a meaning, since a comparison of arrays has no form in JSON.
    guard let found = try? source.count(conditions.query(for: .query)) else { return 0 }
    precondition(found <= 2)
    for language in [FilterLanguage.cql2Text, .cql2JSON] {
      guard let written = try? read.expression.text(in: language) else { continue }
      do {
        let again = try FilterText(written, in: language)
        precondition(again?.expression == read.expression)
      } catch {
        // One encoding may nest deeper than the other is read, and be longer.
        switch error.reason {
        case .nestingTooDeep, .tooLong, .invalidJSON: break
        default: fatalError("\(error): \(written)")
        }
      }
    }
  } catch {
    precondition(error.offset >= 0 && error.offset <= text.utf8.count)
    precondition(!"\(error)".isEmpty && !error.caretPicture(in: text).isEmpty)
  }
  return 0
}
