import Kinship

/// The family to which a child is added.
enum ChildPlace: Sendable {
  case family(Ref<Family>)
  /// One that is made for a person without any; so many have an xref.
  case newFamily(of: Person, after: Int)

  /// The family as a transaction has it; a new one is made known to the parent.
  func family(_ tx: inout GraphCache.Transaction) throws(KinshipError) -> Family {
    switch self {
    case .family(let ref):
      if let family = tx[ref] { return family }
      throw .missing(AnyRef(ref))
    case .newFamily(let parent, let count):
      var family = Family(id: tx.freeXref("F", after: count, of: Family.self))
      if parent.sex == .female {
        family.wife = parent.ref
      } else {
        family.husband = parent.ref
      }
      try tx.update(parent.ref, \.families, to: parent.families + [family.ref])
      return family
    }
  }
}

extension GraphCache.Transaction {
  /// An xref that no record has: a letter and the first number that is free.
  mutating func freeXref<R: GraphRecord>(
    _ letter: String, after number: Int, of type: R.Type
  ) -> String where R.ID == String {
    var number = number + 1
    while contains(Ref<R>("@\(letter)\(number)@")) { number += 1 }
    return "@\(letter)\(number)@"
  }
}
