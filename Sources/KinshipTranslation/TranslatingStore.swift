public import Kinship

/// Serves records from your own model objects, by a session and a translator for each type.
///
/// ```swift
/// let store = try TranslatingStore(
///   session, PersonModel.mapping, EventModel.mapping, PlaceTranslator())
/// let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
/// ```
///
/// Model objects never leave the session. Each call to the store is one call to the session, which
/// returns only records.
///
/// - Fetching takes one call to the context for each batch, and translates each model object once.
/// - Changes are applied in one transaction of the session, with the semantics of `MemoryStore`:
///   all or none, with the same conflicts. Finding model objects takes one call for each type that
///   changes, and one for each type that they refer to.
/// - A model object or a record that cannot be translated throws
///   `KinshipError.untranslatable(type:id:field:cause:)`. If some of several model objects can be
///   translated, they are returned in a `PartialAnswer` with that error.
public struct TranslatingStore<Session: ModelSession>: BackingStore {
  private let session: Session
  /// By record type.
  private let translators: [ObjectIdentifier: any Translator]

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - session: The session of the model objects.
  ///   - translators: The translators, one for each record type.
  /// - Throws: `KinshipError.invalidSchema(.duplicateTranslator)` if two translators have the same
  ///   record type.
  public init<each T: Translator>(
    _ session: Session, _ translators: repeat each T
  ) throws(KinshipError) {
    var list: [any Translator] = []
    for translator in repeat each translators { list.append(translator) }
    try self.init(session, translators: list)
  }

  /// Creates a store with translators that are known only at run time.
  ///
  /// - Parameters:
  ///   - session: The session of the model objects.
  ///   - translators: The translators, one for each record type.
  /// - Throws: `KinshipError.invalidSchema(.duplicateTranslator)` if two translators have the same
  ///   record type.
  public init(_ session: Session, translators: [any Translator]) throws(KinshipError) {
    self.session = session
    var byType: [ObjectIdentifier: any Translator] = [:]
    for translator in translators {
      let type = translator.recordType
      if byType.updateValue(translator, forKey: ObjectIdentifier(type)) != nil {
        throw .invalidSchema(.duplicateTranslator(type: type.recordName))
      }
    }
    self.translators = byType
  }

  /// Fetches records by id: finds the model objects and translates them.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: The records that exist.
  /// - Throws: `PartialAnswer` if some cannot be translated;
  ///   `KinshipError.invalidSchema(.noTranslator)`; `CancellationError` if the task is cancelled;
  ///   the errors of the session.
  /// - Complexity: O(*n*) in the ids, and the cost of finding them.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await fetch(ids, by: translator(of: type))
  }

  private func fetch<T: Translator>(
    _ ids: [T.Translated.ID], by translator: T
  ) async throws -> [T.Translated] {
    if ids.isEmpty { return [] }
    return try await read { context in
      try translator.translateAll(
        try translator.asking { try context.models(for: ids, by: translator) })
    }.get(of: ids.count)
  }

  /// Fetches the records that match a query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: `PartialAnswer` if some cannot be translated;
  ///   `KinshipError.invalidSchema(.noTranslator)`; `CancellationError` if the task is cancelled;
  ///   the errors of the session.
  /// - Complexity: If the context answers no queries, all model objects of the type are translated
  ///   and sorted.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await fetch(query, by: translator(of: R.self))
  }

  private func fetch<T: Translator>(
    _ query: RecordQuery<T.Translated>, by translator: T
  ) async throws -> [T.Translated] {
    try await read { context in
      let matching = try translator.asking { try context.models(matching: query, by: translator) }
      if let matching { return try translator.translateAll(matching) }
      let all = try translator.translateAll(
        try translator.asking { try context.allModels(by: translator) })
      return PartialAnswer(try query.answer(from: all.records), failures: all.failures)
    }.get()
  }

  /// Returns that the store answers every query.
  ///
  /// - Parameter query: The query.
  /// - Returns: `whole`.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }

  /// Finds the records that refer to any of the targets.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  /// - Returns: The records that refer to at least one of them.
  /// - Throws: `PartialAnswer` if some cannot be translated;
  ///   `KinshipError.invalidSchema(.noTranslator)`; `CancellationError` if the task is cancelled;
  ///   the errors of the session.
  /// - Complexity: If the context finds no referrers, all model objects of the type are translated,
  ///   except those whose refs the translator reads directly. One that cannot be translated may
  ///   refer to any record.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await referrers(to: targets, relationship, by: translator(of: Source.self))
  }

  private func referrers<T: Translator, Target: GraphRecord>(
    to targets: [Ref<Target>], _ relationship: RecordRelationship<T.Translated>, by translator: T
  ) async throws -> [T.Translated] {
    if targets.isEmpty { return [] }
    return try await read { context in
      let referring = try translator.asking {
        try context.models(referringTo: targets, by: relationship, translator: translator)
      }
      if let referring { return try translator.translateAll(referring) }
      let wanted = Set(targets)
      // Skip model objects whose refs are known and name no target.
      let possible = try translator.asking { try context.allModels(by: translator) }.filter {
        guard let refs = try? translator.refs(from: $0, by: relationship) else { return true }
        return refs.contains { ref in ref.as(Target.self).map(wanted.contains) ?? false }
      }
      let all = try translator.translateAll(possible)
      let found = all.records.filter { record in
        relationship.refs(from: record, to: Target.self).contains { wanted.contains($0) }
      }
      // The refs of the others are unknown.
      return PartialAnswer(found, failures: all.failures)
    }.get()
  }

  /// Applies changes, all or none, in one transaction of the session.
  ///
  /// 1. The store finds the model objects that change, with one call for each type, and compares
  ///    them with the base values of the changes. It throws `.exists` or `.conflict` here, before
  ///    anything has changed.
  /// 2. It finds the objects that these will refer to, with one call for each type.
  /// 3. It creates new objects, with their ids.
  /// 4. Translators fill new and changed objects. A ``ModelMap`` finds the objects for refs,
  ///    including new ones, so objects can form cycles.
  /// 5. It deletes the objects of deleted records.
  ///
  /// To change a model object, the store translates it, sets the changed properties in the record,
  /// and translates that back, so changes by others to other properties survive. The changes cannot
  /// be separated if the record is not `Codable` and the transaction changed it by a closure or as
  /// a whole. If someone else has changed the record too, the store then throws `.conflict`.
  ///
  /// - Parameter changes: The records to insert, update and delete.
  /// - Throws: `KinshipError.exists` if a record to insert exists; `.conflict` if a record to
  ///   update or delete does not exist, or has another version (`Versioned`);
  ///   `.invalidSchema(.noTranslator)`, `.untranslatable`; `CancellationError` if the task is
  ///   cancelled; the errors of the session. Then nothing has changed.
  /// - Complexity: O(*n*) in the changes, and the cost of finding the model objects.
  public func apply(_ changes: ChangeSet) async throws {
    func erased<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> any Translator {
      try translator(of: type)
    }
    let changed = try changes.recordTypes.map { try erased($0) }
    if changed.isEmpty { return }
    try Task.checkCancellation()
    try await session.write { [translators] context in
      try changes.apply(by: changed, of: translators, in: context)
    }
  }

  /// Returns whether an error means, for certain, that the session has changed nothing.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: The answer of the session; for a `KinshipError`, whether a store refuses with it.
  public func isRefusal(_ error: any Error) -> Bool {
    if let error = error as? KinshipError { return error.isRefusal }
    let kind = error is InvalidModel ? .refusal : session.classify(error)
    return kind == .refusal || kind == .outageBeforeWriting
  }

  /// Returns whether an error means that the data of the session are unreachable.
  ///
  /// - Parameter error: An error that a call has thrown.
  /// - Returns: The answer of the session for the error; for an untranslatable record, for its
  ///   cause.
  public func isOutage(_ error: any Error) -> Bool {
    if case KinshipError.untranslatable(_, _, _, let cause) = error { return isOutage(cause) }
    let kind = session.classify(error)
    return kind == .outage || kind == .outageBeforeWriting
  }

  private func translator<R: GraphRecord>(
    of type: R.Type
  ) throws(KinshipError) -> any Translator<R> {
    guard let translator = translators[ObjectIdentifier(type)] as? any Translator<R> else {
      throw .invalidSchema(.noTranslator(type: R.recordName))
    }
    return translator
  }

  private func read<R: GraphRecord>(
    _ body: @escaping @Sendable (Session.Context) throws -> PartialAnswer<R>
  ) async throws -> PartialAnswer<R> {
    try Task.checkCancellation()
    return try await session.read(body)
  }
}

extension Translator {
  fileprivate var recordType: any GraphRecord.Type { Translated.self }
}
