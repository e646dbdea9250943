// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Albums",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(path: "../Kinship", traits: ["SQLite"])],
  targets: [
    .executableTarget(
      name: "Albums",
      dependencies: [
        .product(name: "Kinship", package: "Kinship"),
        .product(name: "KinshipSQLite", package: "Kinship"),
        .product(name: "KinshipSync", package: "Kinship"),
      ])
  ]
)
