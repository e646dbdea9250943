import Kinship

/// Invents a village in which everybody is related: eight generations in ten families, from the
/// land between Bohemia and Bavaria.
///
/// Each couple has a son and a daughter, who marry into other families. The first person is one of
/// the youngest: a pedigree with much repetition.
enum SampleGenealogy {
  static func make() -> Genealogy {
    var village = Genealogy()
    var couples = [Family?](repeating: nil, count: 10)
    for generation in 0..<8 {
      let men = couples.indices.map { village.add(.male, $0, generation, of: &couples[$0]) }
      let women = couples.indices.map { village.add(.female, $0, generation, of: &couples[$0]) }
      village.families += couples.compactMap(\.self)
      // In the last generation nobody is married yet.
      if generation == 7 { break }
      couples = men.indices.map { number in
        // The numbers of man and woman differ, so they are not siblings.
        village.wed(men[number], women[(number + 1 + 2 * generation) % 10], generation)
      }
    }
    village.persons.reverse()
    for index in village.persons.indices { village.persons[index].number = index }
    village.noteLives()
    return village
  }
}

extension Genealogy {
  /// Adds a child of a couple, or a founder.
  fileprivate mutating func add(
    _ sex: Sex, _ number: Int, _ generation: Int, of couple: inout Family?
  ) -> Int {
    let names = sex == .male ? men : women
    let given = names[(7 * number + 3 * generation) % names.count]
    let surname = surnames[couple == nil && sex == .female ? number + 10 : number]
    var person = Person(
      id: "@I\(persons.count + 1)@",
      name: PersonName(full: "\(given) \(surname)", surname: surname), sex: sex)
    (person.father, person.mother) = (couple?.husband, couple?.wife)
    person.familyOfBirth = couple?.ref
    couple?.children.append(person.ref)
    let born = 1_680 + 30 * generation + 7 * number % 10 + (sex == .male ? 0 : 1)
    let died = born + 45 + (13 * number + 7 * generation) % 40
    person.events = [event(.birth, in: born, isCertain: couple != nil)]
    if died < 1_960 { person.events.append(event(.death, in: died)) }
    persons.append(person)
    return persons.count - 1
  }

  fileprivate mutating func wed(_ husband: Int, _ wife: Int, _ generation: Int) -> Family {
    var family = Family(id: "@F\(10 * generation + husband % 20 + 1)@")
    (family.husband, family.wife) = (persons[husband].ref, persons[wife].ref)
    family.events = [event(.marriage, in: 1_705 + 30 * generation + husband % 5)]
    for partner in [husband, wife] { persons[partner].families = [family.ref] }
    return family
  }

  private mutating func event(
    _ kind: Event.Kind, in year: Int, isCertain: Bool = true
  ) -> Ref<Event> {
    let number = events.count
    let day = "\(number * 11 % 28 + 1) \(months[number * 5 % 12])"
    let place = Place(id: towns[number * 7 % towns.count])
    if !places.contains(place) { places.append(place) }
    events.append(
      Event(
        id: number, kind: kind, date: EventDate(rawValue: "\(isCertain ? day : "ABT") \(year)"),
        place: place.ref))
    return Ref(number)
  }
}

private let men = [
  "Adam", "Bartoloměj", "Franz", "Georg", "Ignaz", "Jakub", "Jan", "Johann", "Karel", "Lukáš",
  "Matthias", "Ondřej", "Řehoř", "Tomáš", "Václav", "Vojtěch", "Wenzel",
]
private let women = [
  "Alžběta", "Anna", "Barbora", "Cäcilia", "Dorota", "Eva", "Franziska", "Josefa", "Kateřina",
  "Klara", "Ludmila", "Marie", "Rosina", "Theresia", "Uršula", "Veronika", "Zuzana",
]
private let surnames = [
  "Bauer", "Bílek", "Brückner", "Čermák", "Dvořák", "Fiala", "Gruber", "Hájek", "Hofer", "Jäger",
  "Kadlec", "Kovář", "Lindner", "Müllner", "Novák", "Růžička", "Steiner", "Šimek", "Vlček", "Zeman",
]
private let towns = [
  "Český Krumlov, Bohemia", "Freistadt, Upper Austria", "Haslach an der Mühl, Upper Austria",
  "Horní Planá, Bohemia", "Passau, Bavaria", "Prachatice, Bohemia", "Rohrbach, Upper Austria",
  "Vimperk, Bohemia", "Volary, Bohemia", "Waldkirchen, Bavaria", "Vyšší Brod, Bohemia",
]
private let months = [
  "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
]
