import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTranslation
import Observation
import OtherFrameworks
import Testing

/// A program that uses Kinship beside SwiftUI, SwiftData, Core Data, Combine or GRDB needs no
/// module names.
///
/// `OtherFrameworks` declares their names. If both had a name, the compiler would report it as
/// ambiguous here.
struct NeighbourNamesTests {
  struct Person: GraphRecord, Codable, Equatable {
    let id: Int
    var name: String
    var mother: Ref<Person>?
    var events: [Ref<Birth>] = []

    static let relationships: Relationships<Person> = [
      .toOne(\.mother), .toMany(\.events, onDelete: .cascade),
    ]
    static let children = Inverse<Person, Person>(\.mother)
  }

  struct Birth: Versioned, Codable, Equatable {
    let id: String
    var year: Int
    var version = 0
  }

  static let people = [
    Person(id: 1, name: "Albert", mother: 2, events: ["birth"]), Person(id: 2, name: "Louise"),
  ]

  static func schema() throws -> GraphSchema { try GraphSchema(Person.self, Birth.self) }

  static func cache() throws -> GraphCache {
    let store = MemoryStore(people)
    store.insert([Birth(id: "birth", year: 1819)])
    return GraphCache(
      schema: try schema(), store: store, capacity: 100, fetching: FetchLimits(batchSize: 10))
  }

  static func rename(_ ref: Ref<Person>, in tx: inout GraphCache.Transaction) throws {
    let change: PropertyChange<Person> = .set(\.name, to: "Bertie")
    try tx.update(ref, change)
  }

  @Test func `records load beside types with the same names`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 1
    let plan: Plan<Person> = .generations(1)
    let graph: Graph<Person> = try await cache.graph(of: ref, plan)
    let root: Node<Person> = graph.root
    #expect(root.mother?.name == "Louise")
    let lookup: Lookup<Birth> = graph["birth"]
    guard case .loaded(let birth) = lookup else { throw Mismatch("the birth is not loaded") }
    #expect(birth.year == 1819)
    #expect(try await cache.resolve(ref).name == "Albert")
    #expect(try await cache.find(Ref<Person>(2).related(Person.children)).map(\.id) == [1])
    let query: RecordQuery<Person> = RecordQuery<Person>().sorted(by: \.name, .descending)
    #expect(try await cache.find(query).map(\.id) == [2, 1])
    let lease: GraphCache.Lease = cache.lease([ref])
    lease.end()
    let statistics: GraphCache.Statistics = cache.statistics
    #expect(statistics.count == 3)
    do {
      _ = try await cache.resolve(Ref<Person>(3))
    } catch let error as KinshipError {
      guard case .missing(let ref) = error else { throw error }
      #expect(ref == AnyRef(Ref<Person>(3)))
    }
  }

  @Test func `records change and are observed beside types with the same names`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 1
    let removals: GraphCache.RemovalSubscription = cache.onRemoval { (_: GraphCache.Removal) in }
    try await cache.put(Person(id: 3, name: "Ernst"))
    let undoStack = UndoStack(cache)
    let changes: ChangeSet = try await undoStack.write { tx in try Self.rename(ref, in: &tx) }
    let updates: [UpdatedRecord<Person>] = changes.updated(Person.self)
    #expect(updates.map(\.new?.name) == ["Bertie"])
    let sequence: Changes<Person?, ListDiff<Person>> = cache.observe(ref)
    for try await change in sequence {
      let change: ObservedChange<Person?, ListDiff<Person>> = change
      #expect(change.value?.name == "Bertie")
      break
    }
    try await undoStack.undo()
    #expect(cache.peek(ref)?.name == "Albert")
    let consequences: GraphCache.DeletionConsequences = try await cache.write {
      try $0.consequences(ofDeleting: ref)
    }.result
    #expect(consequences.deleted.contains(AnyRef(Ref<Birth>("birth"))))
    let preload: GraphCache.Preload = .records([ref])
    try await cache.write(loading: preload) { tx in try tx.delete(ref) }
    #expect(cache.peek(ref) == nil)
    let pending: GraphCache.PendingWrite = try await cache.writeOptimistically { tx in
      try tx.insert(Person(id: 4, name: "Victoria"))
    }
    _ = try await pending.outcome()
    removals.cancel()
  }

  @MainActor @Test
  func `live values follow records beside types with the same names`() async throws {
    let cache = try Self.cache()
    _ = try await cache.resolve(Ref<Person>(1))
    let live: Live<Person?> = Live(cache, 1 as Ref<Person>)
    #expect(live.value?.name == "Albert")
  }

  @Test func `files keep records beside types with the same names`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await FileStore(
      at: directory.url.appending(path: "store"), schema: try Self.schema())
    let cache = GraphCache(schema: try Self.schema(), store: store)
    try await cache.write { tx in try tx.insert(Person(id: 1, name: "Albert")) }
    let snapshot = directory.url.appending(path: "snapshot")
    let saved: SnapshotReport = try await cache.snapshot(to: snapshot)
    #expect(saved.records == 1)
    let options = RestoreOptions()
    let restored: GraphCache.RestoreReport = try await GraphCache(schema: try Self.schema())
      .restore(from: snapshot, options)
    #expect(restored.restored == 1)
    try await store.close()
  }

  class NamedModel: Identifiable {
    let id: Int
    var name = ""

    required init(id: Int) { self.id = id }
  }

  /// The objects that keep them.
  final class Models: ObjectContext {
    private var models: [NamedModel] = []

    func objects<ID: Hashable & Sendable>(of type: NamedModel.Type, ids: [ID]) -> [NamedModel] {
      models.filter { model in ids.contains { $0 as? Int == model.id } }
    }

    func allObjects(of type: NamedModel.Type) -> [NamedModel] { models }

    func insertObject<ID: Hashable & Sendable>(
      of type: NamedModel.Type, id: ID
    ) throws -> NamedModel {
      guard let id = id as? Int else { throw UnexpectedModel(expected: Int.self, found: ID.self) }
      models.append(type.init(id: id))
      return models[models.count - 1]
    }

    func deleteObject(_ object: NamedModel) { models.removeAll { $0 === object } }
  }

  actor Session: ModelSession {
    private let models = Models()

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (Models) throws -> Answer
    ) throws -> Answer { try body(models) }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (Models) throws -> Answer
    ) throws -> Answer { try body(models) }
  }

  struct Named: GraphRecord {
    let id: Int
    var name: String
  }

  struct NamedTranslator: Translator {
    func record(from model: NamedModel) throws -> Named { Named(id: model.id, name: model.name) }

    func update(_ model: inout NamedModel, from record: Named, in models: ModelMap) throws {
      model.name = record.name
    }
  }

  @Test func `model objects translate beside types with the same names`() async throws {
    let store: any BackingStore = try TranslatingStore(Session(), NamedTranslator())
    let cache = try GraphCache(for: Named.self, store: store)
    try await cache.write { tx in try tx.insert(Named(id: 1, name: "Albert")) }
    #expect(try await store.fetch(Named.self, ids: [1]).map(\.name) == ["Albert"])
  }

  /// Including names that no test uses, in all libraries.
  @Test func `no public type has a name of the neighbouring libraries`() throws {
    func names(in folder: String) throws -> Set<String> {
      try RepositoryFile.all(in: folder).filter { $0.name.hasSuffix(".swift") }
        .reduce(into: []) { $0.formUnion(SwiftSource($1.text).publicTopLevelTypes) }
    }
    let theirs = try names(in: "Tests/OtherFrameworks")
    #expect(theirs.count > 400)
    for module in ["Kinship", "KinshipFileStore", "KinshipSQL", "KinshipSQLite"] {
      let folder = "Sources/\(module)"
      let ours = try names(in: folder)
      #expect(ours.count > 3)
      #expect(ours.isDisjoint(with: theirs), "\(folder): \(ours.intersection(theirs))")
    }
  }
}
