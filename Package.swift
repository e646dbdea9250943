// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Kinship",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Kinship", targets: ["Kinship"]),
    .executable(name: "family-tree", targets: ["family-tree"]),
  ],
  targets: [
    .target(name: "Kinship", swiftSettings: settings),
    .executableTarget(name: "family-tree", dependencies: ["Kinship"], swiftSettings: settings),
    .target(
      name: "KinshipTestSupport", dependencies: ["Kinship"], path: "Tests/KinshipTestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "KinshipTests", dependencies: ["Kinship", "KinshipTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipTestSupportTests", dependencies: ["Kinship", "KinshipTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FamilyTreeTests", dependencies: ["family-tree"], swiftSettings: settings),
  ]
)
