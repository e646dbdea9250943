import Foundation
import Kinship

extension TestPerson: TriedRecord {
  static var shelf: Shelf<TestPerson> { \.people }

  static var properties: [TriedProperty<TestPerson>] {
    [.init(\.name), .init(\.father), .init(\.mother), .init(\.children), .init(\.events)]
  }

  static var orders: [TriedOrder<TestPerson>] {
    [{ $0.sorted(by: \.name, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  static var filters: [RecordFilter<TestPerson>] {
    let (mother, event) = (Ref<TestPerson>(1), Ref<TestEvent>(3))
    return [
      RecordFilter(#Predicate { $0.father == nil }), RecordFilter(#Predicate { $0.id > 2 }),
      RecordFilter(#Predicate { $0.mother != mother }),
      RecordFilter(#Predicate { $0.children.isEmpty }),
      RecordFilter(#Predicate { $0.events.contains(event) }),
      RecordFilter(#Predicate { $0.name < "b" }),
    ]
  }

  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestPerson {
    TestPerson(
      id: number, name: generator.word(), father: generator.ref(count),
      mother: generator.ref(count), children: generator.refs(count),
      events: generator.refs(count))
  }
}

extension TestEvent: TriedRecord {
  static var shelf: Shelf<TestEvent> { \.events }

  static var properties: [TriedProperty<TestEvent>] {
    [.init(\.title), .init(\.person), .init(\.place)]
  }

  static var orders: [TriedOrder<TestEvent>] {
    [{ $0.sorted(by: \.title, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  static var filters: [RecordFilter<TestEvent>] {
    let person = Ref<TestPerson>(1)
    return [
      RecordFilter(#Predicate { $0.person == person }),
      RecordFilter(#Predicate { $0.title.contains("a") }),
      RecordFilter(#Predicate { $0.place != nil && $0.id <= 3 }),
      RecordFilter(#Predicate { [0, 2, 4].contains($0.id) }),
    ]
  }

  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestEvent {
    TestEvent(
      id: number, title: generator.word(), person: generator.requiredRef(count),
      place: generator.ref(count))
  }
}

extension TestPlace: TriedRecord {
  static var shelf: Shelf<TestPlace> { \.places }

  static var properties: [TriedProperty<TestPlace>] { [.init(\.name), .init(\.region)] }

  static var orders: [TriedOrder<TestPlace>] {
    [{ $0.sorted(by: \.name, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  static var filters: [RecordFilter<TestPlace>] {
    [
      RecordFilter { $0.name == "a" },
      RecordFilter(#Predicate { $0.name >= "b" || $0.region == nil }),
      RecordFilter(#Predicate { !($0.id == 4) }),
      .where(\.name, hasPrefix: "Á", ignoring: [.case, .diacritics]),
    ]
  }

  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestPlace {
    TestPlace(id: number, name: generator.word(), region: generator.ref(count))
  }
}

extension TestSource: TriedRecord {
  static var shelf: Shelf<TestSource> { \.sources }

  static var properties: [TriedProperty<TestSource>] {
    [
      .init(\.title), .init(\.author), .init(\.year), .init(\.quality), .init(\.weight),
      .init(\.isOriginal), .init(\.isPrinted), .init(\.whole),
    ]
  }

  static var orders: [TriedOrder<TestSource>] {
    [
      { $0.sorted(by: \.title, $1) }, { $0.sorted(by: \.author, $1) },
      { $0.sorted(by: \.year, $1) }, { $0.sorted(by: \.quality, $1) },
      { $0.sorted(by: \.weight, $1) }, { $0.sorted(by: \.id, $1) },
    ]
  }

  static var filters: [RecordFilter<TestSource>] {
    [
      RecordFilter(#Predicate { $0.author == nil }), RecordFilter(#Predicate { $0.year ?? 0 > 1 }),
      RecordFilter(#Predicate { $0.quality < 0.5 }), RecordFilter(#Predicate { $0.weight == 1.5 }),
      RecordFilter(#Predicate { $0.isOriginal }), RecordFilter(#Predicate { $0.isPrinted == nil }),
      RecordFilter(#Predicate { $0.whole == nil }), RecordFilter(#Predicate { $0.year == 1 }),
      RecordFilter(#Predicate { $0.title.starts(with: "a") }),
      RecordFilter(#Predicate { $0.author != "b" }), RecordFilter(#Predicate { $0.quality >= 0 }),
      .where(\.author, contains: "B", ignoring: .case),
    ]
  }

  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestSource {
    TestSource(
      id: .numbered(number), title: generator.word(), author: generator.perhaps { $0.word() },
      year: generator.perhaps { Int.random(in: -2...2, using: &$0) },
      quality: Double(Int.random(in: -2...2, using: &generator)) / 4,
      weight: generator.perhaps { Double(Int.random(in: -2...2, using: &$0)) * 1e9 },
      isOriginal: Bool.random(using: &generator),
      isPrinted: generator.perhaps { Bool.random(using: &$0) }, whole: generator.ref(count))
  }
}

extension TestCitation: TriedRecord {
  static var shelf: Shelf<TestCitation> { \.citations }

  static var properties: [TriedProperty<TestCitation>] {
    [.init(\.source), .init(\.people), .init(\.page), .init(\.text)]
  }

  static var orders: [TriedOrder<TestCitation>] {
    [
      { $0.sorted(by: \.page, $1) }, { $0.sorted(by: \.text, $1) }, { $0.sorted(by: \.id, $1) },
    ]
  }

  static var filters: [RecordFilter<TestCitation>] {
    [
      RecordFilter(#Predicate { $0.page == 2 }), RecordFilter(#Predicate { $0.page != nil }),
      RecordFilter(#Predicate { $0.text == "c" || $0.people.count > 1 }),
      RecordFilter(#Predicate { (1...2).contains($0.id) }),
    ]
  }

  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestCitation {
    TestCitation(
      id: number, source: generator.requiredRef(count), people: generator.refs(count),
      page: generator.perhaps { Int.random(in: 1...3, using: &$0) }, text: generator.word())
  }
}

extension SplitMix64 {
  fileprivate mutating func word() -> String {
    "abc".randomElement(using: &self).map(String.init) ?? ""
  }

  fileprivate mutating func perhaps<Value>(_ make: (inout SplitMix64) -> Value) -> Value? {
    chance(0.3) ? nil : make(&self)
  }

  fileprivate mutating func requiredRef<R: GraphRecord>(_ count: Int) -> Ref<R> where R.ID: TestID {
    Ref(.numbered(Int.random(in: 0..<count, using: &self)))
  }

  fileprivate mutating func ref<R: GraphRecord>(_ count: Int) -> Ref<R>? where R.ID: TestID {
    perhaps { $0.requiredRef(count) }
  }

  /// Random refs, each at most once, in any order.
  fileprivate mutating func refs<R: GraphRecord>(_ count: Int) -> [Ref<R>] where R.ID: TestID {
    let numbers = (0..<count).shuffled(using: &self)
    return numbers.prefix(Int.random(in: 0...3, using: &self)).map { Ref(.numbered($0)) }
  }
}
