import Foundation
import MapFilter
import Testing

/// CASEI and ACCENTI over every character, compared with other implementations.
@Suite struct UnicodeFoldingTests {
  private static func apply(_ function: String, _ text: String) throws -> String {
    guard
      case .text(let result) = try #require(FunctionCatalog.function(named: function)).value(of: [.text(text)]
      )
    else { return "" }
    return result
  }

  private static var scalars: some Sequence<Unicode.Scalar> {
    // The remaining ranges are ideographs and characters that neither function changes.
    [
      0...0x33FF, 0xA000...0xD7FF, 0xF900...0x1_1FFF, 0x1_6000...0x1_6FFF, 0x1_D000...0x1_EFFF,
      0x2_F800...0x2_FA1F,
    ]
    .joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
    // Newer characters are only in the system's tables.
    .filter { $0.properties.age.map { $0.major <= 15 } ?? false }
  }

  /// Foundation decomposes with its own tables.
  @Test("ACCENTI removes the accents that Foundation's decomposition finds")
  func accents() throws {
    var (changed, differing) = (0, [Unicode.Scalar]())
    for scalar in Self.scalars {
      let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      let expected = decomposed.filter {
        $0.properties.generalCategory != .nonspacingMark || $0 == "\u{3099}" || $0 == "\u{309A}"
      }
      let result = try Self.apply("ACCENTI", String(scalar)).unicodeScalars
      if Array(result) != Array(expected) { differing.append(scalar) }
      if Array(result) != [scalar] { changed += 1 }
    }
    #expect(differing.isEmpty, "\(differing)")
    #expect(changed > 14_000)
  }

  /// The dotless i is an exception, because its capital is I.
  @Test("CASEI folds a letter and its other case to the same text")
  func cases() throws {
    var (pairs, differing) = (0, [Unicode.Scalar]())
    for scalar in Self.scalars where scalar.properties.changesWhenCaseMapped {
      let folded = try Self.apply("CASEI", String(scalar))
      #expect(try Self.apply("CASEI", folded) == folded)
      for mapped in [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping] {
        if try Self.apply("CASEI", mapped) != folded { differing.append(scalar) }
      }
      pairs += 1
    }
    #expect(pairs > 2_700)
    // The others have a capital only since Unicode 16.
    #expect(differing == ["\u{131}", "\u{19B}", "\u{264}", "\u{A7D3}", "\u{A7D5}"], "\(differing)")
  }

  /// Source: OGC 21-065 (CQL2), 7.4, 7.5 and its tests; Unicode's CaseFolding.txt, statuses F.
  @Test(
    "Case and accent folding give the standard's examples",
    arguments: [
      ("CASEI", "Straße", "strasse"), ("CASEI", "ΟΔΌΣ", "οδόσ"), ("CASEI", "ὀδός", "ὀδόσ"),
      ("CASEI", "ŒUVRE", "œuvre"),
      ("CASEI", "ﬃ", "ffi"), ("CASEI", "İ", "i\u{307}"), ("CASEI", "K", "k"), ("CASEI", "ꭰ", "Ꭰ"),
      ("CASEI", "", ""),
      ("ACCENTI", "Chișinău", "Chisinau"), ("ACCENTI", "débárquér", "debarquer"),
      ("ACCENTI", "København", "København"),
      ("ACCENTI", "Łódź", "Łodz"), ("ACCENTI", "ば", "は\u{3099}"),
      ("ACCENTI", "한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
      ("ACCENTI", "각", "\u{1100}\u{1161}\u{11A8}"), ("ACCENTI", "가", "\u{1100}\u{1161}"),
      ("ACCENTI", "e\u{301}\u{323}", "e"),
      ("ACCENTI", "は\u{302E}\u{3099}", "は\u{3099}\u{302E}"), ("ACCENTI", "ṩ", "s"),
    ])
  func known(_ function: String, _ text: String, _ result: String) throws {
    #expect(Array(try Self.apply(function, text).unicodeScalars) == Array(result.unicodeScalars))
  }
}
