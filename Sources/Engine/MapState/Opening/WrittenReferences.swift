import MapFeatures
package import MapGeometry
import MapGeometryEngine
import MapJSON
import MapReaders

#if Geospatial
  import MapGeospatial
#endif

extension SpatialReference {
  /// Creates a spatial reference from a number, a code such as `EPSG:25832` or `ESRI:103079`, or well-known text.
  ///
  /// - Throws: ``MapStateError`` for other texts, for well-known text that equals no registered spatial reference, and
  ///   for a spatial reference that no map can have.
  package init(text: String) throws(MapStateError) {
    let text = text.split(separator: " ").joined(separator: " ")
    if let number = Int(text), let wkid = WKID(number) {
      self.init(wkid: wkid.rawValue)
    } else if let named = SpatialReference(named: text) {
      self = named
    } else if Self.isDefinition(text) {
      self = try WrittenReferences.registered(text)
    } else {
      throw MapStateError(
        .input,
        "\"\(text.prefix(60))\" is no spatial reference; write a WKID, a code such as EPSG:25832 or ESRI:103079, or WKT"
      )
    }
    if let reason = impossibility { throw MapStateError(.input, "\"\(text.prefix(60))\": \(reason)") }
  }

  /// Returns whether a text has the form of a spatial reference, known or not: a number, a code or a definition.
  package static func hasForm(_ text: String) -> Bool {
    Int(text) != nil || SpatialReference(named: text) != nil || isDefinition(text)
  }

  /// Returns whether a text has the form of well-known text or PROJJSON.
  private static func isDefinition(_ text: String) -> Bool { text.contains("[") || text.hasPrefix("{") }

  /// The reason for which no map can have this spatial reference; nil without one, and if only PROJ could find it.
  package var impossibility: String? {
    do { try SpatialOperations.installed.check(self) } catch {
      // Without PROJ, the first use reports what is missing.
      return error.isMissingLibrary ? nil : error.description
    }
    return nil
  }
}

/// Spatial references that a text defines without a code.
struct WrittenReferences {
  #if Geospatial
    /// The spatial references that equal no registered one, by the numbers that stand for them in the result.
    private(set) var unregistered: [Int: DefinedReference] = [:]
  #endif
  private var numbers: [String: Int] = [:]
  /// The spatial reference that the caller states instead of the written ones.
  private let stated: SpatialReference?

  init(stated: SpatialReference? = nil) { self.stated = stated }

  /// Returns the registered spatial reference that equals well-known text or PROJJSON.
  ///
  /// - Throws: ``MapStateError``, also without PROJ.
  static func registered(_ text: String) throws(MapStateError) -> SpatialReference {
    #if Geospatial
      do {
        if let reference = try DefinedReference(text).reference { return reference }
      } catch {
        throw MapStateError(.input, "\(error)")
      }
      throw MapStateError(
        .input,
        "the WKT equals no registered spatial reference; write the code of a similar one, such as EPSG:25832")
    #else
      throw MapStateError(.input, "WKT is read by PROJ, which this build lacks; write a WKID")
    #endif
  }

  #if Geospatial
    /// Reads data whose spatial reference has a definition and no code: in the registered one that is equal, or else in
    /// WGS 84.
    static func read(
      _ definition: String, _ error: any Error, _ options: ReadingOptions,
      _ read: (ReadingOptions) throws -> FeatureColumns
    ) throws -> FeatureColumns {
      var options = options
      // The reader's own error says what to do.
      guard let defined = try? DefinedReference(definition) else { throw error }
      options.sourceReference = defined.reference ?? .wgs84
      let table = try read(options)
      return defined.reference == nil ? try defined.inWGS84(table) : table
    }
  #else
    static func read(
      _ definition: String, _ error: any Error, _ options: ReadingOptions,
      _ read: (ReadingOptions) throws -> FeatureColumns
    ) throws -> FeatureColumns {
      throw error
    }
  #endif

  /// Returns JSON in which each `spatialReference` with well-known text alone has a WKID, as far as one is known.
  ///
  /// - Parameter numbersAll: whether an unregistered one gets a negative number, for ``placed(_:)``.
  mutating func numbered(_ json: JSONValue, numbersAll: Bool = false) -> JSONValue {
    changed(json, numbersAll) ?? json
  }

  /// Returns the changed value; nil if nothing changes.
  private mutating func changed(_ value: JSONValue, _ numbersAll: Bool) -> JSONValue? {
    switch value {
    case .object(var object):
      var hasChanged = false
      for member in object.members {
        let own = member.name == "spatialReference" ? reference(member.value, numbersAll) : nil
        guard let new = own ?? changed(member.value, numbersAll) else { continue }
        object[member.name] = new
        hasChanged = true
      }
      return hasChanged ? .object(object) : nil
    case .array(var elements):
      var hasChanged = false
      for index in elements.indices {
        guard let new = changed(elements[index], numbersAll) else { continue }
        elements[index] = new
        hasChanged = true
      }
      return hasChanged ? .array(elements) : nil
    case .null, .boolean, .number, .string: return nil
    }
  }

  private mutating func reference(_ value: JSONValue, _ numbersAll: Bool) -> JSONValue? {
    guard var object = value.object, value["wkid"]?.integer == nil, value["latestWkid"]?.integer == nil,
      let text = value["wkt"]?.string ?? value["wkt2"]?.string, let number = number(of: text, numbersAll)
    else { return nil }
    object["wkid"] = .number(number)
    return .object(object)
  }

  private mutating func number(of text: String, _ numbersAll: Bool) -> Int? {
    if let stated { return stated.wkid }
    if let known = numbers[text] { return known }
    #if Geospatial
      guard let defined = try? DefinedReference(text) else { return nil }
      if let reference = defined.reference {
        numbers[text] = reference.wkid
      } else if numbersAll {
        numbers[text] = -1 - unregistered.count
        unregistered[-1 - unregistered.count] = defined
      }
    #endif
    return numbers[text]
  }

  /// Returns a table with its coordinates in WGS 84 if its spatial reference is unregistered.
  func placed(_ table: FeatureColumns) throws -> FeatureColumns {
    #if Geospatial
      if let wkid = table.schema.spatialReference?.wkid, let defined = unregistered[wkid] {
        return try defined.inWGS84(table)
      }
    #endif
    return table
  }
}
