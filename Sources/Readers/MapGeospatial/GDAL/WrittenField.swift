import CGeospatial
import MapFeatures
import MapFilter

/// A field of a layer to write, and the column with its values.
struct WrittenField {
  private let column: Column
  /// The field's index in the layer.
  private let index: Int32
  /// The number of timestamps that were rounded to a millisecond.
  private(set) var roundedTimestamps = 0
  /// The number of dates outside the years 0 to 9999, which no format can store.
  private(set) var lostDates = 0
  /// The name in the layer.
  let name: String

  /// Adds the field to a layer.
  ///
  /// - Throws: ``LibraryError`` when the format refuses it.
  init(
    _ field: Field, _ column: Column, name: String, rows: [Int], layer: OGRLayerH, index: Int,
    _ file: MemoryFile
  ) throws(LibraryError) {
    let calls = file.library.calls
    (self.column, self.name, self.index) = (column, name, Int32(index))
    let (type, subtype) = Self.type(field.fieldType, column, rows)
    let created = file.library.listening(file.messages) {
      guard let definition = calls.OGR_Fld_Create(name, type) else { return false }
      defer { calls.OGR_Fld_Destroy(definition) }
      if subtype != OFSTNone { calls.OGR_Fld_SetSubType(definition, subtype) }
      if field.alias != field.name { calls.OGR_Fld_SetAlternativeName(definition, field.alias) }
      if field.length > 0, Self.holdsTexts(column, ofAtMost: field.length) {
        calls.OGR_Fld_SetWidth(definition, Int32(clamping: field.length))
      }
      return calls.OGR_L_CreateField(layer, definition, 1) == OGRERR_NONE
    }
    guard created else {
      throw LibraryError("field \(name): \(file.messages.takeError() ?? "the format refuses it")")
    }
    if case .text(_, let dictionary) = column.storage, dictionary.contains(where: { $0.utf8.contains(0) }) {
      throw LibraryError("field \(name): a text has a zero character, which the format cannot hold")
    }
  }

  /// Returns the declared type when all values fit, else the widest type of its kind.
  private static func type(
    _ declared: FieldType, _ column: Column, _ rows: [Int]
  ) -> (OGRFieldType, OGRFieldSubType) {
    func all(_ fits: (Int) -> Bool) -> Bool { rows.allSatisfy { !column.isValid($0) || fits($0) } }
    switch column.storage {
    case .integers, .shortIntegers:
      let values = column.integers ?? []
      if declared == .int16, all({ Int16(exactly: values[$0]) != nil }) { return (OFTInteger, OFSTInt16) }
      let isShort = declared == .int32 || declared == .int16
      return (isShort && all { Int32(exactly: values[$0]) != nil } ? OFTInteger : OFTInteger64, OFSTNone)
    case .reals(let values):
      let isSingle = declared == .float32 && all { Double(Float(values[$0])) == values[$0] }
      return (OFTReal, isSingle ? OFSTFloat32 : OFSTNone)
    case .booleans: return (OFTInteger, OFSTBoolean)
    case .text: return (OFTString, OFSTNone)
    case .dates: return (OFTDate, OFSTNone)
    case .instants: return (OFTDateTime, OFSTNone)
    }
  }

  private static func holdsTexts(_ column: Column, ofAtMost length: Int) -> Bool {
    guard case .text(_, let dictionary) = column.storage else { return false }
    return dictionary.allSatisfy { $0.unicodeScalars.count <= length }
  }

  /// Sets the value of a row.
  mutating func set(_ row: Int, of feature: OGRFeatureH, _ calls: cgeospatial_gdal) {
    switch column.value(at: row) {
    case .integer(let value): calls.OGR_F_SetFieldInteger64(feature, index, value)
    case .boolean(let value): calls.OGR_F_SetFieldInteger64(feature, index, value ? 1 : 0)
    case .real(let value): calls.OGR_F_SetFieldDouble(feature, index, value)
    case .text(let text): calls.OGR_F_SetFieldString(feature, index, text)
    case .date(let date): set(date, milliseconds: 0, of: feature, calls)
    case .instant(let instant):
      if !instant.microseconds.isMultiple(of: 1000) { roundedTimestamps += 1 }
      // Adding half a millisecond and truncating to milliseconds rounds the value, and the date follows it.
      let rounded = Instant(microseconds: instant.microseconds.addingReportingOverflow(500).partialValue)
      set(rounded.date, milliseconds: rounded.microsecondOfDay / 1000, of: feature, calls)
    case .null, .duration: calls.OGR_F_SetFieldNull(feature, index)
    }
  }

  private mutating func set(
    _ date: CalendarDate, milliseconds: Int64, of feature: OGRFeatureH, _ calls: cgeospatial_gdal
  ) {
    let (year, month, day) = date.components
    guard 0...9999 ~= year else {
      lostDates += 1
      return calls.OGR_F_SetFieldNull(feature, index)
    }
    let minutes = milliseconds / 60_000
    // 100 means UTC.
    calls.OGR_F_SetFieldDateTimeEx(
      feature, index, Int32(year), Int32(month), Int32(day), Int32(minutes / 60), Int32(minutes % 60),
      Float(milliseconds % 60_000) / 1000, 100)
  }
}
