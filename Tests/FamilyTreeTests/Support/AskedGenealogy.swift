import Kinship
import KinshipTesting

@testable import family_tree

/// A genealogy with difficult cases for questions, and the expected answers, found by a search of
/// all persons and their events.
struct AskedGenealogy {
  let genealogy: Genealogy
  private let lives: [(person: Person, life: LifeSpan)]

  init(_ genealogy: Genealogy) {
    self.genealogy = genealogy
    lives = genealogy.persons.map { person in
      (person, LifeSpan(person.events.map { genealogy.events[$0.id] }))
    }
  }

  /// The village of a seed, in which much is unknown, alike or before Christ.
  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var genealogy = SampleGenealogy.make()
    let surnames = ["", "Lee", "LEE", "Leé", "Lee-Ann", "Řehoř", "rehor", "ß", "Leeds", "100%_"]
    for index in genealogy.events.indices {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: genealogy.events[index].date = nil
      case 1: genealogy.events[index].place = nil
      case 2: genealogy.events[index].date = EventDate(rawValue: "ABT 4\(index % 10) B.C.")
      case 3: genealogy.events[index].kind = .baptism
      default: break
      }
    }
    for index in genealogy.persons.indices where Bool.random(using: &random) {
      let surname = surnames.randomElement(using: &random) ?? ""
      genealogy.persons[index].name = PersonName(full: "Jan \(surname)", surname: surname)
      if Int.random(in: 0..<6, using: &random) == 0 {
        genealogy.persons[index].father = nil
        genealogy.persons[index].mother = nil
      }
    }
    genealogy.noteLives()
    self.init(genealogy)
  }

  func answer(to question: PersonQuestion) -> [Person] {
    lives.filter { person, life in
      question.conditions.allSatisfy { Self.isMet($0, by: person, life) }
    }
    .sorted { Self.precedes($0, $1, question.order) }
    .map(\.person)
  }

  private static func isMet(
    _ condition: PersonCondition, by person: Person, _ life: LifeSpan
  ) -> Bool {
    let folding: TextFolding = [.case, .diacritics]
    switch condition {
    case .name(let words):
      let name = folding.folded(person.name.full)
      return words.allSatisfy { name.contains(folding.folded($0)) }
    case .born(let years): return life.birth?.year.map(years.contains) ?? false
    case .place(let text):
      guard let place = life.birthplace else { return false }
      return folding.folded(place.id).contains(folding.folded(text))
    }
  }

  private typealias Life = (person: Person, life: LifeSpan)

  private static func precedes(_ one: Life, _ other: Life, _ order: [PersonOrder]) -> Bool {
    for term in order {
      let (one, other) = term.isDescending ? (other, one) : (one, other)
      /// A person without a year comes last in either direction.
      func compare(_ left: Int?, _ right: Int?) -> Bool? {
        if left == right { return nil }
        guard let left, let right else { return (left != nil) != term.isDescending }
        return left < right
      }
      func compare(_ left: String, _ right: String) -> Bool? {
        if left == right { return nil }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      }
      let precedes =
        switch term.key {
        case .name: compare(one.person.name.full, other.person.name.full)
        case .surname: compare(one.person.name.surname, other.person.name.surname)
        case .born: compare(one.life.birth?.year, other.life.birth?.year)
        }
      if let precedes { return precedes }
    }
    return one.person.number < other.person.number
  }
}

extension PersonQuestion {
  static func random(using random: inout SplitMix64) -> PersonQuestion {
    var question = PersonQuestion()
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let year = Int.random(in: -60...1950, using: &random)
      let texts = ["lee", "", "LEÉ", "rehor", "bohemia", "a", "100%_", "Passau", "Novák", "zzz"]
      let text = texts.randomElement(using: &random) ?? ""
      let conditions: [PersonCondition] = [
        .born(year...year + 120), .place(text), .name(["j", text]),
      ]
      question.conditions += conditions.shuffled(using: &random).prefix(1)
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let keys = PersonOrder.Key.allCases.shuffled(using: &random).prefix(1)
      question.order += keys.map {
        PersonOrder(key: $0, isDescending: Bool.random(using: &random))
      }
    }
    return question
  }
}
