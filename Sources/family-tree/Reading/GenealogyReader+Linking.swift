import Kinship

/// A line by which a person and a family are linked.
struct FamilyLink {
  /// The link in the line: a person's `FAMC`, perhaps with a kind of descent, or `FAMS`; a family's
  /// `CHIL`, `HUSB` or `WIFE`.
  enum Kind {
    case childhood, birth, upbringing, marriage, child, husband, wife

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
  private(set) var all: [FamilyLink] = []
  private var positions: [Mention: Int] = [:]

  private struct Mention: Hashable {
    let person: String
    let family: String
    let isOfPartner: Bool
    let pointsToFamily: Bool
  }

  private func mention(_ link: FamilyLink, pointsToFamily: Bool) -> Mention {
    Mention(
      person: link.person, family: link.family, isOfPartner: link.kind.isOfPartner,
      pointsToFamily: pointsToFamily)
  }

  /// Keeps a link, and returns whether it is new.
  ///
  /// A repeated link of a child only makes the first one more precise: birth comes before
  /// upbringing, and either before a link that leaves this open.
  mutating func insert(_ link: FamilyLink) -> Bool {
    let mention = mention(link, pointsToFamily: link.kind.pointsToFamily)
    guard let first = positions[mention] else {
      positions[mention] = all.count
      all.append(link)
      return true
    }
    if link.kind == .birth || all[first].kind == .childhood { all[first].kind = link.kind }
    return false
  }

  /// Whether the record at the other end states the same link.
  fileprivate func isMutual(_ link: FamilyLink) -> Bool {
    positions[mention(link, pointsToFamily: !link.kind.pointsToFamily)] != nil
  }
}

extension GenealogyReader {
  /// Links persons and families by the links that either side states.
  ///
  /// A pointer to a record that the file lacks stays in the record: a load reports it as missing.
  mutating func link() {
    // No warning: an event often names the family of a `FAMC` line.
    for link in linksOfEvents { _ = links.insert(link) }
    var surplusPartners: [FamilyLink] = []
    for link in links.all {
      reportMissingEnd(of: link)
      switch link.kind {
      case .childhood: break
      case .birth: joinBirth(link)
      case .upbringing: append(link, to: \.furtherFamilies)
      case .marriage: append(link, to: \.families)
      case .child: joinChild(link)
      case .husband: if !join(link, as: \.husband) { surplusPartners.append(link) }
      case .wife: if !join(link, as: \.wife) { surplusPartners.append(link) }
      }
    }
    // A family that is said to be of birth comes before one that leaves it open.
    for link in links.all where link.kind == .childhood { joinBirth(link) }
    // Once every husband and wife has a place: two husbands may leave the wife's to one of them.
    for link in surplusPartners where !join(link, as: \.husband) && !join(link, as: \.wife) {
      warn(link, "\(link.family) has more than two partners; \(link.person) is left out")
    }
    for link in links.all where !links.isMutual(link) { repair(link) }
    for index in genealogy.persons.indices {
      let birth = genealogy.persons[index].familyOfBirth
      guard let family = birth.flatMap({ families[$0.id] }) else { continue }
      genealogy.persons[index].father = genealogy.families[family].husband
      genealogy.persons[index].mother = genealogy.families[family].wife
    }
  }

  private mutating func reportMissingEnd(of link: FamilyLink) {
    let (type, target, records) =
      link.kind.pointsToFamily
      ? ("family", link.family, families) : ("person", link.person, persons)
    if records[target] == nil { warn(link, "the file has no \(type) \(target)") }
  }

  private mutating func joinBirth(_ link: FamilyLink) {
    guard let index = persons[link.person] else { return }
    if let first = genealogy.persons[index].familyOfBirth {
      warn(
        link,
        "\(link.person) has more than two parents: born in \(first.id) and in \(link.family); "
          + "the first counts")
      append(link, to: \.furtherFamilies)
    } else {
      genealogy.persons[index].familyOfBirth = Ref(link.family)
    }
  }

  private mutating func append(
    _ link: FamilyLink, to families: WritableKeyPath<Person, [Ref<Family>]>
  ) {
    guard let index = persons[link.person] else { return }
    genealogy.persons[index][keyPath: families].append(Ref(link.family))
  }

  private mutating func joinChild(_ link: FamilyLink) {
    guard let index = families[link.family] else { return }
    genealogy.families[index].children.append(Ref(link.person))
  }

  private mutating func join(
    _ link: FamilyLink, as partner: WritableKeyPath<Family, Ref<Person>?>
  ) -> Bool {
    guard let index = families[link.family] else { return true }
    guard genealogy.families[index][keyPath: partner] == nil else { return false }
    genealogy.families[index][keyPath: partner] = Ref(link.person)
    return true
  }

  /// Adds a link that only this end states to the record at the other end.
  private mutating func repair(_ link: FamilyLink) {
    guard persons[link.person] != nil, let family = families[link.family] else { return }
    switch link.kind {
    case .childhood, .birth, .upbringing:
      joinChild(link)
      warn(link, "\(link.family) does not list \(link.person) as a child; added")
    case .child:
      joinBirth(link)
      warn(link, "\(link.person) does not name \(link.family) as family of birth; added")
    case .husband, .wife:
      guard genealogy.families[family].partners.contains(Ref(link.person)) else { return }
      append(link, to: \.families)
      warn(link, "\(link.person) does not name \(link.family) as own family; added")
    case .marriage:
      warn(link, "\(link.family) does not name \(link.person) as husband or wife")
    }
  }

  private mutating func warn(_ link: FamilyLink, _ message: String) {
    diagnostics.warn(link.lineNumber, message)
  }
}
