// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that what is measured is what a user gets across the module boundary.
let package = Package(
  name: "KinshipBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Kinship", path: "..", traits: ["SQLite", "PostgreSQL"])],
  targets: [
    .target(name: "CHeapSize"),
    .executableTarget(
      name: "kinship-bench",
      dependencies: [
        "CHeapSize", .product(name: "Kinship", package: "Kinship"),
        .product(name: "KinshipDiagnostics", package: "Kinship"),
        .product(name: "KinshipFileStore", package: "Kinship"),
        .product(name: "KinshipTiers", package: "Kinship"),
        .product(name: "KinshipSQLite", package: "Kinship"),
        .product(name: "KinshipPostgreSQL", package: "Kinship"),
      ],
      swiftSettings: settings),
  ]
)
