import MapExpressions
import MapFeatures
import MapFilter
import MapState

/// Filters: any text is parsed and evaluated, or refused with an offset inside it.
enum SubjectFilters {
  /// A table with a field of every type, so that parsed filters are also checked and evaluated.
  private static func table(geometry: String) -> FeatureColumns {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"Oslo","pop":5,"rate":0.5,"open":true,"day":"2024-02-29","at":"2024-02-29T10:00:00Z"},"geometry":\(geometry)},
      {"type":"Feature","properties":{"name":null,"pop":null,"rate":null,"open":null,"day":null,"at":null},"geometry":null}]}
      """
    do { return try GeoJSONReader.read(Array(text.utf8)) } catch { fatalError("\(error)") }
  }

  private static let plain = table(geometry: "null")
  private static let source = InMemorySource(table(geometry: #"{"type":"Point","coordinates":[10,60]}"#))

  static func sqlWhere(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      guard let expression = try SQLWhereParser.parse(text) else { return false }
      let rows = (try? CompiledFilter(expression, for: plain))?.rows(in: plain)
      precondition((rows?.count ?? 0) <= 2)
      return true
    } catch {
      precondition(error.offset >= 0 && error.offset <= text.utf8.count)
      precondition(!"\(error)".isEmpty && !error.caretPicture(in: text).isEmpty)
      return false
    }
  }

  /// Arcade: evaluated for both rows, which have and lack values.
  static func arcade(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let expression = try ArcadeExpression(parsing: text)
      let bound = BoundArcade(expression, table: plain, scale: 1000, now: Instant(microseconds: 0))
      let column = bound.column(of: [0, 1])
      precondition(column.values.count == 2)
      precondition((column.failure?.offset ?? 0) <= text.utf8.count)
      return true
    } catch {
      precondition(error.offset >= 0 && error.offset <= text.utf8.count && !error.reason.isEmpty)
      return false
    }
  }

  /// JSON if the text starts with a brace.
  static func cql2(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      guard let read = try FilterText(cql2: text) else { return false }
      var conditions = QueryConditions()
      conditions.question.cql2 = text
      // Only filters that can be evaluated, since a comparison of arrays has no JSON form.
      guard let found = try? source.count(conditions.query(for: .query)) else { return false }
      precondition(found <= 2)
      for language in [FilterLanguage.cql2Text, .cql2JSON] {
        guard let written = try? read.expression.text(in: language) else { continue }
        do {
          let again = try FilterText(written, in: language)
          precondition(again?.expression == read.expression)
        } catch {
          // One encoding may exceed the nesting or length limit of the other.
          switch error.reason {
          case .nestingTooDeep, .tooLong, .invalidJSON: break
          default: fatalError("\(error): \(written)")
          }
        }
      }
      return true
    } catch {
      precondition(error.offset >= 0 && error.offset <= text.utf8.count)
      precondition(!"\(error)".isEmpty && !error.caretPicture(in: text).isEmpty)
      return false
    }
  }
}
