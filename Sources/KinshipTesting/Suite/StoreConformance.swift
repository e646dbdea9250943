public import Foundation
public import Kinship

/// Checks that your backing store meets the requirements of every backing store.
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
/// The checks need no test library: a check that fails throws a ``Failure``, which describes the
/// finding.
///
/// If a store is read-only or answers no queries, run only the checks that concern it, such as
/// ``Check/fetching``.
///
/// All refs in the initial contents and in the changes name records that exist, because a store may
/// refuse others.
public struct StoreConformance: Sendable {
  /// Makes a new store that has the given records, and no others.
  public typealias MakeStore = @Sendable (StoreContents) async throws -> any BackingStore

  let makeStore: MakeStore
  let storesNUL: Bool

  /// Creates the checks of a store.
  ///
  /// - Parameters:
  ///   - storesNUL: Whether texts may contain the character U+0000, which some databases cannot
  ///     store.
  ///   - makeStore: Makes a new store that has the given records, and no others. It is called
  ///     several times for a check.
  public init(storesNUL: Bool = true, _ makeStore: @escaping MakeStore) {
    self.storesNUL = storesNUL
    self.makeStore = makeStore
  }

  /// Runs a check.
  ///
  /// The environment controls the number of random operations: `KINSHIP_OPERATIONS=10` tries ten
  /// times as many as usual, and `KINSHIP_SEED=17` only those of that seed.
  ///
  /// - Parameter check: The check.
  /// - Throws: ``Failure`` if the store violates the requirement, or throws an unexpected error;
  ///   `CancellationError` if the task is cancelled.
  public func run(_ check: Check) async throws {
    try await Self.check(check.description) { try await check.body(self) }
  }

  /// One requirement for every backing store.
  public struct Check: Sendable, CaseIterable, CustomStringConvertible {
    /// The requirement, in words that follow “a store must”.
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

  /// A violated requirement.
  public struct Failure: LocalizedError, CustomStringConvertible {
    /// The requirement.
    public let requirement: String
    /// The difference that was found, or the error that the store has thrown.
    public let cause: any Error

    /// The requirement, and the finding.
    public var description: String {
      switch cause {
      case let mismatch as Mismatch: "A store must \(requirement): \(mismatch)"
      case let failure as PropertyFailure<StoreTestCommand>:
        "A store must \(requirement).\n\(failure)"
      default: "A store must \(requirement), and this one threw \(type(of: cause)): \(cause)"
      }
    }

    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
  }

  /// Runs the body of a check, and adds the requirement to its errors.
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
  /// The initial contents of the checks: a family of three, with sources, and a place without
  /// referrers.
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

  func makeFamily() async throws -> any BackingStore { try await makeStore(Self.family) }

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

  /// Verifies that a result has the expected records, each once, in any order.
  static func verifySame<R: TriedRecord>(
    _ found: [R], _ expected: [R], _ subject: String
  ) throws(Mismatch) {
    let subject = "\(subject) of type \(R.recordName)"
    let wanted = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) })
    let counts = Dictionary(found.map { ($0.id, 1) }, uniquingKeysWith: +)
    let lacking = expected.map(\.ref).filter { counts[$0.id] == nil }
    try KinshipTesting.verify(lacking.isEmpty, "\(subject) lacks \(some(of: lacking))")
    let others = found.map(\.ref).filter { wanted[$0.id] == nil }
    try KinshipTesting.verify(
      others.isEmpty, "\(subject) has \(some(of: others)), which should not be there")
    let repeated = expected.map(\.ref).filter { counts[$0.id] != 1 }
    try KinshipTesting.verify(
      repeated.isEmpty, "\(subject) has \(some(of: repeated)) more than once")
    for record in found {
      guard let wanted = wanted[record.id] else { continue }
      try verifyEqual(record, wanted, "\(record.ref), one of \(subject),")
    }
  }

  /// The first few refs, and the number of the others.
  private static func some<R: TriedRecord>(of refs: [Ref<R>]) -> String {
    let first = refs.prefix(5).map { "\($0)" }.joined(separator: ", ")
    return refs.count > 5 ? "\(first) and \(refs.count - 5) more" : first
  }

  /// Verifies that a store refuses changes as required, and that nothing has changed then.
  static func verify(
    _ store: any BackingStore, with contents: StoreContents, refuses changes: ChangeSet
  ) async throws {
    let (existing, conflicting) = contents.refusals(of: changes)
    do {
      try await store.apply(changes)
      throw Mismatch("the store has made changes that it must refuse: \(changes)")
    } catch KinshipError.exists(let ref) {
      try KinshipTesting.verify(existing.contains(ref), "\(ref) does not stand in the way")
    } catch KinshipError.conflict(let ref, let mine, let theirs) {
      try KinshipTesting.verify(conflicting.contains(ref), "\(ref) has no conflict")
      func verifyValues<R: TriedRecord>(_ type: R.Type) throws(Mismatch) {
        guard let ref = ref.as(type) else { return }
        let new = changes.updated(type).first { $0.ref == ref }?.new
        try verifyEqual(mine as? R, new, "what the conflict says was to be written")
        try verifyEqual(theirs as? R, contents[ref], "what the conflict says is stored")
      }
      for type in StoreContents.types { try verifyValues(type) }
    } catch KinshipError.misuse(.identityChanged(let ref, _)) {
      try KinshipTesting.verify(
        contents.identityChanges(of: changes).contains(ref), "\(ref) keeps its identity")
    }
    try await verify(store, has: contents)
  }
}
