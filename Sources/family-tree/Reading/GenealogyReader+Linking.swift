import Kinship

extension GenealogyReader {
  /// Links persons and families by all that either side says of the other.
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
      diagnostics.warn(
        link.lineNumber, "\(link.family) has more than two partners; \(link.person) is left out")
    }
    for link in links.all where !links.isMutual(link) { repair(link) }
    for index in genealogy.persons.indices { setParents(of: index) }
  }

  /// Reports a link whose other end the file lacks.
  private mutating func reportMissingEnd(of link: FamilyLink) {
    let (type, target, records) =
      link.kind.pointsToFamily
      ? ("family", link.family, families) : ("person", link.person, persons)
    if records[target] == nil {
      diagnostics.warn(link.lineNumber, "the file has no \(type) \(target)")
    }
  }

  private mutating func joinBirth(_ link: FamilyLink) {
    guard let index = persons[link.person] else { return }
    if let first = genealogy.persons[index].familyOfBirth {
      diagnostics.warn(
        link.lineNumber,
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

  /// Adds to the record at the other end of a link what only this end says.
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

  private mutating func setParents(of index: Int) {
    guard let birth = genealogy.persons[index].familyOfBirth, let family = families[birth.id]
    else { return }
    genealogy.persons[index].father = genealogy.families[family].husband
    genealogy.persons[index].mother = genealogy.families[family].wife
  }
}
