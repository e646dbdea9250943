import Kinship
import KinshipDiagnostics
import KinshipFileStore
import KinshipProgram
import KinshipSync

#if SQLite
  import KinshipSQLite
#endif

/// A genealogy, and the cache that answers all questions about it.
struct Archive: Sendable {
  let cache: GraphCache
  private let store: any BackingStore
  /// Follows the edits of other programs; `nil` if no other program can edit.
  private var following: GraphCache.Following?

  /// A genealogy in memory.
  init(_ genealogy: Genealogy, _ options: Options = Options()) throws(KinshipError) {
    let store = MemoryStore()
    store.insert(genealogy.persons)
    store.insert(genealogy.families)
    store.insert(genealogy.events)
    store.insert(genealogy.places)
    try self.init(store, options)
  }

  /// A genealogy in a store.
  init(_ store: any BackingStore, _ options: Options) throws(KinshipError) {
    let isReported = options.report != nil
    self.store = store
    cache = try GraphCache(
      for: Person.self, Family.self, Event.self, Place.self, store: store,
      capacity: options.recordsInMemory, strictness: isReported ? .report { _ in } : .off,
      tracing: isReported ? .on : .off)
  }

  /// Follows what other programs change from now on, or since the snapshot that was restored.
  mutating func follow() async throws {
    // While the store does not answer, what is known is better than nothing.
    let limits = FollowingLimits(duringOutage: .serve)
    following = (store as? any SharedStore).map { cache.follow($0, limits: limits) }
    try await catchUp()
  }

  /// Catches up with the changes of other programs, if the store answers.
  func catchUp() async throws {
    do { try await (store as? any SharedStore)?.catchUp() } catch {
      throw Failure(
        status: .unreadable, message: "it is not known what others have changed: \(error.sentences)"
      )
    }
  }

  /// Stops following the store, and closes it.
  func close() async throws {
    await following?.finish()
    try await (store as? FileStore)?.close()
    #if SQLite
      await (store as? SQLiteStore)?.close()
    #endif
  }
}

// MARK: - Graphs

extension Archive {
  /// A person's ancestors, with their events and places.
  func pedigree(of person: Ref<Person>, generations: Int) async throws -> FamilyTree {
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
      .following(\.events).following(\Event.place)
    return try await FamilyTree(cache.graph(of: person, plan), generations: generations)
  }

  /// A person and all ancestors, without their events, for figures.
  func lineage(of person: Ref<Person>) async throws -> Lineage {
    let plan = Plan<Person>.following(\.father, \.mother)
    return Lineage(try await cache.graph(of: person, plan).records(of: Person.self))
  }
}

// MARK: - Queries

extension Archive {
  func firstPerson() async throws -> Person? {
    try await cache.find(PersonQuestion(limit: 1).query).first
  }

  /// Reads the persons of a query, everybody by default, a page at a time: no more need be
  /// in memory.
  func forEachPage(
    of query: RecordQuery<Person> = PersonQuestion().query,
    _ body: ([Person]) async throws -> Void
  ) async throws {
    // If all records are in memory, each page would sort all of them.
    if store is MemoryStore { return try await body(cache.find(query)) }
    let size = min(max(cache.capacity, 500), 10_000)
    var page: Page<Person>?
    repeat {
      page = try await cache.page(query, size: size, after: page?.end)
      try await body(page?.records ?? [])
    } while page?.hasMore == true
  }

  /// Returns the events of each of some persons, loaded in one batch.
  func events(of persons: [Person]) async throws -> [[Event]] {
    var events = try await cache.resolve(persons.flatMap(\.events))[...]
    return persons.map { person in
      defer { events = events.dropFirst(person.events.count) }
      return Array(events.prefix(person.events.count))
    }
  }

  /// The one person whom a text means: by the xref, with or without at signs, or by words of the
  /// name.
  func person(_ text: String) async throws -> Person {
    if let person = try await cache.find(Ref<Person>(Self.xref(text))) { return person }
    var persons: [Person] = []
    if let words = PersonCondition("name=\(text)") {
      persons = try await cache.find(PersonQuestion(conditions: [words], limit: 10).query)
    }
    switch persons.count {
    case 0:
      throw Failure(
        status: .notFound,
        message: "no person is called \(text.quoted). Name a part of the name, or an id such as I1")
    case 1: return persons[0]
    default:
      let list = persons.map { "\n  \($0.label)" }.joined()
      throw Failure(
        status: .notFound,
        message: "\(text.quoted) is the name of several persons. Choose one by its id:\(list)")
    }
  }

  /// The family with this xref, with or without at signs.
  func family(_ text: String) async throws -> Family? {
    try await cache.find(Ref<Family>(Self.xref(text)))
  }

  /// Whether a text that means a person is an id or a complete name, and not only a part of one.
  static func isExact(_ text: String, for person: Person) -> Bool {
    let folding: TextFolding = [.case, .diacritics]
    return xref(text) == person.id || folding.folded(text) == folding.folded(person.fullName)
  }

  private static func xref(_ text: String) -> String {
    text.hasPrefix("@") ? text : "@\(text)@"
  }
}
