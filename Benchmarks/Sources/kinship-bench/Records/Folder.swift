import Kinship

/// A record that refers to those below it, which are deleted with it.
struct Folder: GraphRecord {
  let id: Int
  var name: String
  var contents: [Ref<Folder>]

  static let relationships: Relationships<Folder> = [
    .toMany(\.contents, onDelete: .cascade)
  ]
}
