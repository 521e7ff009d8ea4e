import CGeospatial
import Glibc
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapSystem

/// A field of a layer and the column that receives its values.
struct VectorColumn {
  /// The result of reading a field's definition.
  enum Outcome {
    case column(VectorColumn)
    /// The field's type is not supported; the warning names it.
    case dropped(String)
  }

  /// The values so far.
  var values: DeclaredColumn
  private let index: Int32
  /// The field in the `.dbf` file of a shapefile; nil for other formats.
  var attribute: AttributeHeader.Field?
  private var scratch: [UInt8] = []
  /// Whether a timestamp may lie before 1970; GDAL reads those in a File Geodatabase a second late.
  private(set) var hasUncertainTimes = false

  private init(_ values: DeclaredColumn, index: Int32) { (self.values, self.index) = (values, index) }

  /// Creates a column for a field of a layer's definition.
  ///
  /// - Parameter name: the name in the table.
  static func make(
    _ definition: OGRFieldDefnH, index: Int32, name: String, _ calls: cgeospatial_gdal
  ) -> Outcome {
    let alias = calls.OGR_Fld_GetAlternativeNameRef(definition).map { String(cString: $0) } ?? ""
    let (type, subtype) = (calls.OGR_Fld_GetType(definition), calls.OGR_Fld_GetSubType(definition))
    func column(_ type: FieldType, _ kind: DeclaredColumn.Kind) -> Outcome {
      let field = Field(
        name: name, alias: alias.isEmpty ? nil : alias, type: type,
        length: type == .text ? Int(calls.OGR_Fld_GetWidth(definition)) : 0,
        isNullable: calls.OGR_Fld_IsNullable(definition) != 0)
      return .column(VectorColumn(DeclaredColumn(field, kind), index: index))
    }
    switch (type, subtype) {
    // The map SDK has no boolean field; its tables store booleans as short integers.
    case (OFTInteger, OFSTBoolean): return column(.int16, .boolean)
    case (OFTInteger, OFSTInt16): return column(.int16, .integer)
    case (OFTInteger, _): return column(.int32, .integer)
    case (OFTInteger64, _): return column(.int64, .integer)
    case (OFTReal, OFSTFloat32): return column(.float32, .real)
    case (OFTReal, _): return column(.float64, .real)
    case (OFTString, OFSTUUID): return column(.guid, .text)
    case (OFTString, _): return column(.text, .text)
    case (OFTDate, _): return column(.dateOnly, .date)
    case (OFTTime, _): return column(.timeOnly, .text)
    case (OFTDateTime, _): return column(.date, .instant)
    default:
      let kind = calls.OGR_GetFieldTypeName(type).map { String(cString: $0) } ?? "type \(type.rawValue)"
      return .dropped("field \(name): values of type \(kind) are not read")
    }
  }

  /// Adds a feature's value.
  mutating func append(_ feature: OGRFeatureH, _ calls: cgeospatial_gdal) {
    guard calls.OGR_F_IsFieldSetAndNotNull(feature, index) != 0 else { return values.appendNull() }
    switch values.kind {
    case .integer: values.append(integer: calls.OGR_F_GetFieldAsInteger64(feature, index))
    case .boolean: values.append(boolean: calls.OGR_F_GetFieldAsInteger64(feature, index) != 0)
    case .real: values.append(real: calls.OGR_F_GetFieldAsDouble(feature, index))
    case .text:
      guard let text = calls.OGR_F_GetFieldAsString(feature, index) else { return values.appendNull() }
      let length = strlen(text)
      // In a logical field, "?" stands for no value.
      if attribute?.type == UInt8(ascii: "L"),
        length == 0 || length == 1 && UInt8(bitPattern: text[0]) == UInt8(ascii: "?")
      {
        return values.appendNull()
      }
      append(text: UnsafeRawBufferPointer(start: text, count: length))
    case .date: values.append(date: day(feature, calls)?.date)
    case .instant: values.append(moment: moment(feature, calls))
    }
  }

  private mutating func append(text: UnsafeRawBufferPointer) {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: text)
    values.append(text: 0..<scratch.count, in: scratch)
  }

  private mutating func moment(_ feature: OGRFeatureH, _ calls: cgeospatial_gdal) -> ZonedMoment? {
    guard let moment = day(feature, calls) else { return nil }
    if moment.date.days < 0 || moment.date.days == 0 && moment.time == 0 { hasUncertainTimes = true }
    return ZonedMoment(date: moment.date, microseconds: moment.time, hasZone: moment.hasZone)
  }

  /// Returns the day and the microseconds since midnight, in UTC when the zone is known; nil for a day that does not
  /// exist.
  private func day(_ feature: OGRFeatureH, _ calls: cgeospatial_gdal) -> (
    date: CalendarDate, time: Int64, hasZone: Bool
  )? {
    var (year, month, day, hour, minute, zone): (Int32, Int32, Int32, Int32, Int32, Int32) = (
      0, 0, 0, 0, 0, 0
    )
    var second: Float = 0
    guard
      calls.OGR_F_GetFieldAsDateTimeEx(
        feature, index, &year, &month, &day, &hour, &minute, &second, &zone) != 0,
      let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)), abs(second) < 1e9
    else { return nil }
    // GDAL stores seconds in a float, with milliseconds; 59.9999999 becomes 60 there, which is cut as in other formats.
    let milliseconds = min(Int64(clamping: (Double(second) * 1000).rounded()), 59_999)
    var time = (Int64(hour) * 60 + Int64(minute)) * 60_000_000 + milliseconds * 1000
    // 100 is UTC, and a step is a quarter of an hour. 0 is unknown, and 1 is local time in an unknown zone.
    let hasZone = zone > 1
    if hasZone { time -= Int64(zone - 100) * 15 * 60_000_000 }
    return (date, time, hasZone)
  }
}
