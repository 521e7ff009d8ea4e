// swift-tools-version: 6.2
import PackageDescription

// The settings of every Swift target; language mode 6 comes with the tools version.
let wrapper: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // .ci/run sets this. It is off by default, so that new warnings of later compilers do not break users' builds.
  + (Context.environment["MAPSTATE_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : [])

/// The same settings and strict memory safety.
///
/// Not for a module in which nearly every line calls C: there, marking every line would be useless.
let strict: [SwiftSetting] = wrapper + [.strictMemorySafety()]

/// The modules in each folder of Sources, as README's map of the repository shows them.
let groups = [
  "Base": ["MapSystem", "MapJSON", "MapGeometry", "MapImages"],
  "Table": ["MapFilter", "MapFeatures"],
  "Readers": ["MapReaders", "MapGeospatial", "MapTiles", "MapServices", "MapDatabases"],
  "Map": ["MapStyles", "MapExpressions", "MapModel"],
  "Documents": ["MapDocuments"],
  "Draw": ["MapDrawing", "MapStyleDrawing", "MapText", "MapPictures", "MapCairo", "MapVector"],
  "Engine": ["MapBasemap", "MapLayout", "MapGeometryEngine", "MapState", "MapConversion", "MapScript"],
  "Checks": ["MapSnapshots", "MapSnapshotTesting"],
  "Products": [
    "MapCompatibility", "MapHTTP", "MapStateServe", "MapStateCommand", "MapStateTool", "MapStateC",
    "MapStateSamples", "MapStateBenchmarks",
  ],
]

/// Returns a module of the core, with strict settings.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

/// The tests with long loops of their own, over pixels and coordinates; to optimise the others takes longer than they
/// then gain.
let optimizedTests = ["MapCairoTests", "MapImagesTests", "MapGeometryTests"]

/// The modules without loops over features or pixels; packages contain them optimised for size, by a sixth smaller.
///
/// Only for the programs of `static_build`, because SwiftPM accepts these flags in no dependency.
let compact =
  Context.environment["MAPSTATE_COMPACT"] == "1"
  ? [
    "MapDocuments", "MapConversion", "MapScript", "MapSnapshots", "MapHTTP", "MapStateCommand",
    "MapStateServe", "MapStateC", "MapServices", "MapLayout", "MapModel", "MapState", "MapDatabases",
    "MapGeospatial", "MapExpressions",
  ] : []

/// Returns the tests of a module: sources in `Tests/<name>Tests`.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["MapTestSupport"], exclude: exclude,
    resources: resources, swiftSettings: strict)
}

/// The modules that most others import: files, JSON, geometry, filters and tables.
let table: [Target.Dependency] = ["MapSystem", "MapJSON", "MapGeometry", "MapFilter", "MapFeatures"]

/// The readers of untrusted bytes behind one function, for the fuzzer and for the tests that repeat its findings.
///
/// The harness has libFuzzer's `main`, which comes with a sanitizer; `Scripts/checks/fuzz` sets the variable.
let fuzzing: [Target] =
  [
    .target(
      name: "FuzzSubjects",
      dependencies: table + [
        "MapImages", "MapReaders", "MapExpressions", "MapStyles", "MapModel", "MapDrawing", "MapStyleDrawing",
        "MapTiles", "MapServices", "MapDatabases", "MapGeospatial", "MapState", "MapScript", "MapSnapshots",
        "MapHTTP", "CMapState", "MapStateC", "MapTestSupport",
      ],
      path: "Tests/Fuzzing/Subjects", swiftSettings: strict),
    tests("Fuzzing", ["FuzzSubjects"]),
  ]
  + (Context.environment["MAPSTATE_FUZZING"] == "1"
    ? [
      .executableTarget(
        name: "Fuzz", dependencies: ["FuzzSubjects"], path: "Tests/Fuzzing/Harness", swiftSettings: strict)
    ] : [])

/// Labels: shaping of text with bundled fonts.
let text: [Target] = [
  .systemLibrary(name: "CHarfBuzz", pkgConfig: "harfbuzz", providers: [.apt(["libharfbuzz-dev"])]),
  .target(
    name: "CFonts",
    exclude: [
      "NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSans-Italic.ttf", "NotoSans-BoldItalic.ttf",
      "NotoSans-Condensed.ttf", "NotoSans-CondensedBold.ttf", "NotoSans-CondensedItalic.ttf",
      "NotoSans-CondensedBoldItalic.ttf", "OFL.txt",
    ]),
  .target(name: "CFriBidi", dependencies: ["CLibraries"]),
  module(
    "MapText",
    [
      .target(name: "CHarfBuzz", condition: .when(traits: ["Labels"])), "CFonts", "CFriBidi", "MapModel",
      "MapDrawing",
    ]),
  tests(
    "MapText",
    ["MapJSON", "MapGeometry", "MapModel", "MapDrawing", "MapText", "MapCairo", "MapState"],
    resources: [.copy("Cases")]),
]

/// Other vector formats, spatial references and exact relations; GDAL, PROJ and GEOS are opened on demand.
let geospatial: [Target] = [
  .target(name: "CGeospatial", dependencies: ["CLibraries"]),
  .target(
    name: "MapGeospatial",
    dependencies: table + ["CGeospatial", "MapReaders"],
    swiftSettings: wrapper),
  tests(
    "MapGeospatial",
    table + ["MapReaders", "MapGeospatial", "MapState", "MapScript"],
    resources: [.copy("Cases")],
    exclude: [
      "make_cases.py", "make_fault_cases.py", "make_paged_cases.py", "make_reader_cases.py", "make_times.py",
    ]),
]

/// Layers on servers (ArcGIS and OGC API) and tables of databases; libcurl and libpq are opened when they are first needed.
let services: [Target] = [
  .target(name: "CCurl", dependencies: ["CLibraries"]),
  module(
    "MapServices",
    table + ["CCurl", "MapReaders"]),
  tests(
    "MapServices",
    [
      "MapJSON", "MapGeometry", "MapFilter", "MapFeatures", "MapReaders", "MapModel", "MapServices",
      "MapState", "MapScript",
    ],
    exclude: ["Servers"]),
  .target(name: "CPostgreSQL", dependencies: ["CLibraries"]),
  .target(
    name: "MapDatabases",
    dependencies: table + ["CPostgreSQL", "MapReaders", "MapServices"],
    swiftSettings: wrapper),
  tests(
    "MapDatabases",
    table + ["MapReaders", "MapServices", "MapDatabases", "MapModel", "MapDrawing", "MapImages", "MapState"],
    exclude: ["Cases"]),
]

/// Opens C libraries when they are first needed.
let libraries: [Target] = [.target(name: "CLibraries")]

let package = Package(
  name: "MapState",
  products: [
    .library(name: "MapState", targets: ["MapState"]),
    .library(name: "MapScript", targets: ["MapScript"]),
    .library(name: "MapCompatibility", targets: ["MapCompatibility"]),
    .library(name: "MapSnapshots", targets: ["MapSnapshots"]),
    .library(name: "MapSnapshotTesting", targets: ["MapSnapshotTesting"]),
    .library(name: "MapStateC", type: .dynamic, targets: ["MapStateC"]),
    .executable(name: "mapstate", targets: ["MapStateTool"]),
    .executable(name: "mapstate-serve", targets: ["MapStateServe"]),
  ],
  // SwiftPM defines the name of an enabled trait in every target. A package that depends on this one compiles only the
  // targets of its traits. A build of this package compiles all targets (Swift 6.3), so sources that need a header of a
  // trait are in `#if`.
  traits: [
    .trait(name: "Labels", description: "Labels and text symbols, with HarfBuzz"),
    .trait(
      name: "Geospatial", description: "More formats with GDAL, projections with PROJ, relations with GEOS"),
    .trait(
      name: "Services",
      description: "Layers of ArcGIS services, OGC API collections and PostGIS, with libcurl and libpq"),
    .default(enabledTraits: ["Labels", "Geospatial", "Services"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // Level 0: foundations
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    module("MapSystem"),
    module("MapJSON"),
    module("MapGeometry", ["MapSystem", "MapJSON"]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    // zlib comes with libpng.
    .target(name: "CPNGGuard", dependencies: ["CPNG"], linkerSettings: [.linkedLibrary("z")]),
    module("MapImages", ["CPNGGuard", "MapSystem"]),
    // Level 1: filters; tables and questions; bytes to columns and back
    module("MapFilter", ["MapSystem", "MapJSON", "MapGeometry"]),
    module("MapFeatures", ["MapSystem", "MapJSON", "MapGeometry", "MapFilter"]),
    .target(name: "CCompression", dependencies: ["CLibraries"]),
    .target(name: "CDelimiters"),
    module("MapReaders", table + ["CCompression", "CDelimiters"]),
    module("MapExpressions", table),
    module("MapStyles", ["MapSystem", "MapJSON", "MapFilter", "MapFeatures"]),
    // Level 2: the map as state
    module(
      "MapModel",
      table + ["MapImages", "MapExpressions", "MapStyles"]),
    // Level 3: the content of images
    module(
      "MapDrawing",
      table + ["MapExpressions", "MapImages", "MapModel"]),
    module(
      "MapStyleDrawing",
      [
        "MapSystem", "MapJSON", "MapGeometry", "MapImages", "MapFeatures", "MapModel", "MapStyles",
        "MapDrawing",
      ]),
    // Level 4: wrappers of C libraries, the bundled basemap, operations on geometries
    .target(name: "CCoverage"),
    .target(name: "CMarkers"),
    module(
      "MapCairo",
      [
        "CCairo", "CCoverage", "CMarkers", "MapSystem", "MapGeometry", "MapImages", "MapModel", "MapDrawing",
      ]),
    .target(name: "CBundled", exclude: ["world.nebm", "continent.nebm", "country.nebm", "streets"]),
    module(
      "MapDocuments",
      table + ["MapReaders", "MapExpressions", "MapModel"]),
    .target(name: "CVectorPictures", dependencies: ["CLibraries"]),
    .target(
      name: "MapPictures", dependencies: ["CVectorPictures", "MapSystem", "MapImages"], swiftSettings: wrapper
    ),
    .target(name: "CTiles", dependencies: ["CLibraries"]),
    module(
      "MapTiles",
      [
        "CTiles", "MapSystem", "MapJSON", "MapGeometry", "MapImages", "MapFeatures", "MapReaders",
        "MapStyles",
        "MapModel",
      ]),
    module("MapBasemap", ["CBundled", "MapSystem", "MapJSON", "MapGeometry", "MapFeatures", "MapModel"]),
    module("MapVector", ["MapSystem", "MapGeometry", "MapImages", "MapModel", "MapDrawing"]),
    module("MapLayout", ["MapSystem", "MapGeometry", "MapFeatures", "MapModel", "MapDrawing"]),
    module(
      "MapGeometryEngine",
      [
        "MapGeometry", "MapFeatures", "MapModel",
        .target(name: "MapGeospatial", condition: .when(traits: ["Geospatial"])),
      ]),
    // Level 5: the one import for users
    module(
      "MapState",
      [
        "MapSystem", "MapJSON", "MapGeometry", "MapImages", "MapFilter", "MapFeatures", "MapReaders",
        "MapExpressions", "MapStyles", "MapModel",
        "MapDrawing", "MapStyleDrawing", "CCairo", "MapCairo", "MapDocuments", "MapBasemap", "MapPictures",
        "MapTiles",
        "MapGeometryEngine", "MapLayout", "MapVector",
        .target(name: "MapText", condition: .when(traits: ["Labels"])),
        .target(name: "MapGeospatial", condition: .when(traits: ["Geospatial"])),
        .target(name: "MapServices", condition: .when(traits: ["Services"])),
        .target(name: "MapDatabases", condition: .when(traits: ["Services"])),
      ]),
    // Level 6: maps as styles
    module(
      "MapConversion",
      table + [
        "MapImages", "MapReaders", "MapExpressions", "MapModel", "MapDrawing", "MapDocuments", "MapState",
        .target(name: "MapText", condition: .when(traits: ["Labels"])),
      ]),
    // Level 6: requests as text and JSON, sessions, inspection
    module(
      "MapScript",
      table + [
        "MapImages", "MapReaders", "MapStyles", "MapModel", "MapDrawing", "MapDocuments", "MapTiles",
        "MapLayout", "MapState",
      ]),
    // Level 7: names of Apple platforms and of version 100 of the ArcGIS Maps SDK
    module("MapCompatibility", ["MapState"]),
    // Level 7: regression tests of images
    module(
      "MapSnapshots",
      table + [
        "MapImages", "MapReaders", "MapStyles", "MapModel", "MapDrawing", "MapCairo", "MapDocuments",
        "MapState", "MapScript",
      ],
      resources: [.embedInCode("Report/report.html"), .embedInCode("case.schema.json")]),
    // Level 7: the same in Swift tests
    module("MapSnapshotTesting", ["MapSystem", "MapState", "MapSnapshots"]),
    // Level 7: maps by HTTP
    module(
      "MapHTTP",
      [
        "MapSystem", "MapJSON", "MapGeometry", "MapImages", "MapReaders", "MapModel", "MapState", "MapScript",
        "MapSnapshots",
      ],
      resources: [
        .embedInCode("Page/preview.html"), .embedInCode("Page/review.html"),
        .embedInCode("Page/start.html"), .embedInCode("Page/examples.html"),
      ]),
    // Level 8: the server of maps
    .executableTarget(
      name: "MapStateServe",
      dependencies: [
        "MapHTTP", "MapJSON", "MapSystem", "MapState",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    // Level 8: the five samples that the API follows, run by `swift run MapStateSamples`
    .executableTarget(
      name: "MapStateSamples", dependencies: ["MapState", "MapCompatibility"],
      exclude: ["Resources"],
      swiftSettings: strict),
    // Level 8: the commands of the tool, a library that the C interface runs, too
    module(
      "MapStateCommand",
      [
        "MapSystem", "MapGeometry", "MapReaders", "MapStyles", "MapState", "MapConversion", "MapScript",
        "MapSnapshots",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Level 9: the C interface, for other languages; CMapState is its header
    .target(name: "CMapState"),
    module(
      "MapStateC",
      [
        "CMapState", "MapSystem", "MapJSON", "MapState", "MapScript", "MapSnapshots", "MapStateCommand",
      ]),
    // Level 9: the command-line tool
    .executableTarget(name: "MapStateTool", dependencies: ["MapStateCommand"], swiftSettings: strict),
    // Beside the tool: benchmarks of what users wait for
    .executableTarget(
      name: "MapStateBenchmarks",
      dependencies: [
        "MapSystem", "MapJSON", "MapReaders", "MapExpressions", "MapStyles", "MapModel", "MapTiles",
        "MapState",
        "MapScript",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    .target(
      name: "MapTestSupport", dependencies: ["MapGeometry", "MapImages"], path: "Tests/MapTestSupport",
      swiftSettings: strict),
    tests("MapJSON", ["MapJSON"], resources: [.copy("Cases")]),
    tests("MapGeometry", ["MapGeometry", "MapSystem", "MapJSON"], resources: [.copy("Cases")]),
    tests("MapImages", ["MapSystem", "MapImages"], resources: [.copy("Cases")]),
    tests("MapFilter", ["MapFilter"]),
    tests(
      "MapExpressions",
      table + ["MapReaders", "MapExpressions"],
      resources: [.copy("Cases")], exclude: ["make_cases.py"]),
    tests(
      "MapStyles", ["MapSystem", "MapJSON", "MapFilter", "MapFeatures", "MapStyles"],
      resources: [.copy("Cases")]),
    tests(
      "MapFeatures", table + ["MapReaders"],
      resources: [.copy("Cases")]),
    tests(
      "MapModel",
      table + ["MapImages", "MapExpressions", "MapModel", "MapDocuments"],
      resources: [.copy("Cases")]),
    tests(
      "MapDrawing",
      [
        "MapJSON", "MapGeometry", "MapImages", "MapFeatures", "MapReaders", "MapModel", "MapDrawing",
        "MapCairo",
      ],
      resources: [.copy("Dumps")]),
    tests(
      "MapStyleDrawing",
      [
        "MapJSON", "MapGeometry", "MapImages", "MapFeatures", "MapReaders", "MapModel", "MapStyles",
        "MapTiles",
        "MapDrawing", "MapText", "MapCairo", "MapStyleDrawing",
      ]),
    tests(
      "Snapshot",
      ["MapJSON", "MapImages", "MapState", "MapScript", "MapSnapshots", "MapSnapshotTesting"],
      exclude: ["Snapshots"]),
    tests(
      "MapCairo",
      ["CCoverage", "MapGeometry", "MapImages", "MapModel", "MapDrawing", "MapCairo"]),
    tests(
      "MapTiles",
      [
        "MapJSON", "MapGeometry", "MapImages", "MapFilter", "MapFeatures", "MapReaders", "MapModel",
        "MapServices", "MapTiles", "MapState", "MapScript",
      ],
      resources: [.copy("Cases")], exclude: ["Servers"]),
    tests("MapCompatibility", ["MapCompatibility"]),
    tests(
      "MapState",
      [
        "MapJSON", "MapGeometry", "MapImages", "MapFeatures", "MapReaders", "MapModel", "MapDrawing",
        "MapCairo",
        "MapBasemap", "MapLayout", "MapVector", "MapState", "MapScript",
      ]),
    tests("MapHTTP", ["MapJSON", "MapImages", "MapState", "MapScript", "MapHTTP"]),
    tests("MapStateC", ["CMapState", "MapJSON", "MapImages", "MapScript", "MapStateC"]),
    // These tests run the built tool; the Python programs beside them run from the source folder. They import only
    // modules of Base, so that they are compiled at the same time as the tool.
    tests(
      "CommandLine", ["MapSystem", "MapJSON", "MapGeometry", "MapImages"],
      exclude: [
        "counting_server.py", "independent_counts.py", "make_archives.py", "sqlite_differential.py",
        "portal_server.py", "style_server.py", "unauthorised_server.py", "Surface", "Reports/Cases",
      ]),
    // These compare the tool with the modules that it is made of.
    tests(
      "MapStateCommand",
      [
        "MapSystem", "MapJSON", "MapGeometry", "MapImages", "MapModel", "MapDrawing", "MapTiles",
        "MapBasemap",
        "MapLayout", "MapState", "MapScript", "MapSnapshots", "MapHTTP", "MapStateCommand", "MapStateServe",
      ]),
  ] + libraries + text + geospatial + services + fuzzing
)

for target in package.targets where target.isTest && !optimizedTests.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
}

// Modules that wrap a C library, or are its header, are in the folder C.
for target in package.targets where target.path == nil && !target.isTest {
  let group = groups.first { $0.value.contains(target.name) }?.key ?? "C"
  target.path = "Sources/\(group)/\(target.name)"
  if compact.contains(target.name) { target.swiftSettings?.append(.unsafeFlags(["-Osize"])) }
}
