public import Kinship

/// What every backing store must do, as checks to run against yours.
///
/// ```swift
/// @Test(arguments: StoreConformance.Check.allCases)
/// func aFileStoreConforms(to check: StoreConformance.Check) async throws {
///   try await StoreConformance { contents in
///     let store = try await FileStore(at: newFolder(), schema: schema)
///     try await store.apply(contents.insertions)
///     return store
///   }.run(check)
/// }
/// ```
///
/// The refs in what a store is filled with, and in what it is to apply, lead to records that are there:
/// a store may refuse others.
public struct StoreConformance: Sendable {
  /// Makes a fresh store that has some records.
  public typealias MakeStore = @Sendable (StoreContents) async throws -> any BackingStore

  let makeStore: MakeStore

  /// Creates the checks of a store.
  ///
  /// - Parameter makeStore: Makes a fresh store that has the records it is given, and no others.
  public init(_ makeStore: @escaping MakeStore) { self.makeStore = makeStore }

  /// Runs a check.
  ///
  /// - Parameter check: What to check.
  /// - Throws: ``Mismatch`` or ``PropertyFailure`` where the store does not do what it should, and what
  ///   the store throws.
  public func run(_ check: Check) async throws { try await check.body(self) }

  /// Something that every backing store must do.
  public struct Check: Sendable, CustomStringConvertible {
    /// What a store must do.
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
    for type in StoreContents.recordTypes { try await verify(store, has: contents, of: type) }
  }

  private static func verify<R: StoreTestRecord>(
    _ store: any BackingStore, has contents: StoreContents, of type: R.Type
  ) async throws {
    let found = try await store.fetch(RecordQuery<R>())
    try verifySame(found, contents.all(type), "what there is")
    let ids = found.map(\.id)
    try verifySame(try await store.fetch(type, ids: ids), contents.all(type), "what is fetched")
  }

  /// Verifies that an answer has the records that it should, each once, in any order.
  static func verifySame<R: StoreTestRecord>(
    _ found: [R], _ expected: [R], _ subject: String
  ) throws(Mismatch) {
    try verifyEqual(
      Dictionary(found.map { ($0.id, $0) }) { first, _ in first },
      Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) }),
      "\(subject) of type \(R.recordName)")
    try verifyEqual(found.count, expected.count, "the count of \(subject) of type \(R.recordName)")
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
      try KinshipTestSupport.verify(existing.contains(ref), "\(ref) does not stand in the way")
    } catch KinshipError.conflict(let ref, let mine, let theirs) {
      try KinshipTestSupport.verify(conflicting.contains(ref), "\(ref) has no conflict")
      func verifyValues<R: StoreTestRecord>(_ type: R.Type) throws(Mismatch) {
        guard let ref = ref.as(type) else { return }
        let new = changes.updated(type).first { $0.ref == ref }?.new
        try verifyEqual(mine as? R, new, "what the conflict says was to be written")
        try verifyEqual(theirs as? R, contents[ref], "what the conflict says is stored")
      }
      for type in StoreContents.recordTypes { try verifyValues(type) }
    } catch KinshipError.identityChanged(let ref, _) {
      try KinshipTestSupport.verify(
        contents.identityChanges(of: changes).contains(ref), "\(ref) keeps its identity")
    }
    try await verify(store, has: contents)
  }
}
