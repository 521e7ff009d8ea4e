import MapState
import Testing

/// The hosts that requests may reach.
@Suite struct HostRulesTests {
  @Test("Names and domains are compared without case, and a domain does not name itself")
  func names() {
    let rules = HostRules(allowed: ["gis.example.org", "*.Example.com"], denied: ["bad.example.com"])
    for host in ["gis.example.org", "GIS.example.org", "a.example.com", "a.b.example.com"] {
      #expect(rules.refusal(of: host) == nil, "\(host)")
    }
    for host in ["example.com", "example.org", "xexample.com", "bad.example.com", "127.0.0.1"] {
      #expect(rules.refusal(of: host) != nil, "\(host)")
    }
    #expect(HostRules().refusal(of: "example.org") == nil)
    #expect(HostRules(denied: ["example.org"]).refusal(of: "a.example.org") == nil)
  }

  @Test("A rule is a host or a domain below *.", arguments: ["a/b", "", "*", "*.", "a b", "u@h", "a.*.b"])
  func forms(text: String) {
    #expect(!HostRules.isRule(text))
    #expect(HostRules.isRule("*.example.org") && HostRules.isRule("127.0.0.1") && HostRules.isRule("[::1]"))
  }
}
