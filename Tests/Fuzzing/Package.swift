// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, because libFuzzer's targets have no entry point of their own and link with it
// alone:
//
//   swift build --package-path Tests/Fuzzing -c release --sanitize=fuzzer -Xswiftc
//   -parse-as-library export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1
//   TMPDIR=/dev/shm cd Tests/Fuzzing/.build/release ./fuzz-compact -max_len=512 -max_total_time=300
//   mkdir snapshots logs ./fuzz-snapshot -max_len=2048 -timeout=10 -max_total_time=300 snapshots
//   ./fuzz-log -max_len=2048 -timeout=10 -max_total_time=300 logs
//
// The last two write seeds into the directory if it is empty. Their files are in that for temporary
// files.
let package = Package(
  name: "KinshipFuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Kinship", path: "../..")],
  targets: [
    .target(
      name: "FuzzingSupport", dependencies: [.product(name: "Kinship", package: "Kinship")],
      swiftSettings: settings),
    .executableTarget(
      name: "fuzz-compact", dependencies: [.product(name: "Kinship", package: "Kinship")],
      swiftSettings: settings),
    .executableTarget(
      name: "fuzz-snapshot",
      dependencies: ["FuzzingSupport", .product(name: "Kinship", package: "Kinship")],
      swiftSettings: settings),
    .executableTarget(
      name: "fuzz-log",
      dependencies: [
        "FuzzingSupport", .product(name: "Kinship", package: "Kinship"),
        .product(name: "KinshipFileStore", package: "Kinship"),
      ],
      swiftSettings: settings),
  ]
)
