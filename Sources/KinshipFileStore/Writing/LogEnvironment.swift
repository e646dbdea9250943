internal import Kinship

/// What a log works with.
struct LogEnvironment: Sendable {
  let files: any FileSystem
  let path: String
  let schema: GraphSchema
  let coder: any RecordCoder
  let durability: FileStore.Durability
  let damage: DamagePolicy
  let migrations: Migrations
  let tuning: LogTuning
}
