import Kinship

extension TestPerson: StoreTestRecord {
  /// Where contents keep people.
  public static var shelf: any WritableKeyPath<StoreContents, [Int: TestPerson]> & Sendable {
    \.people
  }

  /// The properties, but for the id.
  public static var properties: [StoreTestProperty<TestPerson>] {
    [.init(\.name), .init(\.father), .init(\.mother), .init(\.children), .init(\.events)]
  }

  /// By name and by id.
  public static var orders: [StoreTestOrder<TestPerson>] {
    [{ $0.sorted(by: \.name, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  /// A person.
  public static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestPerson {
    TestPerson(
      id: number, name: generator.word(), father: generator.ref(count),
      mother: generator.ref(count), children: generator.refs(count),
      events: generator.refs(count))
  }
}

extension TestEvent: StoreTestRecord {
  /// Where contents keep events.
  public static var shelf: any WritableKeyPath<StoreContents, [Int: TestEvent]> & Sendable {
    \.events
  }

  /// The properties, but for the id.
  public static var properties: [StoreTestProperty<TestEvent>] {
    [.init(\.title), .init(\.person), .init(\.place)]
  }

  /// By title and by id.
  public static var orders: [StoreTestOrder<TestEvent>] {
    [{ $0.sorted(by: \.title, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  /// An event.
  public static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestEvent {
    TestEvent(
      id: number, title: generator.word(), person: generator.requiredRef(count),
      place: generator.ref(count))
  }
}

extension TestPlace: StoreTestRecord {
  /// Where contents keep places.
  public static var shelf: any WritableKeyPath<StoreContents, [Int: TestPlace]> & Sendable {
    \.places
  }

  /// The properties, but for the id.
  public static var properties: [StoreTestProperty<TestPlace>] {
    [.init(\.name), .init(\.region)]
  }

  /// By name and by id.
  public static var orders: [StoreTestOrder<TestPlace>] {
    [{ $0.sorted(by: \.name, $1) }, { $0.sorted(by: \.id, $1) }]
  }

  /// A place.
  public static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> TestPlace {
    TestPlace(id: number, name: generator.word(), region: generator.ref(count))
  }
}

extension TestSource: StoreTestRecord {
  /// Where contents keep sources.
  public static var shelf: any WritableKeyPath<StoreContents, [String: TestSource]> & Sendable {
    \.sources
  }

  /// The properties, but for the id.
  public static var properties: [StoreTestProperty<TestSource>] {
    [
      .init(\.title), .init(\.author), .init(\.year), .init(\.quality), .init(\.weight),
      .init(\.isOriginal), .init(\.isPrinted), .init(\.whole),
    ]
  }

  /// By all that can be compared.
  public static var orders: [StoreTestOrder<TestSource>] {
    [
      { $0.sorted(by: \.title, $1) }, { $0.sorted(by: \.author, $1) },
      { $0.sorted(by: \.year, $1) }, { $0.sorted(by: \.quality, $1) },
      { $0.sorted(by: \.weight, $1) }, { $0.sorted(by: \.id, $1) },
    ]
  }

  /// A source.
  public static func random(
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

extension TestCitation: StoreTestRecord {
  /// Where contents keep citations.
  public static var shelf: any WritableKeyPath<StoreContents, [Int: TestCitation]> & Sendable {
    \.citations
  }

  /// The properties, but for the id and the version.
  public static var properties: [StoreTestProperty<TestCitation>] {
    [.init(\.source), .init(\.people), .init(\.page), .init(\.text)]
  }

  /// By page, by text and by id.
  public static var orders: [StoreTestOrder<TestCitation>] {
    [
      { $0.sorted(by: \.page, $1) }, { $0.sorted(by: \.text, $1) }, { $0.sorted(by: \.id, $1) },
    ]
  }

  /// A citation.
  public static func random(
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

  /// Each at most once, in any order.
  fileprivate mutating func refs<R: GraphRecord>(_ count: Int) -> [Ref<R>] where R.ID: TestID {
    let numbers = (0..<count).shuffled(using: &self)
    return numbers.prefix(Int.random(in: 0...3, using: &self)).map { Ref(.numbered($0)) }
  }
}
