import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTranslation
import Testing

struct MappingTests {
  @Test(arguments: StoreConformance.Check.allCases)
  func `a store over dictionaries conforms`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { contents in
      let store = try JSONSession.store()
      try await store.apply(contents.insertions)
      return store
    }.run(check)
  }

  // MARK: Errors

  private static func library() async throws -> (LibrarySession, GraphCache) {
    let session = LibrarySession()
    let store = try TranslatingStore(session, NovelistModel.mapping, NovelModel.mapping)
    try await store.apply(
      ChangeSet(inserting: [Novelist(id: 1, name: "Bettina"), Novelist(id: 2, name: "Achim")])
        .merging(ChangeSet(inserting: [Novel(id: 7, title: "Letters", author: 1)])))
    let cache = try GraphCache(for: Novelist.self, Novel.self, store: store)
    return (session, cache)
  }

  @Test(arguments: [
    ("name", "there is no value"),
    ("sex", "\"other\" stands for none of the property's values"),
    ("home.street", "there is no value"),
    ("office.street", "there is no value"),
  ])
  func `an error of a line names the object and the property`(
    field: String, cause: String
  ) async throws {
    let (session, cache) = try await Self.library()
    try await session.write { context in
      let author = try context.models(for: [1], by: NovelistModel.mapping)[0]
      switch field {
      case "name": author.name = nil
      case "sex": author.gender = "other"
      case "home.street": author.home.line1 = nil
      default: author.office = AddressModel()
      }
    }
    await #expect {
      try await cache.resolve(Ref<Novelist>(1))
    } throws: { error in
      guard case KinshipError.fetchFailed(_, _, let reason) = error else { return false }
      return "\(reason)" == "Novelist(1).\(field) cannot be translated: \(cause)."
    }
  }

  @Test func `a dictionary with a value of another type names the property`() async throws {
    let session = JSONSession()
    let store = try TranslatingStore(session, JSONObject.people)
    try await store.apply(ChangeSet(inserting: [TestPerson(id: 1, name: "Albert")]))
    try await session.write { $0.objects["TestPerson"]?[1]?.fields["father"] = .string("Ernst") }
    await #expect {
      try await store.fetch(TestPerson.self, ids: [1])
    } throws: {
      guard case KinshipError.untranslatable("TestPerson", let id, "father", let cause) = $0
      else { return false }
      return id as? Int == 1 && (cause as? JSONObject.UnexpectedJSON)?.value == .string("Ernst")
    }
  }

  @Test func `one broken object blocks neither a query nor a deletion nor a write`() async throws {
    let (session, cache) = try await Self.library()
    try await session.write { context in
      try context.models(for: [2], by: NovelistModel.mapping)[0].name = nil
    }
    let broken = Lock<[AnyRef]>([])
    let readable = try await cache.find(
      RecordQuery<Novelist>(),
      .partial { error in
        if case .fetchFailed(_, let refs, _) = error { broken.withLock { $0 += refs } }
      })
    #expect(readable.map(\.id) == [1])
    #expect(broken.withLock(\.self) == [AnyRef(Ref<Novelist>(2))])
    // It may refer to the book; its mapping says that it does not.
    try await cache.write { tx in try tx.delete(Ref<Novel>(7)) }
    try await cache.write { tx in try tx.update(Ref<Novelist>(1), \.name, to: "Bettine") }
    #expect(try await session.read { try $0.allModels(by: NovelModel.mapping).count } == 0)
    #expect(try await cache.resolve(Ref<Novelist>(1)).name == "Bettine")
  }

  @Test func `a failed validation leaves memory as it was and names the property`() async throws {
    let (_, cache) = try await Self.library()
    _ = try await cache.resolve(Ref<Novelist>(1))
    await #expect {
      try await cache.write { tx in
        try tx.update(Ref<Novelist>(1), \.rank, to: 3)
        try tx.update(Ref<Novelist>(1), \.name, to: "")
      }
    } throws: {
      guard case KinshipError.commitFailed(let cause as InvalidModel) = $0 else { return false }
      return cause.type == "Novelist" && cause.id as? Int == 1 && cause.property == "name"
        && "\(cause)" == """
          Novelist(1).name is invalid: there is no value. Nothing was changed. Correct it and \
          write again.
          """
    }
    #expect(cache.peek(Ref<Novelist>(1)) == Novelist(id: 1, name: "Bettina"))
    try await cache.write { tx in try tx.update(Ref<Novelist>(1), \.rank, to: 4) }
    #expect(try await cache.resolve(Ref<Novelist>(1)).rank == 4)
  }

  struct DiskFailed: Error {}

  /// After an error that is no refusal, it is unknown whether the changes were made.
  @Test(arguments: [DiskFailed(), LibrarySession.ConnectionLost()] as [any Error & Sendable])
  func `an outage or a defect drops what it may have changed`(error: any Error) async throws {
    let (session, cache) = try await Self.library()
    _ = try await cache.resolve(Ref<Novelist>(1))
    await session.fail(with: error)
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(Ref<Novelist>(1), \.rank, to: 3) }
    }
    #expect(cache.peek(Ref<Novelist>(1)) == nil)
    await session.fail(with: nil)
    #expect(try await cache.resolve(Ref<Novelist>(1)).rank == nil)
  }
}
