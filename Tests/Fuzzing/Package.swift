// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that building the project never needs libFuzzer; `Scripts/fuzz` builds the libraries and links
// each with libFuzzer, whose `main` an executable of SwiftPM could not have.
let names = ["FuzzWhere", "FuzzCQL2", "FuzzGeoJSON", "FuzzCSV"]
let product = Target.Dependency.product(name: "MapState", package: "MapState")

let package = Package(
  name: "Fuzzing",
  products: names.map { .library(name: $0, type: .static, targets: [$0]) },
  dependencies: [.package(name: "MapState", path: "../..")],
  targets: names.map { .target(name: $0, dependencies: [product]) }
)
