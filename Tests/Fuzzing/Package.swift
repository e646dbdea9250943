// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, since what libFuzzer runs has no entry point of its own and links with it alone:
//
//   swift build --package-path Tests/Fuzzing -c release --sanitize=fuzzer -Xswiftc -parse-as-library
//   SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 \
//     Tests/Fuzzing/.build/release/fuzz-compact -max_len=512 -max_total_time=300
let package = Package(
  name: "KinshipFuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Kinship", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz-compact", dependencies: [.product(name: "Kinship", package: "Kinship")],
      swiftSettings: settings)
  ]
)
