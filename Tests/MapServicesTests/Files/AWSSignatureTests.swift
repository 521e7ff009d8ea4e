import MapServices
import MapSystem
import Testing

/// Source: AWS, "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)", examples of
/// Amazon S3; and the case `get-vanilla` of the AWS Signature Version 4 test suite.
@Suite("Signatures of Amazon Web Services")
struct AWSSignatureTests {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let keys = AWSKeys(
    id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", token: nil)

  private static func signature(
    _ path: String, _ query: String? = nil, _ more: [String: String] = [:]
  ) -> String {
    let header = [
      "Host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": empty,
      "x-amz-date": "20130524T000000Z",
    ]
    return AWSSignature(keys: keys, region: "us-east-1").authorization(
      method: "GET", path: path, query: query, header: header.merging(more) { $1 }, payload: empty,
      date: "20130524T000000Z")
  }

  @Test("The published examples of requests for a part, a list and a setting have their signatures")
  func examples() {
    #expect(
      Self.signature("/test.txt", nil, ["Range": "bytes=0-9"])
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      Self.signature("/", "prefix=J&max-keys=2").hasSuffix(
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    #expect(
      Self.signature("/", "lifecycle").hasSuffix(
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
  }

  @Test("A request of the test suite has its signature")
  func suite() {
    let keys = AWSKeys(
      id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token: nil)
    let field = AWSSignature(keys: keys, region: "us-east-1", service: "service").authorization(
      method: "GET", path: "/", query: nil,
      header: ["Host": "example.amazonaws.com", "X-Amz-Date": "20150830T123600Z"], payload: Self.empty,
      date: "20150830T123600Z")
    #expect(field.hasSuffix("5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"))
  }

  /// Source: RFC 4231, 4.2, 4.3, 4.4 and 4.7.
  @Test("Authentication codes are those of the test cases of the standard")
  func codes() {
    let cases: [([UInt8], [UInt8], String)] = [
      (
        [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
    for (key, message, code) in cases {
      #expect(SHA256.hexadecimal(SHA256.code(of: message, key: key)) == code)
    }
  }
}
