import Kinship
import KinshipProgram

/// A genealogy in a store, and the cache through which all questions are asked of it.
struct Archive: Sendable {
  let cache: GraphCache
  /// As it was before anything was edited.
  let size: Size
  /// Where the genealogy is kept; nil where it is in memory alone.
  let stored: (any StoredGenealogy)?
  /// What counts the changes of it.
  let editions: EditionStore?
  /// What makes edits of others known; `nil` where nobody else can edit.
  let following: GraphCache.Following?

  /// How many records of each type there are.
  struct Size: Equatable, Sendable {
    let persons: Int
    let families: Int
    let events: Int
    let places: Int

    var records: Int { persons + families + events + places }
  }

  init(
    _ genealogy: Genealogy, capacity: Int = .max, isReported: Bool = false
  ) throws(KinshipError) {
    let store = MemoryStore()
    store.insert(genealogy.persons)
    store.insert(genealogy.families)
    store.insert(genealogy.events)
    store.insert(genealogy.places)
    cache = try Self.cache(over: store, capacity: capacity, isReported: isReported)
    size = genealogy.size
    stored = nil
    editions = nil
    following = nil
  }

  init(
    _ stored: any StoredGenealogy, capacity: Int = .max, isReported: Bool = false
  ) async throws {
    let editions = try await EditionStore(stored.store)
    cache = try Self.cache(over: editions, capacity: capacity, isReported: isReported)
    size = await editions.size
    self.stored = stored
    self.editions = editions
    let cache = cache
    following = stored.shared.map { cache.follow($0) }
  }

  private static func cache(
    over store: any BackingStore, capacity: Int, isReported: Bool
  ) throws(KinshipError) -> GraphCache {
    try GraphCache(
      for: Person.self, Family.self, Event.self, Place.self, SnapshotNote.self, store: store,
      capacity: capacity, strictness: isReported ? .report { _ in } : .off,
      tracing: isReported ? .on : .off)
  }

  /// What the records in memory are of; nil if that is not certain, or nothing can be told by it.
  var state: String? {
    get async { await editions?.state }
  }

  /// A person with parents, families, children and what happened to them.
  func household(of person: Ref<Person>) async throws -> Graph<Person> {
    let plan = Plan<Person>
      .following(\.father, \.mother, \.families, \.furtherFamilies, generations: 1)
      .following(\Family.husband, \Family.wife, \Family.children, generations: 2)
      .including(\.events).including(\Family.events).including(\Event.place)
    return try await cache.graph(of: person, plan)
  }

  /// A person's ancestors, with what happened to them and where.
  func pedigree(of person: Ref<Person>, generations: Int) async throws -> FamilyTree {
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
      .including(\.events).including(\Event.place)
    return try await .ancestors(in: cache.graph(of: person, plan), generations: generations)
  }

  /// A person's descendants and whom they married.
  ///
  /// A child is two hops away, by way of the family. One hop beyond the last generation lie its
  /// families, and tell whether there are further descendants. The partners' other families lie
  /// within as many hops and are loaded with them.
  func descendants(of person: Ref<Person>, generations: Int) async throws -> FamilyTree {
    let hops = 2 * generations
    let plan = Plan<Person>.following(\.families, generations: hops + 1)
      .following(\Family.children, generations: hops)
      .following(\Family.husband, \Family.wife, generations: hops + 2)
      .including(\.events).including(\Family.events)
    return try await .descendants(in: cache.graph(of: person, plan), generations: generations)
  }

  /// A person and all ancestors, without their events: the ground for figures.
  func lineage(of person: Ref<Person>) async throws -> Lineage {
    let plan = Plan<Person>.following(\.father, \.mother, generations: .max)
    return Lineage(try await cache.graph(of: person, plan).records(of: Person.self))
  }

  /// The first person of the file.
  func firstPerson() async throws -> Person? {
    try await cache.find(Self.fileOrder.limited(to: 1)).first
  }

  /// The number for a person who is added: no person has one as large.
  func nextNumber() async throws -> Int {
    let last = RecordQuery<Person>().sorted(by: \.number, .descending).limited(to: 1)
    return try await cache.find(last).first.map { $0.number + 1 } ?? 0
  }

  /// Goes through everybody, in the order of the file.
  func forEachPage(_ body: ([Person]) -> Void) async throws {
    try await forEachPage(of: Self.fileOrder, body)
  }

  /// Goes through the answer to a query, a page at a time: no more need be in memory.
  func forEachPage(
    of query: RecordQuery<Person>, _ body: ([Person]) async throws -> Void
  ) async throws {
    // Where all is in memory, each page would sort all of it.
    guard stored != nil else { return try await body(cache.find(query)) }
    let size = min(max(cache.capacity, 500), 10_000)
    var page = try await cache.page(query, size: size)
    try await body(page.records)
    while page.hasMore {
      page = try await cache.page(query, size: size, after: page.end)
      try await body(page.records)
    }
  }

  private static var fileOrder: RecordQuery<Person> {
    RecordQuery<Person>().sorted(by: \.number).sorted(by: \.id)
  }

  /// What happened to each of some persons, in one batch.
  func events(of persons: [Person]) async throws -> [[Event]] {
    var events = try await cache.resolve(persons.flatMap(\.events))[...]
    return persons.map { person in
      defer { events = events.dropFirst(person.events.count) }
      return Array(events.prefix(person.events.count))
    }
  }

  /// The person whom a text means: by the xref, with or without at signs; by the whole name, if
  /// only one has it; or by words of the name.
  ///
  /// - Throws: `Failure` if it means nobody or several.
  func person(_ text: String) async throws -> Ref<Person> {
    if let person = try await cache.find(Ref<Person>(Self.xref(text))) { return person.ref }
    guard let condition = PersonCondition("name=\(text)") else { throw Failure.nobody(text) }
    let persons = try await cache.find(PersonQuestion(conditions: [condition]).query)
    let folding = PersonCondition.folding
    let name = folding.folded(text)
    let namesakes = persons.filter { folding.folded($0.name.full) == name }
    let candidates = namesakes.count == 1 ? namesakes : persons
    guard let first = candidates.first else { throw Failure.nobody(text) }
    if candidates.count == 1 { return first.ref }
    var lines = candidates.prefix(10).map(\.label)
    if candidates.count > 10 { lines.append("and \(candidates.count - 10) more") }
    throw Failure(
      status: .notFound,
      message: "\(text.quoted) is the name of several:\n  \(lines.joined(separator: "\n  "))")
  }

  /// The family with this xref, with or without at signs.
  func family(_ text: String) async throws -> Family? {
    try await cache.find(Ref<Family>(Self.xref(text)))
  }

  private static func xref(_ text: String) -> String {
    text.hasPrefix("@") ? text : "@\(text)@"
  }

  /// Learns what others have changed until now.
  ///
  /// - Throws: `Failure` if the store does not answer.
  func catchUp() async throws {
    guard let editions, let store = stored?.shared else { return }
    do {
      try await editions.catchUp(with: store)
    } catch {
      throw Failure(
        status: (error as? any DataError)?.isOfData == true ? .badData : .unreadable,
        message: "it is not known what others have changed: \(error)")
    }
  }
}

extension Failure {
  fileprivate static func nobody(_ name: String) -> Failure {
    Failure(status: .notFound, message: "nobody is called \(name.quoted)")
  }
}
