import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTiers
import KinshipTranslation
import Testing

/// The messages of mistakes: a public call throws every error here.
struct ProvokedMistakesTests {
  struct Person: GraphRecord, Codable {
    let id: Int
    var name = "Ann"
  }

  struct Dog: GraphRecord, Codable, Equatable {
    var id: Int
    var age = 3
    var owner: Ref<Person>?
    var friend: Ref<Dog>?
    var leash: Ref<Leash>?

    static let relationships: Relationships<Dog> = [
      .toOne(\.owner, onTargetDelete: .deny), .ignored(\.friend), .ignored(\.leash),
    ]
  }

  enum Kennel {
    struct Dog: GraphRecord {
      let id: Int
    }
  }

  /// Lists a property twice.
  struct Twin: GraphRecord {
    let id: Int
    var person: Ref<Person>?
    static let relationships: Relationships<Twin> = [.toOne(\.person), .toOne(\.person)]
  }

  /// Declares none of its refs.
  struct Stray: GraphRecord {
    let id: Int
    var owner: Ref<Person>?
  }

  /// Cannot be without its dog.
  struct Collar: GraphRecord {
    let id: Int
    var dog: Ref<Dog>
    static let relationships: Relationships<Collar> = [.toOne(\.dog, onTargetDelete: .nullify)]
  }

  /// Has the inverse of a property that is no relationship back.
  struct Leash: GraphRecord {
    let id: Int
    var dog: Ref<Dog>?
    static let relationships: Relationships<Leash> = [.toOne(\.dog, inverse: \.leash)]
  }

  /// Has ids that may be NaN.
  struct Sample: GraphRecord {
    let id: Double
  }

  /// Cannot be written to files.
  struct Opaque: GraphRecord {
    let id: Int
  }

  /// Has codes that are unique.
  struct Tag: GraphRecord, Codable {
    let id: Int
    var code: String?
    static let indexes: RecordIndexes<Tag> = [.unique(\.code)]
  }

  /// Persons of other versions of a program.
  enum Older {
    struct Person: GraphRecord, Codable {
      let id: Int
    }
  }

  enum Newer {
    struct Person: GraphRecord, Codable {
      let id: Int
      var name = "Ann"
      static let recordVersion = 2
    }
  }

  /// Fails with advice of its own.
  struct LoggedOut: Error, CustomStringConvertible {
    var description: String { "You are logged out. Log in again." }
  }

  /// Ignores the order of queries.
  struct Unsorted: BackingStore {
    let base: MemoryStore

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await base.fetch(type, ids: ids)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try await base.fetch(query).reversed()
    }

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }
  }

  /// Never answers.
  struct Silent: BackingStore {
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await Task.sleep(for: .seconds(3_600))
      return []
    }
  }

  private let dogs = [Dog(id: 1, owner: 1), Dog(id: 2), Dog(id: 3)]

  private func cache(over store: (any BackingStore)? = nil) async throws -> GraphCache {
    if let store { return try GraphCache(for: Person.self, Dog.self, store: store) }
    let memory = MemoryStore(dogs)
    memory.insert([Person(id: 1)])
    return try GraphCache(for: Person.self, Dog.self, store: memory)
  }

  @Test func `each message names what it is about and what to do`() async throws {
    var table = MistakeTable()
    await provokeMistakesOfSchemas(&table)
    try await provokeMistakesOfRecords(&table)
    try await provokeMistakesOfQueries(&table)
    try await provokeMistakesOfStores(&table)
    try await provokeMistakesOfFiles(&table)
    table.printIfAsked()
    #expect(table.faults == [])
    #expect(table.count >= 38)
  }

  private func provokeMistakesOfSchemas(_ table: inout MistakeTable) async {
    await table.provoke(
      "list a type twice in a cache", naming: ["Dog"], advice: "List it once"
    ) {
      _ = try GraphCache(for: Person.self, Dog.self, Dog.self)
    }
    await table.provoke(
      "list two types of one name", naming: ["Kennel.Dog", "“Dog”"], advice: "recordName"
    ) {
      _ = try GraphCache(for: Person.self, Dog.self, Kennel.Dog.self)
    }
    await table.provoke(
      "forget the target of a relationship", naming: ["Dog.owner", "Person"],
      advice: "Add Person to the types of the cache"
    ) {
      _ = try GraphCache(for: Dog.self)
    }
    await table.provoke(
      "declare a relationship twice", naming: ["Twin.person"], advice: "List it once"
    ) {
      _ = try GraphCache(for: Twin.self, Person.self)
    }
    // Elsewhere the standard library does not report what a type stores.
    #if !canImport(Darwin)
      await table.provoke(
        "forget to declare a relationship", naming: ["Stray.owner"],
        advice: "Add .toOne, .toMany or .ignored(\\.owner)"
      ) {
        _ = try GraphCache(for: Stray.self, Person.self)
      }
    #endif
    await table.provoke(
      "nullify a ref that is not optional", naming: ["Collar.dog"],
      advice: "choose onTargetDelete"
    ) {
      _ = try GraphCache(for: Collar.self, Dog.self, Person.self)
    }
    await table.provoke(
      "name an inverse that does not lead back", naming: ["Leash.dog", "back to Leash"],
      advice: "must be a declared relationship"
    ) {
      _ = try GraphCache(for: Leash.self, Dog.self, Person.self)
    }
  }

  private func provokeMistakesOfRecords(_ table: inout MistakeTable) async throws {
    let cache = try await cache()
    let ref = Ref<Dog>(1)
    await table.provoke(
      "load a record of a type that the cache does not have", naming: ["Tag"],
      advice: "Add Tag.self to the types"
    ) {
      _ = try await cache.resolve(Ref<Tag>(1))
    }
    await table.provoke(
      "load a record that does not exist", naming: ["Dog(9)"], advice: "Check the id"
    ) {
      _ = try await cache.resolve(Ref<Dog>(9))
    }
    await table.provoke(
      "follow a property that is no relationship", naming: ["friend", "Dog"],
      advice: "Declare it"
    ) {
      _ = try await cache.graph(of: ref, .following(\.friend))
    }
    await table.provoke(
      "change the id of a record", naming: ["Dog(1)", "Dog(7)"], advice: "Keep the id"
    ) {
      try await cache.write { tx in try tx.update(ref, \.id, to: 7) }
    }
    await table.provoke(
      "insert a record that exists", naming: ["Dog(1)"], advice: "with another id"
    ) {
      try await cache.write { tx in try tx.insert(Dog(id: 1)) }
    }
    await table.provoke(
      "delete a record that others need", naming: ["Person(1)", "Dog(1)"],
      advice: "Delete these records first"
    ) {
      try await cache.write { tx in try tx.delete(Ref<Person>(1)) }
    }
    await table.provoke(
      "read through the cache in a transaction", naming: ["Dog(1)"], advice: "`tx[ref]`"
    ) {
      try await cache.write { tx in
        tx[ref]?.age = 4
        _ = cache.peek(ref)
      }
    }
    let memory = MemoryStore(dogs)
    let other = try await self.cache(over: memory)
    _ = try await other.resolve(Ref<Dog>(2))
    _ = memory.remove(Ref<Dog>(2))
    await table.provoke(
      "change a record that another writer has deleted", naming: ["Dog(2)"],
      advice: "Read it again"
    ) {
      try await other.write(retries: 0) { tx in try tx.update(Ref<Dog>(2), \.age, to: 4) }
    }
    let samples = try GraphCache(for: Sample.self)
    await table.provoke(
      "put a record whose id is NaN", naming: ["Sample"], advice: "Use an id with a stable"
    ) {
      try await samples.put(Sample(id: .nan))
    }
  }

  private func provokeMistakesOfQueries(_ table: inout MistakeTable) async throws {
    let cache = try await cache()
    await table.provoke(
      "divide by zero in a predicate", naming: ["Dog("], advice: "Exclude zero"
    ) {
      _ = try await cache.find(RecordQuery<Dog>(#Predicate { 6 / ($0.age - 3) > 1 }))
    }
    let end = try await cache.page(RecordQuery<Dog>(), size: 2).end
    await table.provoke(
      "continue another query with a cursor", naming: ["Dog"], advice: "Use it with the filter"
    ) {
      _ = try await cache.page(RecordQuery<Dog>().sorted(by: \.age), size: 2, after: end)
    }
    let old = try GraphCache(for: Person.self, Dog.self)
    try await old.put(contentsOf: [Dog(id: 1, age: .max), Dog(id: 2, age: .max)])
    await table.provoke(
      "add up integers beyond their range", naming: ["Dog.age"], advice: "declare a wider type"
    ) {
      _ = try await old.find(RecordQuery<Dog>().sum(of: \Dog.age))
    }
    let owned = RecordFilter<Dog>.where(\.owner, in: RecordQuery<Person>())
    await table.provoke(
      "try a filter on related records without a cache", naming: ["Dog.owner"],
      advice: "ask it with `find`"
    ) {
      _ = try owned.matches(dogs[0])
    }
  }

  private func provokeMistakesOfStores(_ table: inout MistakeTable) async throws {
    let persons = ClosureStore().fetching(Person.self) { _ in [] }
    let lacking = try await cache(over: persons)
    await table.provoke(
      "load a type for which a ClosureStore has no closure", naming: ["Dog", "ClosureStore"],
      advice: "Add the operation"
    ) {
      _ = try await lacking.resolve(Ref<Dog>(1))
    }
    await table.provoke(
      "write to a ClosureStore without a closure for it", naming: ["ClosureStore"],
      advice: "`applying` of ClosureStore"
    ) {
      try await lacking.write { tx in try tx.insert(Person(id: 2)) }
    }
    let wrong = try await cache(over: ClosureStore().fetching(Dog.self) { _ in [Dog(id: 2)] })
    await table.provoke(
      "answer with a record that was not requested", naming: ["Dog(2)"],
      advice: "it must return each requested record once"
    ) {
      _ = try await wrong.resolve(Ref<Dog>(1))
    }
    let unsorted = try await cache(over: Unsorted(base: MemoryStore(dogs)))
    await table.provoke(
      "answer a query in another order", naming: ["Dog("],
      advice: "it must sort by the order of the query"
    ) {
      _ = try await unsorted.find(RecordQuery<Dog>().sorted(by: \.age))
    }
    let closed = try await cache(
      over: ClosureStore().fetching(Dog.self) { _ in throw LoggedOut() })
    await table.provoke(
      "fail in a closure of a store", naming: ["Dog 1"], advice: "Log in again."
    ) {
      _ = try await closed.resolve(Ref<Dog>(1))
    }
    let silent = try GraphCache(
      for: Person.self, Dog.self, store: Silent(),
      fetching: FetchLimits(deadline: .milliseconds(1)))
    await table.provoke(
      "wait for a store that does not answer", naming: ["Dog(1)"], advice: "`FetchLimits`"
    ) {
      _ = try await silent.resolve(Ref<Dog>(1))
    }
    let routed = RoutedStore(default: MemoryStore()).routing(Dog.self, to: MemoryStore())
    let several = try await cache(over: routed)
    await table.provoke(
      "write to two stores, of which none leads", naming: ["Person", "Dog"],
      advice: "RoutedStore(leading:)"
    ) {
      try await several.write { tx in
        try tx.insert(Person(id: 5))
        try tx.insert(Dog(id: 5))
      }
    }
    let unrouted = try await cache(over: RoutedStore().routing(Dog.self, to: MemoryStore()))
    await table.provoke(
      "load a type for which no store is routed", naming: ["Person", "RoutedStore"],
      advice: "use a store that has it"
    ) {
      _ = try await unrouted.resolve(Ref<Person>(1))
    }
    let translating = try TranslatingStore(FamilySession(), PersonModel.mapping)
    await table.provoke(
      "load a type without a translator", naming: ["TestPlace"], advice: "Pass one"
    ) {
      _ = try await translating.fetch(TestPlace.self, ids: [1])
    }
    let copy = MemoryStore([Person(id: 9)])
    await table.provoke(
      "copy into a store that has other records", naming: ["Person(9)"], advice: "copy again"
    ) {
      _ = try await MemoryStore([Person(id: 1)]).copy([Person.self], to: copy)
    }
  }

  private func provokeMistakesOfFiles(_ table: inout MistakeTable) async throws {
    let directory = try TemporaryDirectory()
    let cache = try GraphCache(for: Person.self)
    try await cache.put(Person(id: 1))
    func url(_ name: String) -> URL { directory.url.appending(path: name) }
    await table.provoke(
      "restore from a file that does not exist", naming: [directory.path, "no"],
      advice: "Check the path"
    ) {
      _ = try await cache.restore(from: url("no"))
    }
    await table.provoke(
      "save a type that is not Codable", naming: ["Opaque"], advice: "Declare both as Codable"
    ) {
      let opaque = try GraphCache(for: Opaque.self)
      try await opaque.put(Opaque(id: 1))
      try await opaque.snapshot(to: url("opaque"))
    }
    try Data("Not a file of Kinship, but as long as one.".utf8).write(to: url("text"))
    await table.provoke(
      "restore from a file of another kind", naming: [directory.path, "text"],
      advice: "Check the path"
    ) {
      _ = try await cache.restore(from: url("text"))
    }
    try await cache.snapshot(to: url("now"))
    await table.provoke(
      "restore from a file beyond the limit", naming: [directory.path, "now"],
      advice: "Raise the limit"
    ) {
      var options = RestoreOptions()
      options.maximumSize = 8
      _ = try await cache.restore(from: url("now"), options)
    }
    await table.provoke(
      "restore into a newer version without a migration", naming: ["Person", "version 2"],
      advice: "Add that step"
    ) {
      _ = try await GraphCache(for: Newer.Person.self).restore(from: url("now"))
    }
    let older = try GraphCache(for: Older.Person.self)
    try await older.put(Older.Person(id: 1))
    try await older.snapshot(to: url("older"))
    await table.provoke(
      "require a property that stored records lack", naming: ["Person(1)", "name"],
      advice: "Make the property optional"
    ) {
      _ = try await GraphCache(for: Person.self).restore(from: url("older"))
    }
    let tags = try await FileStore(at: url("tags"), schema: GraphSchema(Tag.self))
    await table.provoke(
      "store the same value twice in a unique index", naming: ["Tag(1)", "Tag(2)", "code", "“a”"],
      advice: "another value"
    ) {
      try await tags.apply(ChangeSet(inserting: [Tag(id: 1, code: "a"), Tag(id: 2, code: "a")]))
    }
    await table.provoke(
      "open a store that is open", naming: [directory.path, "tags"], advice: "Close it there"
    ) {
      _ = try await FileStore(at: url("tags"), schema: GraphSchema(Tag.self))
    }
    try await tags.close()
    await table.provoke(
      "read from a store that was closed", naming: [directory.path, "tags"],
      advice: "Open it again"
    ) {
      _ = try await tags.fetch(Tag.self, ids: [1])
    }
  }
}
