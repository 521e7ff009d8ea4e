import MapSystem
import Testing

@Suite struct SHA256Tests {
  /// Source: FIPS 180-2, appendix B, and the digest of no bytes of FIPS 180-4's validation system.
  private static let cases: [(text: String, count: Int, digest: String)] = [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test("Digests equal those of the standard", arguments: cases)
  func digests(text: String, count: Int, digest: String) {
    let bytes = Array(repeatElement(text, count: count).joined().utf8)
    #expect(SHA256.hexadecimal(SHA256.digest(bytes)) == digest)
  }

  @Test("Texts of every length around a block have digests of their own")
  func lengths() {
    let digests = (0...130).map { SHA256.digest([UInt8](repeating: 97, count: $0)) }
    #expect(Set(digests).count == 131)
    #expect(digests.allSatisfy { $0.count == 32 })
    // Source: `printf 'a%.0s' {1..64} | sha256sum` of GNU coreutils 9.1.
    #expect(
      SHA256.hexadecimal(digests[64]) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb")
  }
}
