import Foundation
import Kinship
import Testing

extension DocumentationExamples {
  struct Note: Versioned {
    let id: Int
    var text: String
    var version = 0
  }

  @Test func `a transaction inserts, updates and deletes together`() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)

    try await cache.write { tx in
      try tx.insert(Place(id: 2, name: "Windsor"))
      try tx.update(Ref<Person>(42), \.name, to: "Albert")
      tx[Ref<Event>("birth-42")]?.place = 2
      try tx.delete(Ref<Person>(7))
    }

    #expect(store[Ref<Place>(2)]?.name == "Windsor")
    #expect(store[Ref<Event>("birth-42")]?.place == 2)
    #expect(store[Ref<Person>(7)] == nil)
    #expect(store[Ref<Person>(42)]?.father == nil)
  }

  @Test func `a transaction creates refs for new records`() async throws {
    let cache = try Self.cache()

    let (child, _) = try await cache.write { tx in
      let mother = try tx.newRef(Person.self)
      let child = try tx.newRef(Person.self)
      try tx.insert(Person(id: mother.id, name: "Louise"))
      try tx.insert(Person(id: child.id, name: "Albert", mother: mother))
      return child
    }

    #expect(try await cache.graph(of: child, .generations(1)).root.mother?.name == "Louise")
  }

  @Test func `a transaction preloads the records that it reads`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42

    try await cache.write(loading: .records([ref]), .graph(of: ref, .generations(1))) { tx in
      guard let person = tx[ref], let father = person.father else { return }
      try tx.update(father, \.name, to: "Father of " + person.name)
    }

    #expect(cache.peek(Ref<Person>(7))?.name == "Father of Albert")
  }

  struct Author: GraphRecord {
    let id: Int
    var name: String
    var books: [Ref<Book>] = []
    var publisher: Ref<Publisher>?

    static let relationships: Relationships<Author> = [
      .toMany(\.books, inverse: \.author, onDelete: .cascade),
      .toOne(\.publisher, onTargetDelete: .deny),
    ]
  }

  struct Book: GraphRecord {
    let id: Int
    var author: Ref<Author>?
    static let relationships: Relationships<Book> = [.toOne(\.author)]
  }

  struct Publisher: GraphRecord {
    let id: Int
  }

  @Test func `a transaction lists the consequences of a deletion`() async throws {
    let cache = try GraphCache(for: Author.self, Book.self, Publisher.self)
    let author: Ref<Author> = 1
    try await cache.write { tx in
      try tx.insert(Publisher(id: 3))
      try tx.insert(Author(id: 1, name: "Beatrix", publisher: 3))
      try tx.insert(Book(id: 2, author: 1))
    }
    #expect(cache.peek(author)?.books == [2])
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.delete(Ref<Publisher>(3)) }
    }

    try await cache.write { tx in
      let consequences = try tx.consequences(ofDeleting: author)
      guard consequences.isAllowed, consequences.deleted.count < 10 else { return }
      try tx.delete(author)
    }

    #expect(cache.count == 1)
  }

  @Test func `one call deletes several records`() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)

    try await cache.write { tx in
      try tx.delete(contentsOf: [Ref<Person>(7), Ref<Person>(8)])
    }

    #expect(store[Ref<Person>(8)] == nil)
    #expect(store[Ref<Person>(42)]?.father == nil)
  }

  @Test func `a query deletes the records that it finds`() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)

    let changes = try await cache.delete(RecordQuery<Person>(#Predicate { $0.name == "Ernst" }))

    #expect(changes.deleted(Person.self).map(\.id) == [7])
    #expect(store[Ref<Person>(42)]?.father == nil)
  }

  @Test func `a query updates the records that it finds`() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)

    try await cache.update(RecordQuery<Person>(#Predicate { $0.father != nil })) { person in
      person.name += " Jr."
    }

    #expect(store[Ref<Person>(42)]?.name == "Albert Jr.")
    #expect(store[Ref<Person>(8)]?.name == "Auguste")
  }

  @Test func `one call updates several properties`() async throws {
    let store = Self.family()
    let ref: Ref<Person> = 42
    try await Self.cache(store).write { tx in
      try tx.update(ref, .set(\.name, to: "Albert"), .set(\.mother, to: 8))
    }
    #expect(store[ref]?.mother == 8)
  }

  @Test func `a transaction changes the records of an inverse`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 8

    let children = try await cache.find(ref.related(Person.children))
    #expect(children.map(\.name) == ["Ernst"])

    try await cache.write { tx in
      for child in try tx.related(ref, Person.children) {
        try tx.update(child.ref, \.name, to: child.name + " Jr.")
      }
    }
    #expect(try await cache.resolve(Ref<Person>(7)).name == "Ernst Jr.")
  }

  @Test func `a transaction returns a result besides its changes`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 8
    let (count, changes) = try await cache.write { tx in
      let children = try tx.related(ref, Person.children)
      for child in children { try tx.update(child.ref, \.name, to: child.name + " Jr.") }
      return children.count
    }

    #expect(count == 1 && changes.count == 1)
  }

  @Test func `an optimistic write is shown before the store commits it`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    func show(_ name: String?) { #expect(name == "Bertie") }

    let pending = try await cache.writeOptimistically { tx in
      try tx.update(ref, \.name, to: "Bertie")
    }
    show(cache.peek(ref)?.name)
    try await pending.outcome()
  }

  @Test func `an undo stack undoes and redoes a write`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42

    let undoStack = UndoStack(cache)
    try await undoStack.write { tx in try tx.update(ref, \.name, to: "Bertie") }
    try await undoStack.undo()
    try await undoStack.redo()

    #expect(try await cache.resolve(ref).name == "Bertie")
  }

  @Test func `a change set names its properties and can be inverted`() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)
    func show(_ names: [String], of ref: Ref<Person>) {
      #expect(names == ["name"] && ref == 42)
    }

    let changes = try await cache.write { tx in
      try tx.update(Ref<Person>(42), \.name, to: "Albert")
    }
    for change in changes.updated(Person.self) {
      show(change.properties?.map(\.name) ?? [], of: change.ref)
    }

    _ = try await cache.resolve(Ref<Person>(42))

    let undo = try await cache.write { tx in
      try tx.update(Ref<Person>(42), \.name, to: "Albert")
    }.inverted

    #expect(undo.updated(Person.self).map(\.new?.name) == ["Albert"])
  }

  struct Doctor: Versioned {
    let id: Int
    var isOnCall = true
    var version = 0
  }

  enum Rota: Error { case empty }

  @Test func `a transaction requires that a record it read stays unchanged`() async throws {
    let store = MemoryStore([Doctor(id: 1), Doctor(id: 2)])
    let cache = try GraphCache(for: Doctor.self, store: store)
    let (mine, other): (Ref<Doctor>, Ref<Doctor>) = (1, 2)
    try await cache.write(retries: 3) { tx in
      guard tx[other]?.isOnCall == true else { throw Rota.empty }
      try tx.require(other)
      try tx.update(mine, \.isOnCall, to: false)
    }
    #expect(store[other]?.version == 1)
  }
}
