import Foundation
import MapTestSupport
import Testing

/// Answers and messages for slips that new users make.
@Suite struct NewcomerTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "An area with west and east swapped is noted with the smaller area",
    arguments: [
      ["count", Tool.cityData, "--bounds", "15,45,5,55"],
      ["query", Tool.cityData, "--extent", "15,45,5,55", "--count-only"],
      ["statistics", Tool.cityData, "--statistic", "count", "--bounds", "15,45,5,55"],
    ])
  func swappedSides(_ arguments: [String]) async throws {
    let run = try await Tool.run(arguments + ["--strict"])
    #expect(run.code == 0)
    let notes = run.err.split(separator: "\n").filter { $0.hasPrefix("note: ") }
    #expect(notes.count == 1, "\(run)")
    #expect(run.err.contains("350 degrees wide"))
    #expect(run.err.contains("write 5,45,15,55"))
    #expect(try await Tool.run(arguments + ["-q"]).err.isEmpty)
  }

  @Test("An area that crosses the antimeridian the short way has no note")
  func shortWay() async throws {
    for bounds in ["170,-45,-170,55", "-190,-45,-170,55", "-10,35,30,60"] {
      let run = try await Tool.run("count", Tool.cityData, "--bounds", bounds)
      #expect(run.err.isEmpty, "\(run)")
    }
    let metres = try await Tool.run("count", Tool.cityData, "--bounds", "1000000,0,-1000000,5000000,3857")
    #expect(metres.err.contains("write -1000000,0,1000000,5000000,3857"), "\(metres)")
  }

  @Test("The report, JSON answers and lists of extents have the note, too")
  func notesInAnswers() async throws {
    let report = folder.path("r.json")
    let drawn = try await Tool.run(
      "render", Tool.cityData, "-o", folder.path("a.png"), "--size", "80x60", "--bounds", "15,45,5,55",
      "--report",
      report)
    #expect(drawn.err.contains("note: --bounds: "), "\(drawn)")
    let json =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report))) as? [String: Any]
    #expect((json?["notes"] as? [String])?.count == 1)
    let count = try await Tool.run("count", Tool.cityData, "--bounds", "15,45,5,55", "--format", "json")
    #expect(count.out.contains(#""notes":["--bounds: the west side 15"#), "\(count)")
    let lines = try folder.write("5,45,15,55\n15,45,5,55\n", to: "extents.txt")
    let list = try await Tool.run("count", Tool.cityData, "--extents", lines)
    #expect(list.err.contains("--extents, extent 2: "), "\(list)")
  }

  @Test("Columns in the wrong order are reported by their values or their names")
  func swappedColumns() async throws {
    let values = try folder.write("a,b\n10.5,120.5\n20,-130\n", to: "values.csv")
    let run = try await Tool.run("count", values, "--x", "a", "--y", "b")
    #expect(run.err.contains("b has values outside -90 to 90, and a has none"), "\(run)")
    #expect(run.err.contains("write --x b --y a"))
    #expect(try await Tool.run("count", values, "--x", "b", "--y", "a", "--strict").err.isEmpty)
    let names = try folder.write("Lat,Lon\n10,50\n20,60\n", to: "names.csv")
    #expect(try await Tool.run("count", names, "--strict").err.isEmpty)
    let swapped = try await Tool.run("count", names, "--x", "lat", "--y", "lon", "--strict")
    #expect(swapped.code == 1)
    #expect(swapped.err.contains("Lat is the name of a latitude"), "\(swapped)")
    let inFile = try folder.write("longitude,latitude\n10,150\n20,60\n", to: "file.csv")
    #expect(try await Tool.run("count", inFile).err.contains("x and y look swapped"))
    let metres = try folder.write("a,b\n500000,5400000\n", to: "metres.csv")
    #expect(try await !Tool.run("count", metres, "--x", "a", "--y", "b").err.contains("swapped"))
  }

  @Test("The path of tiles with an unknown ending is refused, and one that ends in / is a folder")
  func tileEndings() async throws {
    let options = ["--zoom", "0", "--bounds", "-180,-85,180,85"]
    for name in ["x.zip", "x.png", "x.tiles"] {
      let run = try await Tool.run(["tiles", Tool.cities, "-o", folder.path(name)] + options)
      #expect(run.code == 64, "\(run)")
      #expect(run.err.contains(".mbtiles, .pmtiles, and a folder"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
    let run = try await Tool.run(["tiles", Tool.cities, "-o", folder.path("x.zip") + "/"] + options)
    #expect(run.code == 0, "\(run)")
    #expect(FileManager.default.fileExists(atPath: folder.path("x.zip/0/0/0.png")))
  }

  @Test("Null statistics do not take the first places, and the group of nulls counts as a group")
  func nullsInTop() async throws {
    let data = try folder.write("k,v\na,5\na,6\nb,1\n,7\n,7\n,7\nc,\n", to: "n.csv")
    func top(_ statistic: String, _ order: String) async throws -> String {
      try await Tool.run(
        "statistics", data, "--group-by", "k", "--statistic", statistic, "--order-by", order, "--top", "2",
        "--format", "csv"
      ).out
    }
    #expect(try await top("sum:v", "SUM_v:desc") == "k,SUM_v\n,21\na,11\n")
    #expect(try await top("sum:v", "SUM_v:desc:nulls-first") == "k,SUM_v\nc,\n,21\n")
    #expect(try await top("count", "COUNT:desc") == "k,COUNT\n,3\na,2\n")
    #expect(try await top("count", "k:desc") == "k,COUNT\nc,1\nb,1\n")
  }

  @Test(
    "Sums that are whole numbers have no decimals, up to the largest number that a real number states exactly"
  )
  func wholeSums() async throws {
    let data = try folder.write("k,i,r\na,5,0.5\na,6,0.25\nb,1,2\n", to: "s.csv")
    let text = try await Tool.run(
      "statistics", data, "--group-by", "k", "--statistic", "sum:i", "--statistic", "sum:r", "--statistic",
      "avg:i",
      "--format", "csv")
    #expect(text.out == "k,SUM_i,SUM_r,AVG_i\na,11,0.75,5.5\nb,1,2.0,1.0\n", "\(text)")
    let large = try folder.write("i\n9007199254740992\n9007199254740992\n", to: "l.csv")
    let sum = try await Tool.run("statistics", large, "--statistic", "sum:i", "--format", "csv")
    #expect(sum.out == "SUM_i\n1.8014398509481984e+16\n", "\(sum)")
  }

  @Test(
    "A wrong value names the nearest ones",
    arguments: [
      (["--legend", "topleft"], "did you mean 'top-left'?"),
      (["--legend=topleft"], "did you mean 'top-left'?"),
      (["--scale-bar", "metrik"], "did you mean 'metric'?"),
      (["--basemap", "gray"], "did you mean 'arcGISLightGray' or 'arcGISDarkGray'?"),
      (["--basemap", "oceans"], "did you mean 'arcGISOceans'?"),
      (["--basemap", "arcGISOcean"], "did you mean 'arcGISOceans'?"),
      (["--painter", "slow"], "give one of 'fast' and 'reference'"),
    ])
  func wrongValues(_ options: [String], _ advice: String) async throws {
    for words in [[Tool.cities] + options, options + [Tool.cities]] {
      let run = try await Tool.run(["render", "-o", folder.path("a.png")] + words)
      #expect(run.code == 64, "\(run)")
      #expect(run.err.contains(advice), "\(run)")
    }
  }

  @Test(
    "An option of another command, or of another program, is named with the right one",
    arguments: [
      ("query", "--top", "did you mean '--max-features'?"),
      ("statistics", "--max-features", "did you mean '--top'?"),
      ("count", "--top", "'--top'; statistics has it"),
      ("render", "--filter", "did you mean '--where'?"),
      ("inspect", "--by-time", "'--by-time'; series, statistics have it"),
    ])
  func otherOptions(_ command: String, _ option: String, _ advice: String) async throws {
    // Missing options are reported before unknown ones.
    let needed = ["statistics": ["--statistic", "average:POP"], "render": ["-o", folder.path("a.png")]]
    let run = try await Tool.run([command, Tool.cities, option, "5"] + (needed[command] ?? []))
    #expect(run.code == 64 && run.err.contains(advice), "\(run)")
  }

  @Test("A source may follow an option that may lack its value")
  func sourceAfterFlag() async throws {
    let run = try await Tool.run(
      "render", "-o", folder.path("a.png"), "--size", "200x100", "--legend", Tool.cities)
    #expect(run.code == 0, "\(run)")
  }

  @Test("A statistic by the name of another program names ours")
  func statisticNames() async throws {
    for (name, own) in [("mean", "average"), ("stddev", "standardDeviation"), ("nunique", "distinct")] {
      let run = try await Tool.run("statistics", Tool.cityData, "--statistic", "\(name):POP")
      #expect(run.code == 64)
      #expect(run.err.contains("did you mean \"\(own)\"?"), "\(run)")
    }
  }

  @Test("A filter by a text that no row has is noted with the nearest value")
  func unmatched() async throws {
    let advice = "note: no row has CITY_NAME = 'Berln'; did you mean 'Berlin'?"
    for arguments in [
      ["count", Tool.cityData, "--where", "CITY_NAME = 'Berln'"],
      ["count", Tool.cityData, "--definition", "CITY_NAME IN ('Berln') AND POP > 0"],
      ["query", Tool.cityData, "--cql2", "CITY_NAME = 'Berln'", "--ids"],
      ["statistics", Tool.cityData, "--where", "CITY_NAME = 'Berln'", "--statistic", "sum:POP"],
    ] {
      let run = try await Tool.run(arguments + ["--strict"])
      #expect(run.code == 0)
      #expect(run.err == advice + "\n", "\(run)")
    }
    for clause in [
      "CITY_NAME = 'Berlin' AND POP < 0", "NOT CITY_NAME = 'Berln' AND POP < 0",
      "CITY_NAME = 'Berln' OR CITY_NAME = 'Rome'",
    ] {
      let run = try await Tool.run("count", Tool.cityData, "--where", clause)
      #expect(run.err.isEmpty, "\(run)")
    }
    let far = try await Tool.run("count", Tool.cityData, "--where", "STATUS = 'metropolis'")
    #expect(far.err == "note: no row has STATUS = 'metropolis'\n", "\(far)")
  }

  @Test("A month or a year is a time extent")
  func months() async throws {
    let rows = ["2009-12-31", "2010-01-01", "2010-01-31", "2010-02-01", "2010-12-31", "2011-01-01"]
    let data = try folder.write("lon,lat,day\n" + rows.map { "1,1,\($0)\n" }.joined(), to: "t.csv")
    for (time, count) in [
      ("2010-01", 2), ("2010", 4), ("2010-01/2010-02", 3), ("2010-02/..", 3), ("2009/2010-01-01", 2),
    ] {
      let run = try await Tool.run("count", data, "--time", time)
      #expect(run.out == "\(count)\n", "\(time) \(run)")
    }
    for time in ["2010-13", "201", "2010-1", "2010-02/2010-01"] {
      #expect(try await Tool.run("count", data, "--time", time).code == 64)
    }
  }

  @Test("Numbers of the legend have one name in both commands")
  func legendCounts() async throws {
    for flag in ["--counts", "--legend-counts"] {
      let drawn = try await Tool.run(
        "render", Tool.cities, "-o", folder.path("a.png"), "--size", "300x200", "--legend", flag)
      #expect(drawn.code == 0, "\(drawn)")
      let legend = try await Tool.run("legend", Tool.cities, "-o", folder.path("\(flag).json"), flag)
      #expect(legend.code == 0, "\(legend)")
    }
    #expect(
      try Data(contentsOf: folder.url("--counts.json"))
        == Data(contentsOf: folder.url("--legend-counts.json")))
  }

  @Test("inspect states the range of numbers and dates, and some texts")
  func ranges() async throws {
    let data = try folder.write(
      "n,r,d,t,u,e\n3,0.5,2010-01-02,a,same,\n1,,2009-05-06,b,same,\n,2.25,,c,same,\n4,1,2011-01-01,d,same,\n",
      to: "i.csv")
    let run = try await Tool.run("inspect", data)
    for line in [
      "n  integer, 1 null, 1 to 4", "r  real, 1 null, 0.5 to 2.25",
      "d  date, 1 null, 2009-05-06 to 2011-01-01",
      "t  text, 4 values such as \"a\", \"b\", \"c\"", "u  text, \"same\"", "e  text, 4 null\n",
    ] { #expect(run.out.contains(line), "\(line) \(run.out)") }
    let json = try await Tool.run("inspect", data, "--format", "json")
    #expect(json.out.contains(#""minimum": 1"#) && json.out.contains(#""distinct": 4"#), "\(json.out)")
  }

  @Test("verify names the next command for new and for changed cases")
  func nextCommands() async throws {
    let root = folder.path("my cases")
    let made = try await Tool.run("snapshot", "generate", Tool.cities, root)
    #expect(made.code == 0, "\(made)")
    let new = try await Tool.run("snapshot", "verify", root)
    #expect(new.code == 1)
    #expect(new.err.contains("mapstate snapshot record '\(root)' --missing"), "\(new)")
    #expect(!new.err.contains("--failed"))
  }
}
