// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets that need the system's SQLite; without `--traits SQLite`, their sources are empty.
let withSQLite = TargetDependencyCondition.when(traits: ["SQLite"])
/// Targets that need libpq, PostgreSQL's client library, and so `--traits PostgreSQL`.
let withPostgreSQL = TargetDependencyCondition.when(traits: ["PostgreSQL"])
/// A target that both databases share is built if either trait is enabled.
let withDatabase = TargetDependencyCondition.when(traits: ["SQLite", "PostgreSQL"])

/// The program of a tutorial, as it is at the end of it.
func tutorial(_ name: String, _ others: Target.Dependency...) -> Target {
  .executableTarget(
    name: "Tutorial\(name)", dependencies: ["Kinship", "KinshipSQLite"] + others,
    path: "Tests/Tutorials/\(name)", swiftSettings: settings)
}

let package = Package(
  name: "Kinship",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Kinship", targets: ["Kinship"]),
    .library(name: "KinshipDiagnostics", targets: ["KinshipDiagnostics"]),
    .library(name: "KinshipMemoryPressure", targets: ["KinshipMemoryPressure"]),
    .library(name: "KinshipSync", targets: ["KinshipSync"]),
    .library(name: "KinshipTiers", targets: ["KinshipTiers"]),
    .library(name: "KinshipTranslation", targets: ["KinshipTranslation"]),
    .library(name: "KinshipFileStore", targets: ["KinshipFileStore"]),
    .library(name: "KinshipFoundation", targets: ["KinshipFoundation"]),
    .library(name: "KinshipSQLite", targets: ["KinshipSQLite"]),
    .library(name: "KinshipPostgreSQL", targets: ["KinshipPostgreSQL"]),
    .library(name: "KinshipTesting", targets: ["KinshipTesting"]),
    .executable(name: "family-tree", targets: ["family-tree"]),
    .executable(name: "kinship-inspect", targets: ["kinship-inspect"]),
  ],
  traits: [
    .trait(name: "SQLite", description: "A backing store on the system's SQLite, KinshipSQLite."),
    .trait(name: "PostgreSQL", description: "A shared store on PostgreSQL, KinshipPostgreSQL."),
  ],
  targets: [
    .target(name: "KinshipFiles", swiftSettings: settings),
    .target(name: "Kinship", dependencies: ["KinshipFiles"], swiftSettings: settings),
    .target(name: "KinshipDiagnostics", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipMemoryPressure", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipSync", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipTiers", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipTranslation", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipInspection", dependencies: ["Kinship"], swiftSettings: settings),
    .target(
      name: "KinshipFileStore", dependencies: ["Kinship", "KinshipInspection"],
      swiftSettings: settings),
    .target(name: "KinshipFoundation", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipSQL", dependencies: ["Kinship"], swiftSettings: settings),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "KinshipSQLite",
      dependencies: [
        "Kinship", "KinshipInspection", "KinshipSQL", "KinshipSync",
        .target(name: "CSQLite", condition: withSQLite),
      ],
      swiftSettings: settings),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "KinshipPostgreSQL",
      dependencies: [
        "Kinship", "KinshipInspection", "KinshipSQL", "KinshipSync",
        .target(name: "CPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
    .target(name: "KinshipTesting", dependencies: ["Kinship"], swiftSettings: settings),
    .target(name: "KinshipProgram", dependencies: ["Kinship"], swiftSettings: settings),
    .executableTarget(
      name: "family-tree",
      dependencies: [
        "Kinship", "KinshipDiagnostics", "KinshipFileStore", "KinshipProgram", "KinshipSync",
        .target(name: "KinshipSQL", condition: withDatabase),
        .target(name: "KinshipSQLite", condition: withSQLite),
        .target(name: "KinshipPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "kinship-inspect",
      dependencies: [
        "Kinship", "KinshipFileStore", "KinshipInspection", "KinshipProgram",
        .target(name: "KinshipSQL", condition: withDatabase),
        .target(name: "KinshipSQLite", condition: withSQLite),
        .target(name: "KinshipPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
    .target(
      name: "KinshipTestSupport",
      dependencies: [
        "Kinship", "KinshipTesting", "KinshipFileStore", "KinshipMemoryPressure", "KinshipSync",
        "KinshipTranslation", "PlainGenealogy",
      ],
      path: "Tests/KinshipTestSupport", swiftSettings: settings),
    .target(
      name: "KinshipTestTraits", dependencies: ["KinshipTestSupport"],
      path: "Tests/KinshipTestTraits", swiftSettings: settings),
    .target(
      name: "KinshipStoreTestSupport",
      dependencies: [
        "Kinship", "KinshipSQL", "KinshipSQLite", "KinshipPostgreSQL", "KinshipSync",
        .target(name: "CSQLite", condition: withSQLite),
      ],
      path: "Tests/KinshipStoreTestSupport", swiftSettings: settings),
    .target(
      name: "KinshipTrials",
      dependencies: [
        "Kinship", "KinshipDiagnostics", "KinshipFileStore", "KinshipMemoryPressure",
        "KinshipTestSupport",
        "KinshipTiers",
      ],
      path: "Tests/KinshipTrials", swiftSettings: settings),
    .executableTarget(
      name: "random-operations",
      dependencies: [
        "Kinship", "KinshipTesting", "KinshipFileStore", "KinshipTestSupport", "KinshipTiers",
        "KinshipTrials",
      ],
      path: "Tests/RandomOperations", swiftSettings: settings),
    .executableTarget(
      name: "KinshipCrashChild",
      dependencies: [
        "Kinship", "KinshipFileStore", "KinshipMemoryPressure", "KinshipTestSupport",
      ],
      path: "Tests/KinshipCrashChild", swiftSettings: settings),
    .executableTarget(
      name: "KinshipWorker",
      dependencies: ["Kinship", "KinshipPostgreSQL", "KinshipSync", "KinshipTestSupport"],
      path: "Tests/KinshipWorker", swiftSettings: settings),
    .executableTarget(
      name: "ReadmeProgram", dependencies: ["Kinship"], path: "Tests/ReadmeProgram",
      swiftSettings: settings),
    tutorial("Memory"), tutorial("Database"), tutorial("Screens"),
    tutorial("WarmStart", "KinshipSync"),
    .target(name: "OtherFrameworks", path: "Tests/OtherFrameworks", swiftSettings: settings),
    .target(name: "PlainGenealogy", path: "Tests/PlainGenealogy", swiftSettings: settings),
    .testTarget(
      name: "KinshipTests",
      dependencies: [
        "Kinship", "KinshipTesting", "KinshipDiagnostics", "KinshipFileStore",
        "KinshipFoundation", "KinshipMemoryPressure", "KinshipSync",
        "KinshipTestSupport", "KinshipTestTraits", "KinshipTiers",
        "KinshipTranslation", "KinshipTrials", "OtherFrameworks", "PlainGenealogy", "ReadmeProgram",
        "TutorialMemory",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipConcurrencyTests",
      dependencies: [
        "Kinship", "KinshipTesting", "KinshipCrashChild", "KinshipDiagnostics",
        "KinshipFileStore", "KinshipMemoryPressure", "KinshipSync",
        "KinshipTestSupport", "KinshipTestTraits", "KinshipTiers",
        "KinshipTrials",
        .target(name: "KinshipSQLite", condition: withSQLite),
        .target(name: "KinshipStoreTestSupport", condition: withSQLite),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipFaultTests",
      dependencies: [
        "Kinship", "KinshipCrashChild", "KinshipFileStore", "KinshipMemoryPressure",
        "KinshipTestSupport",
        "KinshipTestTraits", "KinshipTrials",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipIsolationTests", dependencies: ["Kinship", "KinshipDiagnostics"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "KinshipSQLiteTests",
      dependencies: [
        "Kinship", "KinshipTesting", "KinshipFileStore", "KinshipInspection", "KinshipSQL",
        "KinshipSQLite", "KinshipStoreTestSupport", "KinshipSync", "KinshipTestSupport",
        "KinshipTestTraits", "KinshipTiers", "KinshipTrials", "PlainGenealogy", "TutorialDatabase",
        "TutorialScreens",
        "TutorialWarmStart",
        .target(name: "CSQLite", condition: withSQLite),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipPostgreSQLTests",
      dependencies: [
        "Kinship", "KinshipFileStore", "KinshipFoundation", "KinshipTesting", "KinshipPostgreSQL",
        "KinshipSQL", "KinshipSQLite", "KinshipSync", "KinshipTranslation",
        "KinshipStoreTestSupport", "KinshipTestSupport", "KinshipTestTraits", "KinshipTiers",
        "KinshipWorker",
        .target(name: "CPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipTestSupportTests",
      dependencies: ["Kinship", "KinshipTesting", "KinshipTestSupport", "KinshipTestTraits"],
      swiftSettings: settings),
    .testTarget(
      name: "KinshipInspectTests",
      dependencies: [
        "Kinship", "KinshipFileStore", "KinshipInspection", "KinshipProgram", "KinshipSQL",
        "KinshipStoreTestSupport", "KinshipTestSupport", "KinshipTestTraits", "KinshipTrials",
        "kinship-inspect",
        .target(name: "KinshipSQLite", condition: withSQLite),
        .target(name: "KinshipPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FamilyTreeTests",
      dependencies: [
        "family-tree", "KinshipTesting", "KinshipFileStore", "KinshipProgram",
        "KinshipStoreTestSupport", "KinshipTestSupport", "KinshipTestTraits",
        .target(name: "KinshipSQLite", condition: withSQLite),
        .target(name: "KinshipPostgreSQL", condition: withPostgreSQL),
      ],
      swiftSettings: settings),
  ]
)

// `KINSHIP_TEST_TARGET` names the only test target to build, with what it needs: the thread
// sanitizer's run would compile everything else for nothing.
if let name = Context.environment["KINSHIP_TEST_TARGET"] {
  var (needed, waiting) = (Set([name]), [name])
  while let next = waiting.popLast() {
    for case .targetItem(let name, _) in targets(next).flatMap(\.dependencies) { need(name) }
    for case .byNameItem(let name, _) in targets(next).flatMap(\.dependencies) { need(name) }
  }
  func targets(_ name: String) -> [Target] { package.targets.filter { $0.name == name } }
  func need(_ name: String) { if needed.insert(name).inserted { waiting.append(name) } }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
