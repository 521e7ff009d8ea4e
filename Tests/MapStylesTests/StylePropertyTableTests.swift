import MapJSON
import Testing

import MapStyles

@Suite struct StylePropertyTableTests {
  @Test("The table has all ten types of layers, with 144 properties and visibility for each type")
  func count() {
    #expect(StyleLayerType.allCases.count == 10)
    let properties = StyleLayerType.allCases.flatMap(\.properties)
    // The specification counts `visibility` once for each type.
    #expect(properties.count + StyleLayerType.allCases.count == 144)
    for type in StyleLayerType.allCases {
      #expect(Set(type.properties.map(\.name)).count == type.properties.count)
    }
  }

  @Test("Every default is a value of its property", arguments: StyleLayerType.allCases)
  func defaults(type: StyleLayerType) throws {
    for property in type.properties {
      guard let value = property.defaultValue else { continue }
      let read = try StylePropertyValue(value, for: property)
      if case .constant(let constant) = read {
        #expect(property.fault(of: constant) == nil, "\(property.name)")
        #expect(property.fallback == constant, "\(property.name)")
      } else {
        #expect(property.decision.isRamp, "\(property.name)")
      }
    }
  }

  @Test("Requirements name properties of the same type of layer", arguments: StyleLayerType.allCases)
  func requirements(type: StyleLayerType) {
    for property in type.properties {
      for requirement in property.requirements {
        switch requirement {
        case .present(let name), .absent(let name), .member(let name, _):
          #expect(type.index(of: name) != nil, "\(property.name) requires \(name)")
        case .source: break
        }
      }
    }
  }

  @Test("The facts of some properties are those of the specification")
  func facts() throws {
    let line = StyleLayerType.line.properties
    let width = try #require(line.first { $0.name == "line-width" })
    #expect(width.type == .number && width.units == "pixels" && width.fallback == .number(1))
    #expect(width.decision.allowsFeatures && width.decision.allowsZoom && width.isInterpolated)
    let cap = try #require(line.first { $0.name == "line-cap" })
    #expect(cap.type.words == ["butt", "round", "square"] && !cap.isInterpolated)
    let gradient = try #require(line.first { $0.name == "line-gradient" })
    #expect(gradient.decision == .lineProgress)
    #expect(gradient.requirements.contains(.source("geojson", has: "lineMetrics")))
    let symbol = StyleLayerType.symbol.properties
    let field = try #require(symbol.first { $0.name == "text-field" })
    #expect(field.type == .formatted && field.hasTokens && field.group == .layout)
    let padding = try #require(symbol.first { $0.name == "icon-padding" })
    #expect(padding.fallback == .padding([2, 2, 2, 2]))
  }
}
