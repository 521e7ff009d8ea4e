import MapServices
import MapState
import Testing

import MapDatabases

/// Addresses of tables: their parts, and the texts that may show them.
@Suite struct DatabaseAddressTests {
  @Test("An address is divided into its parts")
  func parts() throws {
    let address = try DatabaseAddress(
      "postgresql://anna%40x:p%2Fw%23@db.example.com:5433/maps%20old?key=id&sslmode=verify-full&geometry=g#public.roads"
    )
    #expect(address.host == "db.example.com" && address.port == 5433 && address.database == "maps old")
    #expect(address.user == "anna@x" && address.password == "p/w#")
    #expect(address.key == "id" && address.geometry == "g" && address.encryption == "verify-full")
    #expect(address.fragment == "public.roads" && !address.isSocket)
    #expect(address.origin == "db.example.com:5433")
    #expect(address.shown == "postgresql://db.example.com:5433/maps old")
    #expect(
      address.description
        == "postgresql://anna%40x@db.example.com:5433/maps%20old?sslmode=verify-full&key=id&geometry=g#public.roads"
    )
  }

  @Test("Hosts may be left out, numeric, or the folder of a socket")
  func hosts() throws {
    #expect(try DatabaseAddress("postgres:///maps#t").isSocket)
    #expect(try DatabaseAddress("postgresql://%2Frun%2Fpg/maps#t").host == "/run/pg")
    #expect(try DatabaseAddress("postgresql:///maps?host=/run/pg&port=5433#t").port == 5433)
    let six = try DatabaseAddress("postgresql://[::1]:5433/maps#t")
    #expect(six.host == "::1" && six.port == 5433 && six.shown == "postgresql://[::1]:5433/maps")
    #expect(try DatabaseAddress("postgresql://localhost").database == "")
  }

  @Test("The written address has all parts but the password, and reads back")
  func written() throws {
    for text in [
      "postgresql://anna:secret-9@h/d?key=a%26b#\"a.b\".c/point", "postgresql:///d?host=/a%20b#t",
      "postgresql://[::1]:7/d#Ünï",
    ] {
      let address = try DatabaseAddress(text)
      let again = try DatabaseAddress(address.description)
      #expect(!address.description.contains("secret-9"))
      #expect(again.description == address.description && again.password == nil)
      #expect(again.host == address.host && again.fragment == address.fragment && again.key == address.key)
    }
  }

  @Test(
    "No message about an unusual address shows its password",
    arguments: [
      "postgresql://anna:open/sesame@h/d#t", "postgresql://anna:open?sesame@h/d#t",
      "postgresql://anna:open#sesame@h/d#t", "postgresql://anna:open@sesame@h/d/x#t",
      "postgresql://anna:open%sesame@h/d#t", "postgresql://anna:opensesame@h:x/d#t",
      "postgresql://anna:opensesame@h/d?kei=1#t", "postgresql://h/d?password=opensesame&port=x#t",
      "postgresql://anna:open/sesame@h/d?key=a@b#t",
    ])
  func masks(_ text: String) throws {
    #expect(!SourceAddress.shown(text).contains("open") && !SourceAddress.shown(text).contains("sesame"))
    #expect(!DatabaseAddress.shown(text).contains("open") && !DatabaseAddress.shown(text).contains("sesame"))
    do {
      let address = try DatabaseAddress(text)
      #expect(!address.shown.contains("sesame") && !address.description.contains("sesame"))
    } catch {
      #expect(!"\(error)".contains("open") && !"\(error)".contains("sesame"), "\(error)")
    }
  }

  @Test(
    "A wrong address is refused with the reason",
    arguments: [
      ("postgresql://h:0/d#t", "has no valid port"), ("postgresql://h:99999/d#t", "has no valid port"),
      ("postgresql://h:1x/d#t", "has no valid port"), ("postgresql://a,b/d#t", "has no valid host"),
      ("postgresql://h/d?kee=1#t", "has an unknown parameter 'kee'; did you mean 'key'?"),
      (
        "postgresql://h/d?options=x#t",
        "has an unknown parameter 'options'; available: host, port, user, password, sslmode, key, geometry"
      ),
      (
        "postgresql://h/d?sslmode=on#t",
        "sslmode is none of disable, allow, prefer, require, verify-ca, verify-full"
      ),
      ("postgresql://h/%ff#t", "contains a percent sign that does not encode a character of UTF-8"),
      ("postgresql://h/%+f#t", "contains a percent sign that does not encode a character of UTF-8"),
      ("postgresql://h/a%00b#t", "has no valid host"),
      (
        "postgresql://h/d#a@b",
        "contains @ after the host; write %40, and %2F for / in a user name or password"
      ),
    ])
  func faults(_ text: String, _ reason: String) {
    #expect { try DatabaseAddress(text) } throws: { ($0 as? ServiceError)?.reason == reason }
  }

  @Test("The fragment names a schema, a table and a kind of geometry")
  func names() throws {
    func parts(_ text: String) -> [String?]? {
      TableName(text).map { [$0.schema, $0.table, $0.kind?.rawValue] }
    }
    #expect(parts("roads") == [nil, "roads", nil])
    #expect(parts("public.roads") == ["public", "roads", nil])
    #expect(parts("public.roads/polyline") == ["public", "roads", "polyline"])
    #expect(parts("\"a.b\".\"c/d\"\"e\"/point") == ["a.b", "c/d\"e", "point"])
    for text in ["", ".", "a.", ".a", "a.b.c", "a/", "a/circle", "\"a", "\"a\"b", "\"\""] {
      #expect(parts(text) == nil, "\(text)")
    }
    for name in ["plain", "a.b", "a/b", "a\"b", "Ünï x"] {
      #expect(TableName(TableName.written(name))?.table == name)
    }
    #expect(TableName.quoted("a\"; DROP TABLE b") == "\"a\"\"; DROP TABLE b\"")
    // With a combining accent, the quotation mark is another character.
    #expect(Array(TableName.quoted("a\"\u{301}").utf8) == Array("\"a\"\"\u{301}\"".utf8))
  }
}
