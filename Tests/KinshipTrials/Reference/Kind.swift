/// One of the two record types of the reference world.
enum Kind: Int, CaseIterable, Sendable {
  case author
  case work
}
