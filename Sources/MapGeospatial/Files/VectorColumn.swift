import CGeospatial
import Glibc
import MapFeatures
import MapFilter

/// The values of one field of a file while its rows come in.
struct VectorColumn {
  /// What a field becomes.
  enum Outcome {
    case column(VectorColumn)
    /// Its type cannot be kept; the warning names it.
    case dropped(String)
  }

  private enum Values {
    case integers([Int64])
    case reals([Double])
    case booleans([Bool])
    case text([Int32])
    case dates([Int32])
    case instants([Int64])
  }

  let field: Field
  private let index: Int32
  private var values: Values
  private var texts = TextTable()
  private var scratch: [UInt8] = []
  private var validity: [UInt64] = []
  private var count = 0
  private var nullCount = 0
  private var notNumbers = 0
  private var withoutZone = 0
  private var impossibleTimes = 0
  private var brokenTexts = 0

  private init(_ field: Field, index: Int32, _ values: Values) {
    (self.field, self.index, self.values) = (field, index, values)
  }

  /// A column for a field of a layer's definition.
  static func make(_ definition: OGRFieldDefnH, index: Int32, _ calls: cgeospatial_gdal) -> Outcome {
    let name = calls.OGR_Fld_GetNameRef(definition).map { String(cString: $0) } ?? "field\(index + 1)"
    let alias = calls.OGR_Fld_GetAlternativeNameRef(definition).map { String(cString: $0) } ?? ""
    let (type, subtype) = (calls.OGR_Fld_GetType(definition), calls.OGR_Fld_GetSubType(definition))
    func column(_ type: FieldType, _ values: Values) -> Outcome {
      .column(
        VectorColumn(Field(name: name, alias: alias.isEmpty ? nil : alias, type: type), index: index, values))
    }
    switch (type, subtype) {
    // The map SDK has no boolean field; its tables keep one as a short integer.
    case (OFTInteger, OFSTBoolean): return column(.int16, .booleans([]))
    case (OFTInteger, OFSTInt16): return column(.int16, .integers([]))
    case (OFTInteger, _): return column(.int32, .integers([]))
    case (OFTInteger64, _): return column(.int64, .integers([]))
    case (OFTReal, OFSTFloat32): return column(.float32, .reals([]))
    case (OFTReal, _): return column(.float64, .reals([]))
    case (OFTString, OFSTUUID): return column(.guid, .text([]))
    case (OFTString, _): return column(.text, .text([]))
    case (OFTDate, _): return column(.dateOnly, .dates([]))
    case (OFTTime, _): return column(.timeOnly, .text([]))
    case (OFTDateTime, _): return column(.date, .instants([]))
    default:
      let kind = calls.OGR_GetFieldTypeName(type).map { String(cString: $0) } ?? "type \(type.rawValue)"
      return .dropped("field \(name): values of type \(kind) are not read")
    }
  }

  /// Adds a feature's value.
  mutating func append(_ feature: OGRFeatureH, _ calls: cgeospatial_gdal) {
    var isValid = calls.OGR_F_IsFieldSetAndNotNull(feature, index) != 0
    switch values {
    case .integers(var list):
      values = .integers([])
      list.append(isValid ? calls.OGR_F_GetFieldAsInteger64(feature, index) : 0)
      values = .integers(list)
    case .booleans(var list):
      values = .booleans([])
      list.append(isValid && calls.OGR_F_GetFieldAsInteger64(feature, index) != 0)
      values = .booleans(list)
    case .reals(var list):
      values = .reals([])
      let value = isValid ? calls.OGR_F_GetFieldAsDouble(feature, index) : 0
      if !value.isFinite {
        notNumbers += 1
        isValid = false
      }
      list.append(isValid ? value : 0)
      values = .reals(list)
    case .text(var list):
      values = .text([])
      list.append(isValid ? code(of: calls.OGR_F_GetFieldAsString(feature, index)) : -1)
      values = .text(list)
    case .dates(var list):
      values = .dates([])
      let moment = isValid ? moment(feature, calls) : nil
      if isValid, moment == nil { impossibleTimes += 1 }
      isValid = moment != nil
      list.append(moment?.date.days ?? 0)
      values = .dates(list)
    case .instants(var list):
      values = .instants([])
      let moment = isValid ? moment(feature, calls) : nil
      if isValid, moment == nil { impossibleTimes += 1 }
      isValid = moment != nil
      if let moment, !moment.hasZone { withoutZone += 1 }
      list.append(moment.map { $0.date.start.microseconds + $0.time } ?? 0)
      values = .instants(list)
    }
    advance(isValid)
  }

  /// True when a stream's column holds the values as this one does.
  func accepts(_ format: String) -> Bool {
    switch values {
    case .integers: ["s", "i", "l"].contains(format)
    case .reals: ["f", "g"].contains(format)
    case .text: format == "u"
    case .booleans, .dates, .instants: false
    }
  }

  /// Adds a batch of a stream's column, which must be accepted.
  mutating func append(_ array: ArrowArray, format: String) {
    var column = self
    // So that the lists have one owner while they grow.
    values = .integers([])
    switch format {
    case "s": array.forEach(Int16.self) { column.append(integer: Int64($0), isValid: $1) }
    case "i": array.forEach(Int32.self) { column.append(integer: Int64($0), isValid: $1) }
    case "l": array.forEach(Int64.self) { column.append(integer: $0, isValid: $1) }
    case "f": array.forEach(Float.self) { column.append(real: Double($0), isValid: $1) }
    case "g": array.forEach(Double.self) { column.append(real: $0, isValid: $1) }
    default: array.forEachBytes { column.append(text: $0) }
    }
    self = column
  }

  private mutating func append(integer: Int64, isValid: Bool) {
    guard case .integers(var list) = values else { return }
    values = .integers([])
    list.append(isValid ? integer : 0)
    values = .integers(list)
    advance(isValid)
  }

  private mutating func append(real: Double, isValid: Bool) {
    guard case .reals(var list) = values else { return }
    values = .reals([])
    if isValid, !real.isFinite { notNumbers += 1 }
    list.append(isValid && real.isFinite ? real : 0)
    values = .reals(list)
    advance(isValid && real.isFinite)
  }

  private mutating func append(text: UnsafeRawBufferPointer?) {
    guard case .text(var list) = values else { return }
    values = .text([])
    list.append(text.map { code(of: $0) } ?? -1)
    values = .text(list)
    advance(text != nil)
  }

  private mutating func advance(_ isValid: Bool) {
    if count & 63 == 0 { validity.append(0) }
    if isValid { validity[count >> 6] |= 1 << UInt64(count & 63) } else { nullCount += 1 }
    count += 1
  }

  private mutating func code(of text: UnsafePointer<CChar>?) -> Int32 {
    text.map { code(of: UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? -1
  }

  private mutating func code(of bytes: UnsafeRawBufferPointer) -> Int32 {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes)
    let known = texts.count
    let code = texts.code(of: scratch, 0..<scratch.count)
    if texts.count > known, !scratch.allSatisfy({ $0 < 0x80 }),
      String(validating: scratch, as: UTF8.self) == nil
    {
      brokenTexts += 1
    }
    return code
  }

  /// Day and microseconds of the day in UTC; nil for what no calendar has.
  private func moment(_ feature: OGRFeatureH, _ calls: cgeospatial_gdal) -> (
    date: CalendarDate, time: Int64, hasZone: Bool
  )? {
    var (year, month, day, hour, minute, zone): (Int32, Int32, Int32, Int32, Int32, Int32) = (
      0, 0, 0, 0, 0, 0
    )
    var second: Float = 0
    guard
      calls.OGR_F_GetFieldAsDateTimeEx(
        feature, index, &year, &month, &day, &hour, &minute, &second, &zone) != 0,
      let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)), second.isFinite
    else { return nil }
    // GDAL keeps milliseconds, in a float.
    let milliseconds = Int64((Double(second) * 1000).rounded())
    var time = (Int64(hour) * 60 + Int64(minute)) * 60_000_000 + milliseconds * 1000
    // 100 is UTC and a step a quarter of an hour; 0 is unknown and 1 local time, which nothing tells.
    let hasZone = zone > 1
    if hasZone { time -= Int64(zone - 100) * 15 * 60_000_000 }
    return (date, time, hasZone)
  }

  // MARK: Result

  /// The values.
  var column: Column {
    let rows = nullCount == 0 ? nil : RowSet(rowCount: count, words: validity)
    return switch values {
    case .integers(let list): Column(.integers(list), validity: rows)
    case .reals(let list): Column(.reals(list), validity: rows)
    case .booleans(let list): Column(.booleans(list), validity: rows)
    case .text(let codes):
      Column(.text(codes: codes, dictionary: (0..<texts.count).map { texts.text($0) }), validity: rows)
    case .dates(let list): Column(.dates(list), validity: rows)
    case .instants(let list): Column(.instants(list), validity: rows)
    }
  }

  /// What was lost or guessed.
  var warnings: [String] {
    var warnings: [String] = []
    if notNumbers > 0 {
      warnings.append("field \(field.name): \(notNumbers) values that are no finite number were read as null")
    }
    if impossibleTimes > 0 {
      warnings.append("field \(field.name): \(impossibleTimes) dates that no calendar has were read as null")
    }
    if withoutZone > 0 {
      warnings.append("field \(field.name): \(withoutZone) moments without a time zone were read as UTC")
    }
    if brokenTexts > 0 {
      warnings.append(
        "field \(field.name): \(brokenTexts) texts that are not in the file's encoding were repaired")
    }
    return warnings
  }
}
