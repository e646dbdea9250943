import Kinship

extension GenealogyReader {
  /// Joins persons and families by all that either side says of the other.
  ///
  /// A pointer to a record that the file lacks stays in the record: what loads it learns that it
  /// is missing.
  mutating func link() {
    var surplusPartners: [FamilyLink] = []
    for link in links.all {
      reportMissingEnd(of: link)
      switch link.kind {
      case .birth: joinBirth(link)
      case .upbringing: joinUpbringing(link)
      case .marriage: joinMarriage(link)
      case .child: joinChild(link)
      case .husband: if !join(link, as: \.husband) { surplusPartners.append(link) }
      case .wife: if !join(link, as: \.wife) { surplusPartners.append(link) }
      }
    }
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
    let pointsToFamily = [.birth, .upbringing, .marriage].contains(link.kind)
    let target = pointsToFamily ? link.family : link.person
    if (pointsToFamily ? families : persons)[target] == nil {
      let type = pointsToFamily ? "family" : "person"
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
      joinUpbringing(link)
    } else {
      genealogy.persons[index].familyOfBirth = Ref(link.family)
    }
  }

  private mutating func joinUpbringing(_ link: FamilyLink) {
    guard let index = persons[link.person] else { return }
    genealogy.persons[index].furtherFamilies.append(Ref(link.family))
  }

  private mutating func joinMarriage(_ link: FamilyLink) {
    guard let index = persons[link.person] else { return }
    genealogy.persons[index].families.append(Ref(link.family))
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
    case .birth, .upbringing:
      joinChild(link)
      warn(link, "\(link.family) does not list \(link.person) as a child; added")
    case .child:
      joinBirth(link)
      warn(link, "\(link.person) does not name \(link.family) as family of birth; added")
    case .husband, .wife:
      guard genealogy.families[family].partners.contains(Ref(link.person)) else { return }
      joinMarriage(link)
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
