import MapServices
import Testing

@Suite struct WebAddressTests {
  /// - Source: RFC 3986, 5.4.1 and 5.4.2, all examples with web addresses.
  private static let references: [(String, String)] = [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
  ]

  @Test("Relative references resolve as in the standard's examples")
  func referencesOfTheStandard() throws {
    let base = try WebAddress("http://a/b/c/d;p?q")
    for (reference, target) in Self.references {
      #expect(try base.resolving(reference).description == target, "\(reference)")
    }
    #expect(Self.references.count == 38)
    for other in ["g:h", "javascript:alert(1)", "file:///etc/passwd"] {
      #expect(throws: ServiceError.self) { try base.resolving(other) }
    }
  }

  @Test(
    "An address is normalised",
    arguments: [
      ("HTTPS://GIS.Example:443/A?b=C#d", "https://gis.example/A?b=C"), ("http://h:80", "http://h/"),
      ("http://h:8080?x", "http://h:8080/?x"), ("https://[::1]:8/x", "https://[::1]:8/x"),
      ("https://h./x", "https://h/x"), ("https://h/ä b|c", "https://h/%C3%A4%20b%7Cc"),
      ("https://h/%41%zz", "https://h/%41%zz"), ("https://h/a\r\nX: y", "https://h/a%0D%0AX:%20y"),
    ])
  func written(text: String, normal: String) throws { #expect(try WebAddress(text).description == normal) }

  @Test(
    "An invalid address is refused without showing its secret",
    arguments: [
      "gis.example/x", "ftp://h/x", "https://", "https:///x", "https://user:secret@h/x", "https://h:0/",
      "https://h:65536/", "https://h:1x/", "https://h%2Fevil/", "https://bücher.example/", "https://[::1/",
      "https://[gis]/", "https://a b/",
    ])
  func refused(text: String) {
    let error = #expect(throws: ServiceError.self) { try WebAddress(text) }
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  /// As in browsers, the host is the part before a backslash.
  @Test("A backslash or user part cannot hide the host")
  func hostCannotBeHidden() throws {
    #expect(try WebAddress("https://a.example\\@b.example/").host == "a.example")
    #expect(throws: ServiceError.self) { try WebAddress("https://a.example@b.example/") }
  }

  /// - Source: RFC 6890 and its registries; forms that contain IPv4: RFC 4291, 6052, 3056.
  @Test(
    "An IP address is classified by its reach",
    arguments: [
      ("127.0.0.1", NetworkReach.loopback), ("127.255.0.9", .loopback), ("0.0.0.0", .loopback),
      ("::1", .loopback),
      ("::", .loopback), ("::ffff:127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback),
      ("2002:7f00:1::", .loopback), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
      ("10.0.0.1", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
      ("192.168.1.1", .privateNetwork), ("100.64.0.1", .privateNetwork), ("fd00::1", .privateNetwork),
      ("::ffff:10.0.0.1", .privateNetwork), ("224.0.0.1", .privateNetwork), ("ff02::1", .privateNetwork),
      ("172.32.0.1", .world), ("100.128.0.1", .world), ("11.0.0.1", .world), ("192.0.1.1", .world),
      ("93.184.216.34", .world), ("2606:2800:220:1::1", .world), ("::ffff:8.8.8.8", .world),
    ])
  func reach(address: String, reach: NetworkReach) {
    #expect(NetworkReach(address: address) == reach)
    #expect(NetworkReach(host: address.contains(":") ? "[\(address)]" : address) == reach)
  }

  @Test("A host name has no known reach unless it is localhost")
  func namesHaveNoReachButThisMachines() {
    #expect(NetworkReach(host: "localhost") == .loopback)
    #expect(NetworkReach(host: "a.localhost") == .loopback)
    for name in ["gis.example", "localhost.example", "2130706433", "127.1", "0x7f.1", ""] {
      #expect(NetworkReach(host: name) == nil, "\(name)")
    }
  }
}
