import MapSystem

/// The settings of Amazon Web Services in the environment and in the files of a profile.
///
/// - Source: AWS SDKs and Tools Reference Guide: environment variables; shared `config` and `credentials` files.
package struct AWSProfile: Sendable {
  /// The keys; nil for requests without a signature.
  package let keys: AWSKeys?
  package let region: String
  /// The address of a compatible service; nil for Amazon's.
  package let endpoint: String?
  /// Whether the bucket is a part of the host of such a service, and not of the path.
  package let putsBucketInHost: Bool

  /// Reads the settings.
  ///
  /// - Parameter url: the address in errors.
  /// - Throws: ``ServiceError`` for keys that are incomplete or of another kind.
  package init(_ environment: [String: String], for url: String) throws(ServiceError) {
    func set(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    func error(_ reason: String) -> ServiceError { ServiceError(reason, at: url, kind: .refused) }
    let name = set("AWS_PROFILE", "AWS_DEFAULT_PROFILE")
    let folder = set("HOME").map { $0 + "/.aws" }
    func section(_ file: String?, _ title: String, isNamed: Bool) throws(ServiceError) -> [String: String] {
      guard let file, FileAccess.exists(file) else { return [:] }
      do {
        return Self.section(try FileAccess.read(file, limit: 1 << 20), title) ?? [:]
      } catch let fault { throw error("\(fault)") }
    }
    let profile = name ?? "default"
    var known = try section(
      set("AWS_CONFIG_FILE") ?? folder.map { $0 + "/config" },
      profile == "default" ? profile : "profile \(profile)", isNamed: name != nil)
    let stored = try section(
      set("AWS_SHARED_CREDENTIALS_FILE") ?? folder.map { $0 + "/credentials" }, profile, isNamed: name != nil)
    known.merge(stored) { _, own in own }
    if name != nil, known.isEmpty {
      throw error("AWS_PROFILE names no profile of the files in ~/.aws")
    }
    region = set("AWS_REGION", "AWS_DEFAULT_REGION") ?? known["region"] ?? "us-east-1"
    guard region.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
    else { throw error("the region of AWS_REGION or the profile has other characters than a-z, 0-9 and -") }
    endpoint = set("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? known["endpoint_url"]
    let isVirtual = set("AWS_VIRTUAL_HOSTING").map { ["true", "yes", "1"].contains($0.lowercased()) }
    putsBucketInHost = isVirtual ?? (known["addressing_style"] == "virtual")
    if let no = set("AWS_NO_SIGN_REQUEST"), ["true", "yes", "1"].contains(no.lowercased()) {
      keys = nil
      return
    }
    // Keys of one place belong together.
    let keysInEnvironment = environment["AWS_ACCESS_KEY_ID"].map { !$0.isEmpty } ?? false
    let (id, secret, token) =
      keysInEnvironment
      ? (
        set("AWS_ACCESS_KEY_ID"), set("AWS_SECRET_ACCESS_KEY"),
        set("AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN")
      )
      : (known["aws_access_key_id"], known["aws_secret_access_key"], known["aws_session_token"])
    guard let id else {
      if let other = ["role_arn", "sso_session", "sso_start_url", "credential_process"].first(where: {
        known[$0] != nil
      }) {
        throw error(
          "the profile \"\(profile)\" has \(other), which is not read; export its keys, as in "
            + "eval \"$(aws configure export-credentials --format env)\"")
      }
      keys = nil
      return
    }
    guard let secret, secret.utf8.count >= SecretEcho.shortest else {
      throw error("has an access key id without its secret access key")
    }
    guard [id, secret, token ?? ""].allSatisfy({ $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } }) else {
      throw error("the access keys contain spaces or characters that are not ASCII")
    }
    keys = AWSKeys(id: id, secret: secret, token: token)
  }

  /// Returns the settings of a section, with those that are nested below a name such as `s3`; nil without the section.
  static func section(_ bytes: [UInt8], _ title: String) -> [String: String]? {
    var settings: [String: String]?
    var isInside = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let text = Self.trimmed(line)
      guard let first = text.first, first != "#", first != ";" else { continue }
      if first == "[", let end = text.firstIndex(of: "]") {
        let name = text[text.index(after: text.startIndex)..<end].split(separator: " ")
        isInside = name.joined(separator: " ") == title
        if isInside, settings == nil { settings = [:] }
      } else if isInside, let equals = text.firstIndex(of: "=") {
        let name = Self.trimmed(text[..<equals]).lowercased()
        settings?[name] = String(Self.trimmed(text[text.index(after: equals)...]))
      }
    }
    return settings
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
