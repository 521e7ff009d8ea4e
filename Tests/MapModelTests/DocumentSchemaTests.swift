import MapDocuments
import MapJSON
import Testing

/// The JSON Schema of web maps; `Scripts/checks/schema` checks documents with another program.
@Suite struct DocumentSchemaTests {
  @Test("The schema has every member of every object, with a description")
  func members() throws {
    let definitions = try #require(DocumentSchema.json["$defs"])
    var count = 0
    for object in DocumentObject.allCases where !object.hasVariants || object == .mapServiceLayer {
      let properties = try #require(definitions[object.rawValue]?["properties"]?.object, "\(object)")
      #expect(properties.members.map(\.name).sorted() == object.memberNames.sorted(), "\(object)")
      for member in properties.members {
        count += 1
        #expect(member.value["description"]?.string?.hasSuffix(".") == true, "\(object).\(member.name)")
      }
    }
    #expect(count > 1024)
    #expect(definitions.object?.members.count == DocumentObject.allCases.count)
  }

  @Test("Each reference in the schema is to a definition, and each variant is reached")
  func references() throws {
    let schema = DocumentSchema.json
    let definitions = try #require(schema["$defs"]?.object)
    var found: Set<String> = []
    func walk(_ value: JSONValue) {
      for element in value.array ?? [] { walk(element) }
      for member in value.object?.members ?? [] {
        if member.name == "$ref", let text = member.value.string {
          found.insert(text)
        } else {
          walk(member.value)
        }
      }
    }
    walk(schema)
    let unknown = found.filter { definitions[String($0.dropFirst("#/$defs/".count))] == nil }
    #expect(unknown.isEmpty, "\(unknown)")
    // An address decides about these two, which a schema cannot read.
    let unused = definitions.members.map(\.name).filter { !found.contains("#/$defs/\($0)") }
    #expect(unused == ["mapService"], "\(unused)")
  }

  @Test("Only display filters and rules refuse unknown members, as reading does")
  func strictness() throws {
    let definitions = try #require(DocumentSchema.json["$defs"]?.object)
    let strict = definitions.members.filter { $0.value["additionalProperties"] == false }.map(\.name)
    #expect(strict == ["displayFilterInfo", "displayFilter", "rulePass", "rule"])
  }
}
