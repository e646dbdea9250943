import Kinship

/// A record that names the one above it, and goes when that is deleted.
struct Reply: GraphRecord {
  let id: Int
  var text: String
  var subject: Ref<Reply>?

  static let relationships: Relationships<Reply> = [
    .toOne(\.subject, onTargetDelete: .cascade)
  ]
}
