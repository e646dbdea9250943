/// A line by which a person and a family are linked.
struct FamilyLink {
  enum Kind {
    /// A person's `FAMC` that leaves open how.
    case childhood
    /// A person's `FAMC`, by birth.
    case birth
    /// A person's `FAMC`, by adoption, fostering or sealing.
    case upbringing
    /// A person's `FAMS`.
    case marriage
    /// A family's `CHIL`.
    case child
    /// A family's `HUSB`.
    case husband
    /// A family's `WIFE`.
    case wife

    /// Whether the line belongs to the person and points to the family.
    var pointsToFamily: Bool { ![.child, .husband, .wife].contains(self) }
    fileprivate var isOfPartner: Bool { [.marriage, .husband, .wife].contains(self) }
  }

  fileprivate(set) var kind: Kind
  let person: String
  let family: String
  let lineNumber: Int
}

/// The links between persons and families.
///
/// A file states each link twice, in the person and in the family; a damaged file only once.
struct FamilyLinks {
  /// The links in the order of the file.
  private(set) var all: [FamilyLink] = []

  private var positions: [Mention: Int] = [:]

  /// Keeps a link, and returns whether it is new.
  ///
  /// A repeated link of a child only makes the first one more precise: birth comes before
  /// upbringing, and either before a link that leaves this open.
  mutating func insert(_ link: FamilyLink) -> Bool {
    let mention = Mention(link, pointsToFamily: link.kind.pointsToFamily)
    guard let first = positions[mention] else {
      positions[mention] = all.count
      all.append(link)
      return true
    }
    if link.kind == .birth || all[first].kind == .childhood { all[first].kind = link.kind }
    return false
  }

  /// Whether the record at the other end of a link says the same.
  func isMutual(_ link: FamilyLink) -> Bool {
    positions[Mention(link, pointsToFamily: !link.kind.pointsToFamily)] != nil
  }

  private struct Mention: Hashable {
    let person: String
    let family: String
    let isOfPartner: Bool
    let pointsToFamily: Bool

    init(_ link: FamilyLink, pointsToFamily: Bool) {
      (person, family) = (link.person, link.family)
      (isOfPartner, self.pointsToFamily) = (link.kind.isOfPartner, pointsToFamily)
    }
  }
}
