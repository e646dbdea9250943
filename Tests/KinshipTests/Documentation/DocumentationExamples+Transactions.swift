import Kinship
import Testing

extension DocumentationExamples {
  struct Note: Versioned {
    let id: Int
    var text: String
    var version = 0
  }

  @Test func transaction() async throws {
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

  @Test func severalProperties() async throws {
    let store = Self.family()
    let ref: Ref<Person> = 42
    try await Self.cache(store).write { tx in
      try tx.update(ref, .set(\.name, to: "Albert"), .set(\.mother, to: 8))
    }
    #expect(store[ref]?.mother == 8)
  }

  @Test func inverses() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 8

    let children = try await cache.related(ref, Person.children)
    #expect(children.map(\.name) == ["Ernst"])

    try await cache.write { tx in
      for child in try tx.related(ref, Person.children) {
        try tx.update(child.ref, \.name, to: child.name + " Jr.")
      }
    }
    #expect(try await cache.resolve(Ref<Person>(7)).name == "Ernst Jr.")
  }

  @Test func optimisticWrites() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    func show(_ name: String?) { #expect(name == "Bertie") }

    let pending = try await cache.writeOptimistically { tx in
      try tx.update(ref, \.name, to: "Bertie")
    }
    show(cache.peek(ref)?.name)
    try await pending.outcome()
  }

  @Test func undoStack() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42

    let undoStack = UndoStack(cache)
    try await undoStack.write { tx in try tx.update(ref, \.name, to: "Bertie") }
    try await undoStack.undo()
    try await undoStack.redo()

    #expect(try await cache.resolve(ref).name == "Bertie")
  }

  @Test func changesAndUndo() async throws {
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
}
