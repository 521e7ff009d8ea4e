import Foundation
import MapJSON
import MapTestSupport
import Testing

/// The comparison of values by filters, classes, derived classes, Arcade and lint, which is the same for each type.
@Suite struct ValueComparisonTests {
  /// A value of a field, as each part writes it.
  struct Value: Sendable {
    /// The value in the feature set.
    let json: String
    /// The literal of a where clause.
    let sql: String
    /// The value of a class, in JSON.
    let unique: String
    /// The literal of Arcade; nil where Arcade has no such value.
    let arcade: String?
  }

  /// A field with different values.
  struct Column: Sendable, CustomTestStringConvertible {
    let type: String
    let values: [Value]
    var testDescription: String { type }
  }

  private static func numbers(_ texts: [String], arcade: Bool = true) -> [Value] {
    texts.map { Value(json: $0, sql: $0, unique: "\"\($0)\"", arcade: arcade ? $0 : nil) }
  }
  private static func texts(_ texts: [String]) -> [Value] {
    texts.map { Value(json: "\"\($0)\"", sql: "'\($0)'", unique: "\"\($0)\"", arcade: "'\($0)'") }
  }

  static let columns = [
    Column(
      type: "Double",
      values: numbers([
        "1000000000000000", "4006381333931123", "9007199254740992", "1e+21", "1.7976931348623157e+308",
        "0.0001",
        "0.00001", "1.5e-7", "5e-324", "-0.00001", "0", "0.1", "100.5", "-1e+22",
      ])
    ),
    Column(
      type: "BigInteger",
      values: numbers(
        [
          "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807",
          "-9223372036854775808", "0",
        ], arcade: false)),
    Column(type: "Integer", values: numbers(["2147483647", "-2147483648", "7", "0"])),
    Column(
      type: "String",
      values: texts(["café", "cafe\u{301}", "Å", "\u{212B}", "2", "02", "2.0", "true", " x", "x ", ""])),
    Column(
      type: "DateOnly",
      values: ["2024-02-29", "2024-03-01", "0001-01-01", "9999-12-31"].map {
        Value(json: "\"\($0)\"", sql: "DATE '\($0)'", unique: "\"\($0)\"", arcade: nil)
      }),
    Column(
      type: "TimestampOffset",
      values: [
        ("2024-02-29T10:00:00Z", "2024-02-29 10:00:00"), ("2024-02-29T10:00:00+01:00", "2024-02-29 09:00:00"),
        ("2024-02-29T10:00:00.000001Z", "2024-02-29 10:00:00.000001"),
        ("2300-01-01T00:00:00.123457Z", "2300-01-01 00:00:00.123457"),
      ].map {
        Value(json: "\"\($0.0)\"", sql: "TIMESTAMP '\($0.1)'", unique: "\"\($0.0)\"", arcade: nil)
      }),
    Column(
      type: "Date",
      values: [
        ("1709200800000", "2024-02-29 10:00:00"), ("1709200800001", "2024-02-29 10:00:00.001"),
        ("-1", "1969-12-31 23:59:59.999"),
      ].map { Value(json: $0.0, sql: "TIMESTAMP '\($0.1)'", unique: $0.0, arcade: "Date(\($0.0))") }),
  ]

  /// A layer with one row and one class for each value.
  private static func document(_ column: Column, renderer: String? = nil) -> String {
    let classes = column.values.enumerated().map { index, value in
      #"{"value":\#(value.unique),"label":"class \#(index)","symbol":\#(symbol)}"#
    }
    let unique =
      #"{"type":"uniqueValue","field1":"v","uniqueValueInfos":[\#(classes.joined(separator: ","))]}"#
    let features = column.values.enumerated().map { index, value in
      #"{"attributes":{"OBJECTID":\#(index + 1),"v":\#(value.json)},"geometry":{"x":\#(index),"y":0}}"#
    }
    return #"""
      {"version":"2.31","operationalLayers":[{"id":"x","title":"x","layerType":"ArcGISFeatureLayer",
      "featureCollection":{"layers":[{"layerDefinition":{"geometryType":"esriGeometryPoint",
      "objectIdField":"OBJECTID","fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},
      {"name":"v","type":"esriFieldType\#(column.type)"}],"drawingInfo":{"renderer":\#(renderer ?? unique)}},
      "featureSet":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
      "features":[\#(features.joined(separator: ","))]}}]}}]}
      """#
  }
  private static let symbol =
    #"{"type":"esriSMS","style":"esriSMSCircle","size":8,"color":[200,60,40,255]}"#

  /// The features of each class, by its label.
  private static func counts(_ path: String, _ options: String...) async throws -> [String: Int] {
    let run = try await Tool.run(
      ["count", path, "--everywhere", "--by-class", "--format", "json"] + options)
    #expect(run.code == 0, "\(run)")
    let layer = try #require(try JSONValue(parsing: Array(run.out.utf8))["layers"]?.array?.first)
    var counts: [String: Int] = [:]
    for item in try #require(layer["classes"]?.array) {
      counts[item["label"]?.string ?? ""] = item["count"]?.integer
    }
    return counts
  }

  @Test("A value equals itself and no other, in filters, classes, Arcade and lint", arguments: columns)
  func equality(_ column: Column) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.document(column), to: "values.json")
    for value in column.values {
      let run = try await Tool.run("count", path, "--everywhere", "--where", "v = \(value.sql)")
      #expect(run.out == "1\n", "\(value) \(run.err)")
      guard let arcade = value.arcade else { continue }
      let expression = "IIf($feature.v == \(arcade), 'same', 'other')".replacing("\"", with: "\\\"")
      let renderer = #"""
        {"type":"uniqueValue","valueExpression":"\#(expression)","uniqueValueInfos":[
        {"value":"same","label":"same","symbol":\#(Self.symbol)}]}
        """#
      let other = try folder.write(Self.document(column, renderer: renderer), to: "arcade.json")
      let same = try await Self.counts(other)["same"]
      #expect(same == 1, "\(value)")
    }
    var expected = ["(no class)": 0]
    for index in column.values.indices { expected["class \(index)"] = 1 }
    #expect(try await Self.counts(path) == expected)
    let lint = try await Tool.run("lint", path, "--format", "json")
    let rules = ["class-without-rows", "duplicate-value", "unreachable-class", "value-without-class"]
    for rule in rules { #expect(!lint.out.contains(rule), "\(lint.out)") }
  }

  @Test("Classes of numbers are ranges of filters, up to the limits of each type")
  func ranges() async throws {
    for column in Self.columns.prefix(3) {
      let folder = try ScratchFolder()
      let bounds = column.values.map(\.json).sorted { (Double($0) ?? 0, $0) < (Double($1) ?? 0, $1) }
      for bound in bounds where Double(bound).map({ $0.magnitude < 1e308 }) == true {
        let number = try #require(Double(bound))
        let renderer = #"""
          {"type":"classBreaks","field":"v","classBreakInfos":[{"classMaxValue":\#(bound),"label":"low",
          "symbol":\#(Self.symbol)}]}
          """#
        let path = try folder.write(Self.document(column, renderer: renderer), to: "range.json")
        // A bound is a double, so the literal is the nearest one, written with an exponent.
        let literal = "\(number)".contains("e") ? "\(number)" : "\(number)e0"
        let run = try await Tool.run("count", path, "--everywhere", "--where", "v <= \(literal)")
        #expect(try await Self.counts(path)["low"] == Int(run.out.dropLast()), "\(column.type) \(bound)")
      }
    }
  }

  @Test("Derived classes have every row of whole numbers beyond 2^53, and texts by code point")
  func derived() async throws {
    let folder = try ScratchFolder()
    func table(_ values: [String]) -> String {
      "longitude,latitude,v\n" + values.enumerated().map { "\($0),0,\($1)\n" }.joined()
    }
    let whole = (0..<12).map { "\(9_007_199_254_740_993 + $0)" } + ["-9007199254740993"]
    let numbers = try folder.write(table(whole), to: "whole.csv")
    for options in [["--color-by", "v"], ["--color-by", "v", "--breaks", "9007199254740992"]] {
      let run = try await Tool.run(["count", numbers, "--everywhere", "--by-class"] + options)
      #expect(run.out.contains("No data"), "\(run)")
      let empty = run.out.split(separator: "\n").first { $0.contains("No data") }
      #expect(empty?.hasSuffix("\t0") == true, "\(run)")
    }
    let names = try folder.write(table(["café", "cafe\u{301}", "cafe\u{301}"]), to: "names.csv")
    let counts = try await Self.counts(names, "--color-by", "v")
    #expect(counts.count >= 2)
    let run = try await Tool.run(
      "count", names, "--everywhere", "--by-class", "--color-by", "v", "--format", "csv")
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(
      lines.contains { $0.unicodeScalars.elementsEqual("cafe\u{301},2".unicodeScalars) || $0.hasSuffix(",2") }
    )
    #expect(lines.contains { $0.hasSuffix(",1") }, "\(lines)")
  }
}
