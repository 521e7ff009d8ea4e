import MapFeatures
import MapModel
import Testing

/// The names of fields as titles of legends.
@Suite struct FieldTitleTests {
  private func title(_ names: String...) -> String {
    FieldTitle.text(of: names, in: names.map { Field(name: $0, type: .float64) })
  }

  @Test("The name of a field becomes words with a capital at their start")
  func words() {
    #expect(title("unemployment_rate") == "Unemployment rate" && title("kind") == "Kind")
    #expect(title("STATE") == "State" && title("GDP_MD_EST") == "GDP MD estimate")
    #expect(title("POP") == "Population" && title("POP_EST") == "Population estimate")
    #expect(title("POP2020") == "Population 2020" && title("CNTRY_NAME") == "Country name")
    #expect(title("medianAge") == "Median age" && title("PopDensity") == "Population density")
    #expect(title("größe") == "Größe" && title("total pop") == "Total pop")
  }

  @Test("Names that are units, symbols, proper names or no words stay")
  func names() {
    for name in ["pH", "pm25", "km2", "id", "mtDNA", "McDonald", "iPhone", "___", "人口"] {
      #expect(title(name) == name)
    }
    #expect(title("kWh_total") == "kWh total" && title("ISO_A3") == "ISO A3")
  }

  @Test("An alias is the title as it is, and a divisor follows a slash")
  func aliases() {
    let fields = [
      Field(name: "out", alias: "out of work", type: .int32), Field(name: "people", type: .int32),
    ]
    #expect(FieldTitle.text(of: ["OUT"], in: fields) == "out of work")
    #expect(FieldTitle.text(of: ["out", "people"], in: fields) == "out of work / people")
    #expect(FieldTitle.text(of: ["people", "out"], in: fields) == "People / out of work")
    #expect(FieldTitle.text(of: ["other_field"], in: fields) == "Other field")
  }
}
