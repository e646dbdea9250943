import Kinship

/// Makes up a village in which everybody is related: eight generations who marry their cousins.
///
/// The same seed gives the same people on every machine. The first person is the one with the
/// most paths up to ancestors: the pedigree with the most repetition.
struct SampleGenealogy {
  private static let generations = 8
  private static let couplesAtMost = 20

  private var random: SplitMix64
  private var genealogy = Genealogy()
  /// When each person was born, for what must come later.
  private var births: [Int] = []
  private var usedPlaces: Set<String> = []
  /// Surnames for newcomers, all of them before any comes again.
  private var surnames: [String] = []

  static func make(seed: UInt64 = 1) -> Genealogy {
    var sample = SampleGenealogy(random: SplitMix64(seed: seed))
    var couples = sample.founders()
    for generation in 1..<generations {
      let children = couples.flatMap { sample.haveChildren($0) }
      if generation < generations - 1 { couples = sample.marry(children) }
    }
    return sample.startingWithMostPaths()
  }

  private init(random: SplitMix64) {
    self.random = random
  }

  // MARK: People

  private mutating func founders() -> [Int] {
    (0..<8).map { _ in
      let husband = newcomer(.male, born: number(in: 1680...1692))
      return wed(husband, newcomer(.female, born: number(in: 1684...1696)))
    }
  }

  private mutating func newcomer(_ sex: Sex, born year: Int) -> Int {
    if surnames.isEmpty { surnames = SampleNames.surnames.shuffled(using: &random) }
    return add(sex, surname: surnames.removeLast(), born: year, date: "ABT \(year)")
  }

  private mutating func add(
    _ sex: Sex, surname: String, born year: Int, date: String, family: Int? = nil
  ) -> Int {
    let index = genealogy.persons.count
    let given = pick(sex == .male ? SampleNames.men : SampleNames.women)
    var person = Person(
      id: "@I\(index + 1)@", name: PersonName(full: "\(given) \(surname)", surname: surname))
    person.sex = sex
    person.events.append(event(.birth, date, place: pick(SampleNames.places)))
    if let family {
      person.familyOfBirth = genealogy.families[family].ref
      person.father = genealogy.families[family].husband
      person.mother = genealogy.families[family].wife
      genealogy.families[family].children.append(person.ref)
    }
    genealogy.persons.append(person)
    births.append(year)
    return index
  }

  /// A couple's children; the index of each who grows up.
  private mutating func haveChildren(_ family: Int) -> [Int] {
    guard let father = genealogy.families[family].husband.flatMap(index),
      let mother = genealogy.families[family].wife.flatMap(index)
    else { return [] }
    let surname = genealogy.persons[father].name.surname
    var year = max(births[father] + 24, births[mother] + 20)
    return (0..<number(in: 2...5)).compactMap { _ in
      year += number(in: 1...4)
      let child = add(
        chance(50) ? .male : .female, surname: surname, born: year, date: date(in: year),
        family: family)
      let growsUp = chance(85)
      die(child, aged: growsUp ? number(in: 42...88) : number(in: 0...9))
      return growsUp ? child : nil
    }
  }

  private mutating func die(_ person: Int, aged age: Int) {
    let year = births[person] + age
    guard year < 1_960 else { return }
    let death = event(.death, date(in: year), place: pick(SampleNames.places))
    genealogy.persons[person].events.append(death)
  }

  // MARK: Marriages

  /// Pairs the men of a generation with its women, cousins first, siblings never.
  private mutating func marry(_ generation: [Int]) -> [Int] {
    let people = generation.shuffled(using: &random)
    var brides = people.filter { genealogy.persons[$0].sex == .female }
    let grooms = people.filter { genealogy.persons[$0].sex == .male }
    return grooms.prefix(Self.couplesAtMost).map { groom in
      if chance(12) { return wed(groom, newcomer(.female, born: births[groom] + 2)) }
      let suitable = brides.filter { isSuitable($0, for: groom) }
      let cousins = suitable.filter { areCousins($0, groom) }
      guard let bride = (cousins.isEmpty ? suitable : cousins).randomElement(using: &random) else {
        return wed(groom, newcomer(.female, born: births[groom] + 2))
      }
      brides.removeAll { $0 == bride }
      return wed(groom, bride)
    }
  }

  private mutating func wed(_ husband: Int, _ wife: Int) -> Int {
    let index = genealogy.families.count
    let year = max(births[husband] + 23, births[wife] + 19)
    var family = Family(id: "@F\(index + 1)@")
    family.husband = genealogy.persons[husband].ref
    family.wife = genealogy.persons[wife].ref
    family.events.append(event(.marriage, date(in: year), place: pick(SampleNames.places)))
    genealogy.families.append(family)
    for partner in [husband, wife] { genealogy.persons[partner].families.append(family.ref) }
    let trade = event(.occupation, detail: pick(SampleNames.trades))
    genealogy.persons[husband].events.append(trade)
    return index
  }

  private func isSuitable(_ bride: Int, for groom: Int) -> Bool {
    genealogy.persons[bride].familyOfBirth != genealogy.persons[groom].familyOfBirth
      && abs(births[bride] - births[groom]) <= 12
  }

  private func areCousins(_ one: Int, _ other: Int) -> Bool {
    !grandparents(of: one).isDisjoint(with: grandparents(of: other))
  }

  private func grandparents(of person: Int) -> Set<Ref<Person>> {
    let parents = genealogy.persons[person].parents.compactMap(index)
    return Set(parents.flatMap { genealogy.persons[$0].parents })
  }

  // MARK: Parts

  private func index(_ person: Ref<Person>) -> Int? {
    Int(person.id.dropFirst(2).dropLast()).map { $0 - 1 }
  }

  private mutating func event(
    _ kind: Event.Kind, _ date: String? = nil, place: String? = nil, detail: String? = nil
  ) -> Ref<Event> {
    var event = Event(id: genealogy.events.count, kind: kind)
    event.detail = detail
    event.date = date.map(EventDate.init)
    event.place = place.map { Ref($0) }
    genealogy.events.append(event)
    if let place, usedPlaces.insert(place).inserted { genealogy.places.append(Place(id: place)) }
    return event.ref
  }

  private mutating func date(in year: Int) -> String {
    let months = [
      "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]
    return "\(number(in: 1...28)) \(pick(months)) \(year)"
  }

  private mutating func pick(_ names: [String]) -> String {
    names[number(in: 0...(names.count - 1))]
  }

  private mutating func number(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func chance(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

  private func startingWithMostPaths() -> Genealogy {
    let paths = Lineage(genealogy.persons).pathCounts()
    var sorted = genealogy
    if let most = paths.indices.max(by: { paths[$0] < paths[$1] }) {
      sorted.persons.insert(sorted.persons.remove(at: most), at: 0)
    }
    for index in sorted.persons.indices { sorted.persons[index].number = index }
    sorted.noteLives()
    return sorted
  }
}
