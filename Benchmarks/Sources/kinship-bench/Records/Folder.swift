import Kinship

/// A record that names those below it, and takes them along when it is deleted.
struct Folder: GraphRecord {
  let id: Int
  var name: String
  var contents: [Ref<Folder>]

  static let relationships: Relationships<Folder> = [
    .toMany(\.contents, onDelete: .cascade)
  ]
}
