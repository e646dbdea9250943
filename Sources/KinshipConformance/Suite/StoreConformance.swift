#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

public import Kinship

/// What every backing store must do, as checks to run against yours.
///
/// ```swift
/// @Test(arguments: StoreConformance.Check.allCases)
/// func myStoreConforms(to check: StoreConformance.Check) async throws {
///   try await StoreConformance { contents in
///     let store = MyStore()
///     try await store.apply(contents.insertions)
///     return store
///   }.run(check)
/// }
/// ```
///
/// It belongs to no test library: a check that fails throws a ``Failure``, which says in words what
/// was found.
///
/// A store can be read only, or answers no queries: then run those checks that concern it,
/// ``Check/fetching`` say.
///
/// The refs in what a store is filled with, and in what it is to apply, lead to records that are
/// there: a store may refuse others.
public struct StoreConformance: Sendable {
  /// Makes a fresh store that has the records it is given, and no others.
  public typealias MakeStore = @Sendable (StoreContents) async throws -> any BackingStore

  let makeStore: MakeStore
  let storesNUL: Bool

  /// Creates the checks of a store.
  ///
  /// - Parameters:
  ///   - storesNUL: Whether texts may have the character U+0000, which some databases have no place
  ///     for.
  ///   - makeStore: Makes a fresh store that has the records it is given, and no others. It is
  ///     called several times for a check.
  public init(storesNUL: Bool = true, _ makeStore: @escaping MakeStore) {
    self.storesNUL = storesNUL
    self.makeStore = makeStore
  }

  /// Runs a check.
  ///
  /// Random operations try as much as the environment says: `KINSHIP_OPERATIONS=10` ten times as
  /// much as usual, `KINSHIP_SEED=17` what that seed makes and nothing else.
  ///
  /// - Parameter check: What to check.
  /// - Throws: ``Failure`` where the store does not do what it must, or throws what it must not;
  ///   `CancellationError` where the task is cancelled.
  public func run(_ check: Check) async throws {
    try await Self.check(check.description) { try await check.body(self) }
  }

  /// Something that every backing store must do.
  public struct Check: Sendable, CaseIterable, CustomStringConvertible {
    /// What a store must do, in words that follow “a store must”.
    public let description: String

    let body: @Sendable (StoreConformance) async throws -> Void

    init(
      _ description: String, _ body: @escaping @Sendable (StoreConformance) async throws -> Void
    ) {
      self.description = description
      self.body = body
    }

    /// All checks.
    public static let allCases = fetching + querying + referring + writing + refusing + whole
  }

  /// A store does not do what it must.
  public struct Failure: Error, CustomStringConvertible {
    /// What a store must do.
    public let requirement: String

    /// What was found instead, or what the store has thrown.
    public let cause: any Error

    /// What a store must do, and what was found.
    public var description: String {
      switch cause {
      case let mismatch as Mismatch: "A store must \(requirement): \(mismatch)"
      case let failure as PropertyFailure<StoreTestCommand>:
        "A store must \(requirement).\n\(failure)"
      default: "A store must \(requirement), and this one threw \(type(of: cause)): \(cause)"
      }
    }
  }

  /// Runs the body of a check, and says in what it throws what was checked.
  static func check(_ requirement: String, by body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as EffortError {
      throw error
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      throw Failure(requirement: requirement, cause: error)
    }
  }
}

extension StoreConformance {
  /// What the checks begin with: a family of three, with sources, and a place nobody refers to.
  static let family: StoreContents = {
    var contents = StoreContents()
    contents.insert([
      TestPerson(id: 1, name: "Albert", father: 2, mother: 3, events: [10, 11]),
      TestPerson(id: 2, name: "Ernst", children: [1], events: [12]),
      TestPerson(id: 3, name: "Louise", children: [1]),
    ])
    contents.insert([
      TestEvent(id: 10, title: "Birth", person: 1, place: 20),
      TestEvent(id: 11, title: "Death", person: 1, place: 21),
      TestEvent(id: 12, title: "Birth", person: 2),
    ])
    contents.insert([
      TestPlace(id: 20, name: "Rosenau", region: 22), TestPlace(id: 21, name: "Windsor"),
      TestPlace(id: 22, name: "Coburg"), TestPlace(id: 23, name: "Nowhere"),
    ])
    contents.insert([
      TestSource(
        id: "register", title: "Register", author: "Stockmar", year: 1819, quality: 0.5,
        weight: 2.25, isOriginal: true, isPrinted: false, whole: Ref("archive")),
      TestSource(id: "archive", title: "Archive", isOriginal: true),
    ])
    contents.insert([
      TestCitation(id: 30, source: Ref("register"), people: [1, 3], page: 7, text: "A boy"),
      TestCitation(id: 31, source: Ref("archive"), people: [2], text: "A duke", version: 4),
    ])
    return contents
  }()

  /// A store that has the family.
  func makeFamily() async throws -> any BackingStore { try await makeStore(Self.family) }

  /// Verifies that a store has some records and no others.
  static func verify(_ store: any BackingStore, has contents: StoreContents) async throws {
    for type in StoreContents.types { try await verify(store, has: contents, of: type) }
  }

  private static func verify<R: TriedRecord>(
    _ store: any BackingStore, has contents: StoreContents, of type: R.Type
  ) async throws {
    let found = try await store.fetch(RecordQuery<R>())
    try verifySame(found, contents.all(type), "what there is")
    let ids = found.map(\.id)
    try verifySame(try await store.fetch(type, ids: ids), contents.all(type), "what is fetched")
  }

  /// Verifies that an answer has the records that it should, each once, in any order.
  static func verifySame<R: TriedRecord>(
    _ found: [R], _ expected: [R], _ subject: String
  ) throws(Mismatch) {
    let subject = "\(subject) of type \(R.recordName)"
    let wanted = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) })
    let counts = Dictionary(found.map { ($0.id, 1) }, uniquingKeysWith: +)
    let lacking = expected.map(\.ref).filter { counts[$0.id] == nil }
    try KinshipConformance.verify(lacking.isEmpty, "\(subject) lacks \(some(of: lacking))")
    let others = found.map(\.ref).filter { wanted[$0.id] == nil }
    try KinshipConformance.verify(
      others.isEmpty, "\(subject) has \(some(of: others)), which should not be there")
    let repeated = expected.map(\.ref).filter { counts[$0.id] != 1 }
    try KinshipConformance.verify(
      repeated.isEmpty, "\(subject) has \(some(of: repeated)) more than once")
    for record in found {
      guard let wanted = wanted[record.id] else { continue }
      try verifyEqual(record, wanted, "\(record.ref), one of \(subject),")
    }
  }

  /// The first few refs, and how many there are beyond them.
  private static func some<R: TriedRecord>(of refs: [Ref<R>]) -> String {
    let first = refs.prefix(5).map { "\($0)" }.joined(separator: ", ")
    return refs.count > 5 ? "\(first) and \(refs.count - 5) more" : first
  }

  /// Verifies that a store refuses changes as it must, and that nothing has changed then.
  static func verify(
    _ store: any BackingStore, with contents: StoreContents, refuses changes: ChangeSet
  ) async throws {
    let (existing, conflicting) = contents.refusals(of: changes)
    do {
      try await store.apply(changes)
      throw Mismatch("the store has made changes that it must refuse: \(changes)")
    } catch KinshipError.exists(let ref) {
      try KinshipConformance.verify(existing.contains(ref), "\(ref) does not stand in the way")
    } catch KinshipError.conflict(let ref, let mine, let theirs) {
      try KinshipConformance.verify(conflicting.contains(ref), "\(ref) has no conflict")
      func verifyValues<R: TriedRecord>(_ type: R.Type) throws(Mismatch) {
        guard let ref = ref.as(type) else { return }
        let new = changes.updated(type).first { $0.ref == ref }?.new
        try verifyEqual(mine as? R, new, "what the conflict says was to be written")
        try verifyEqual(theirs as? R, contents[ref], "what the conflict says is stored")
      }
      for type in StoreContents.types { try verifyValues(type) }
    } catch KinshipError.identityChanged(let ref, _) {
      try KinshipConformance.verify(
        contents.identityChanges(of: changes).contains(ref), "\(ref) keeps its identity")
    }
    try await verify(store, has: contents)
  }
}

extension StoreConformance.Failure: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
