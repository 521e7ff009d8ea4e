import Foundation
import MapServices
import MapTestSupport
import Testing

@Suite("Addresses of objects")
struct ObjectAddressTests {
  private static func url(_ address: String, _ environment: [String: String] = [:]) throws -> String {
    try ObjectAddress(address, environment: environment).url
  }

  @Test("Buckets are in the host, or in the path where a certificate or a compatible service needs it")
  func addresses() throws {
    #expect(try Self.url("s3://maps/a/b c.fgb") == "https://maps.s3.us-east-1.amazonaws.com/a/b%20c.fgb")
    #expect(
      try Self.url("s3://my.maps/x.csv", ["AWS_REGION": "eu-west-1"])
        == "https://s3.eu-west-1.amazonaws.com/my.maps/x.csv")
    let endpoint = ["AWS_ENDPOINT_URL": "http://127.0.0.1:9000/"]
    #expect(try Self.url("s3://maps/x.csv", endpoint) == "http://127.0.0.1:9000/maps/x.csv")
    #expect(
      try Self.url("s3://maps/x.csv", endpoint.merging(["AWS_VIRTUAL_HOSTING": "TRUE"]) { $1 })
        == "http://maps.127.0.0.1:9000/x.csv")
    #expect(try Self.url("gs://maps/x.csv") == "https://storage.googleapis.com/maps/x.csv")
    #expect(
      try Self.url("az://maps/x.csv", ["AZURE_STORAGE_ACCOUNT": "me"])
        == "https://me.blob.core.windows.net/maps/x.csv")
    #expect(
      try Self.url("az://maps/a b/", ["AZURE_STORAGE_SERVICE_ENDPOINT": "http://127.0.0.1:10000/me/"])
        == "http://127.0.0.1:10000/me/maps/a%20b/")
  }

  @Test(
    "An address that is no object is refused",
    arguments: [
      "s3://maps", "az://maps/", "s3:///x.csv", "s3://Ma ps/x.csv", "s3://a@b/x.csv", "s3://maps/../x.csv",
      "az://maps/x.csv", "s3://ma:ps/x",
    ])
  func refused(address: String) {
    #expect(throws: ServiceError.self) { try Self.url(address) }
  }

  @Test("Keys come from the environment, or else from the profile, and never appear in texts")
  func keys() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("aws-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, to name: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    let secrets = try write(
      """
      [default]
      aws_access_key_id = AKIADEFAULT
      aws_secret_access_key = secret-of-default

      [other]
      aws_access_key_id=AKIAOTHER
      aws_secret_access_key=secret-of-other
      aws_session_token=token-of-other
      """, to: "credentials")
    let config = try write(
      """
      [default]
      region = eu-north-1
      [profile other]
      region = ap-south-1
      [profile single]
      sso_session = me
      """, to: "config")
    var environment = ["AWS_SHARED_CREDENTIALS_FILE": secrets, "AWS_CONFIG_FILE": config]
    let first = try AWSProfile(environment, for: "s3://a/b")
    #expect(first.region == "eu-north-1")
    #expect(first.keys != nil)
    environment["AWS_PROFILE"] = "other"
    let second = try AWSProfile(environment, for: "s3://a/b")
    #expect(second.region == "ap-south-1")
    for text in ["\(second)", String(reflecting: second), "\(second.keys.map { "\($0)" } ?? "")"] {
      #expect(!text.contains("secret-of-other") && !text.contains("token-of-other"), "\(text)")
    }
    environment["AWS_NO_SIGN_REQUEST"] = "YES"
    #expect(try AWSProfile(environment, for: "s3://a/b").keys == nil)
    environment["AWS_NO_SIGN_REQUEST"] = nil
    for name in ["single", "none"] {
      environment["AWS_PROFILE"] = name
      #expect(throws: ServiceError.self) { try AWSProfile(environment, for: "s3://a/b") }
    }
    #expect(throws: ServiceError.self) {
      try AWSProfile(["AWS_ACCESS_KEY_ID": "AKIAONLY"], for: "s3://a/b")
    }
    #expect(try AWSProfile([:], for: "s3://a/b").keys == nil)
  }
}
