import Kinship

/// A record that refers to the one above it, and is deleted with it.
struct Reply: GraphRecord {
  let id: Int
  var text: String
  var subject: Ref<Reply>?

  static let relationships: Relationships<Reply> = [
    .toOne(\.subject, onTargetDelete: .cascade)
  ]
}
