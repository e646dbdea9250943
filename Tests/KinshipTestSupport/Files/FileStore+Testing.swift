package import Kinship
package import KinshipFileStore

extension FileStore {
  /// A store with segments so small that a few commits fill them.
  package static func small(
    in files: any FileSystem, at path: String = "/store", coder: any RecordCoder = .compact,
    durability: Durability = .everyCommit, damage: DamagePolicy = .refuse,
    smallestSegment: Int = 1_024
  ) async throws -> FileStore {
    var tuning = LogTuning()
    tuning.smallestSegment = smallestSegment
    tuning.largestSegment = 4 * smallestSegment
    tuning.movedAtOnce = 512
    tuning.largestVocabulary = 8
    // The order of events must depend on the seed alone.
    tuning.compactsInBackground = false
    return try await FileStore(
      in: files, at: path, schema: GraphSchema(types: StoredState.types), coder: coder,
      durability: durability, damage: damage, tuning: tuning)
  }

  /// A read-only store over the files of such a store.
  package static func reading(
    _ files: any FileSystem, at path: String = "/store", coder: any RecordCoder = .compact
  ) async throws -> FileStore {
    try await FileStore(
      reading: files, at: path, schema: GraphSchema(types: StoredState.types), coder: coder)
  }

  /// All durabilities.
  ///
  /// A delayed sync never happens by time in a test.
  package static let durabilities: [Durability] = [
    .everyCommit, .atMostEvery(.seconds(3_600)), .system,
  ]
}
