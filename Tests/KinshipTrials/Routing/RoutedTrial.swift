import Kinship
import KinshipTiers
import KinshipTestSupport

/// A cache over three stores behind one, beside dictionaries with the contents of each.
package struct RoutedTrial {
  private typealias Contents = RoutedContents
  private typealias Kind = RoutedContents.Kind

  private let stores: [ScriptedStore]
  private let leads: Bool
  private let cache: GraphCache
  private var moods = Array(repeating: RoutedCommand.Mood.willing, count: Kind.allCases.count)
  private var contents = Contents()

  /// Writes while stores refuse and lose their connections.
  ///
  /// - Parameters:
  ///   - leads: Whether the store of people leads the others.
  ///   - seeds: How many lists of operations.
  /// - Returns: How many operations were tried.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  @discardableResult
  package static func check(leads: Bool, seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(
      seeds: seeds, steps: 40, generate: { RoutedCommand.random(using: &$0) },
      system: { _ in try RoutedTrial(leads: leads) }
    ) { trial, command in
      try await trial.perform(command)
      count += 1
    }
    return count
  }

  private init(leads: Bool) throws {
    self.leads = leads
    stores = Kind.allCases.map { _ in ScriptedStore(over: MemoryStore()) }
    let people = stores[0]
    cache = try GraphCache(
      for: Contents.Person.self, Contents.Photo.self, Contents.Letter.self,
      store: (leads ? RoutedStore(leading: people) : RoutedStore(default: people))
        .routing(Contents.Photo.self, to: stores[1]).routing(Contents.Letter.self, to: stores[2]))
  }

  private mutating func perform(_ command: RoutedCommand) async throws {
    switch command {
    case .trim: await cache.trim(to: 0)
    case .mood(let kind, let mood):
      moods[kind.rawValue] = mood
      stores[kind.rawValue].follow(mood.script)
    case .write(let edits):
      var wanted = contents
      for edit in edits { wanted.make(edit) }
      let (after, outcome) = outcome(of: wanted)
      do {
        try await cache.write { tx in for edit in edits { try Self.make(edit, in: &tx) } }
        try verifyEqual("made", outcome, "what has become of it")
      } catch let error as KinshipError {
        try verifyEqual(Self.text(of: error), outcome, "what has become of it")
      }
      contents = after
      try await verify(.person, contents.people)
      try await verify(.photo, contents.photos)
      try await verify(.letter, contents.letters)
    }
  }

  /// The contents after a transaction that should lead to some contents, and its outcome.
  private func outcome(of wanted: Contents) -> (Contents, String) {
    let kinds = Kind.allCases.filter { wanted.differs(from: contents, in: $0) }
    if kinds.count > 1, !leads || kinds[0] != .person { return (contents, "refused for \(kinds)") }
    var after = contents
    for (number, kind) in kinds.enumerated() {
      let mood = moods[kind.rawValue]
      if mood == .willing || mood == .losingAfter { after.take(kind, from: wanted) }
      if mood == .willing { continue }
      let (made, failed) = (kinds.prefix(number), kinds.dropFirst(number))
      return (after, number == 0 ? "failed" : "made for \(made), failed for \(failed)")
    }
    return (after, "made")
  }

  private static func text(of error: KinshipError) -> String {
    func kinds(_ names: [String]) -> [Kind] {
      names.compactMap { name in Kind.allCases.first { "\($0)" == name.lowercased() } }
    }
    return switch error {
    case .misuse(.changesSeveralStores(let types)): "refused for \(types.flatMap(kinds))"
    case .committedInPart(let committed, let failed, _):
      "made for \(kinds(committed)), failed for \(kinds(failed))"
    case .commitFailed: "failed"
    default: "\(error)"
    }
  }

  private static func make(
    _ edit: RoutedCommand.Edit, in tx: inout GraphCache.Transaction
  ) throws {
    func delete<R: GraphRecord>(_ ref: Ref<R>) throws { if tx[ref] != nil { try tx.delete(ref) } }
    switch edit {
    case .put:
      var made = Contents()
      made.make(edit)
      for person in made.people.values { try tx.put(person) }
      for photo in made.photos.values { try tx.put(photo) }
      for letter in made.letters.values { try tx.put(letter) }
    case .delete(.person, let number): try delete(Ref<Contents.Person>(number))
    case .delete(.photo, let number): try delete(Ref<Contents.Photo>(number))
    case .delete(.letter, let number): try delete(Ref<Contents.Letter>("\(number)"))
    }
  }

  /// Verifies that its store has the records of a type, no other store has any, and the cache shows
  /// the same.
  private func verify<R: GraphRecord & Hashable>(
    _ kind: Kind, _ expected: [R.ID: R]
  ) async throws {
    let all = Set(expected.values)
    for (number, store) in stores.enumerated() {
      try verifyEqual(
        Set(try await store.fetch(RecordQuery<R>())), number == kind.rawValue ? all : [],
        "what store \(number) has of \(kind)")
    }
    try verifyEqual(Set(try await cache.find(RecordQuery<R>())), all, "what is found of \(kind)")
    for (id, record) in expected {
      try verifyEqual(try await cache.find(Ref<R>(id)), record, "\(kind) \(id)")
    }
  }
}
