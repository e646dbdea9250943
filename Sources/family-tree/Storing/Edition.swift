import Kinship

/// Which edition of a genealogy a store has: the one record of its type.
///
/// Every change of the genealogy makes a new one, in the same transaction. So what was noted with an edition
/// holds as long as the store has that edition.
struct Edition: Record, Codable, Equatable, Versioned {
  static let only = Ref<Edition>(1)

  let id: Int
  /// Drawn anew with every change, since a store that is made again counts from the beginning again.
  var mark = newMark()
  var version = 0

  init() { id = Self.only.id }

  /// What tells it from all others.
  var name: String { "\(mark).\(version)" }

  static func newMark() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}
