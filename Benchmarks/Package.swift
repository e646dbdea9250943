// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that the benchmarks use Kinship across the module boundary, as users do.
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
        .product(name: "KinshipSync", package: "Kinship"),
        .product(name: "KinshipTiers", package: "Kinship"),
        .product(name: "KinshipTranslation", package: "Kinship"),
        .product(name: "KinshipSQLite", package: "Kinship"),
        .product(name: "KinshipPostgreSQL", package: "Kinship"),
      ],
      swiftSettings: settings),
  ]
)
