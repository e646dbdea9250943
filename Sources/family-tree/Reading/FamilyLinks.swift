/// A line by which a person and a family are linked.
struct FamilyLink {
  enum Kind {
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
  }

  let kind: Kind
  let person: String
  let family: String
  let lineNumber: Int
}

/// What a file says about who belongs to which family.
///
/// It says everything twice, in the person and in the family, and a damaged file only once.
struct FamilyLinks {
  /// In the order of the file.
  private(set) var all: [FamilyLink] = []

  private var mentions: Set<Mention> = []

  /// Keeps a link, unless the file has said the same before.
  mutating func insert(_ link: FamilyLink) -> Bool {
    let mention = Mention(link.kind.statement, link.person, link.family)
    guard mentions.insert(mention).inserted else { return false }
    all.append(link)
    return true
  }

  /// Whether the record at the other end of a link says the same.
  func isMutual(_ link: FamilyLink) -> Bool {
    mentions.contains(Mention(link.kind.counterpart, link.person, link.family))
  }

  fileprivate enum Statement {
    case personIsChild, personIsPartner, familyHasChild, familyHasPartner
  }

  private struct Mention: Hashable {
    let statement: Statement
    let person: String
    let family: String

    init(_ statement: Statement, _ person: String, _ family: String) {
      self.statement = statement
      self.person = person
      self.family = family
    }
  }
}

extension FamilyLink.Kind {
  fileprivate var statement: FamilyLinks.Statement {
    switch self {
    case .birth, .upbringing: .personIsChild
    case .marriage: .personIsPartner
    case .child: .familyHasChild
    case .husband, .wife: .familyHasPartner
    }
  }

  fileprivate var counterpart: FamilyLinks.Statement {
    switch self {
    case .birth, .upbringing: .familyHasChild
    case .marriage: .familyHasPartner
    case .child: .personIsChild
    case .husband, .wife: .personIsPartner
    }
  }
}
