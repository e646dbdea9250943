import Kinship

/// What a snapshot was taken of: a record that is in memory only while one is saved or restored.
struct SnapshotNote: GraphRecord, Codable {
  static let only = Ref<SnapshotNote>(1)

  let id: Int
  /// The edition of a store, or what tells a file from others.
  let state: String

  init(_ state: String) {
    id = Self.only.id
    self.state = state
  }
}
