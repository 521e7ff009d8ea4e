import MapFeatures
import MapReaders
import Testing

@Suite struct ArchiveLimitTests {
  private let limits = ArchiveLimits()

  @Test(
    "Archive entries that leave the archive or contain another one are refused",
    arguments: [
      "", "/etc/passwd", "../a.shp", "a/../../b.shp", "a/..", "C:/a.shp", "a\\b.shp", "inner.zip", "a/b.TAR",
      "x.shp.gz",
      "a\u{0}b",
    ])
  func refusedNames(_ name: String) { #expect(limits.refusal(ofName: name) != nil) }

  @Test(
    "Plain names of archive entries are allowed",
    arguments: ["a.shp", "folder/a.shp", "folder/", "a..b.shp", "gz", "é.dbf"])
  func allowedNames(_ name: String) { #expect(limits.refusal(ofName: name) == nil) }

  @Test("Archive entries are limited by their total size and their compression ratio")
  func sizes() {
    #expect(limits.refusal(uncompressed: 1000, compressed: 1) == nil)
    #expect(limits.refusal(uncompressed: 1001, compressed: 1) != nil)
    #expect(limits.refusal(uncompressed: 0, compressed: 0) == nil)
    #expect(limits.refusal(uncompressed: 4 << 30, compressed: 4 << 30) == nil)
    #expect(limits.refusal(uncompressed: 4 << 30 + 1, compressed: 4 << 30) != nil)
    #expect(limits.refusal(uncompressed: .max, compressed: .max) != nil)
  }
}
