extension GraphCache {
  /// Changes that are committed together or not at all.
  ///
  /// ```swift
  /// try await cache.write { tx in
  ///   try tx.insert(Place(id: 2, name: "Windsor"))
  ///   try tx.update(Ref<Person>(42), \.name, to: "Albert")
  ///   tx[Ref<Event>("birth-42")]?.place = 2
  ///   try tx.delete(Ref<Person>(7))
  /// }
  /// ```
  ///
  /// Reads return the transaction's own changes, and otherwise committed values. No one else sees
  /// the changes before they are committed. Reading in a transaction does not change the recency
  /// order.
  ///
  /// If the transaction needs records that are not in memory, they are loaded and its closure runs
  /// again from the start. So the closure must do nothing but read and change records. Pass the
  /// data that you know it needs to ``GraphCache/write(loading:retries:body:)``, and it runs once.
  public struct Transaction: ~Copyable {
    @usableFromInline let cache: GraphCache
    @usableFromInline let staging: Staging
    /// Whether properties may be set without loading the record.
    @usableFromInline let updatesBlindly: Bool
    /// The data that must be in memory before the transaction's effects are known.
    @usableFromInline var missing = MissingData()
    /// The ids reserved for the transaction; `nil` without a store.
    let reserved: ReservedIDs?
    /// Whether the transaction may have set properties of records that it has not read.
    @usableFromInline var hasSetUnseen = false
    /// An error that could not be thrown where it occurred.
    @usableFromInline var failure: KinshipError?

    init(
      _ cache: GraphCache, _ staging: Staging, _ reserved: ReservedIDs?, updatesBlindly: Bool
    ) {
      self.cache = cache
      self.reserved = reserved
      self.staging = staging
      self.updatesBlindly = updatesBlindly
    }

    /// The record for `ref`, as the transaction sees it.
    ///
    /// Setting it changes or inserts the record. Setting it to `nil` deletes the record, and
    /// applies the delete rules of its relationships. An impossible change, such as one of the
    /// record's identity, makes the transaction fail when the closure has ended.
    ///
    /// - Parameter ref: The ref.
    /// - Returns: The record, or `nil` if it does not exist.
    /// - Complexity: O(1) on average.
    @inlinable
    public subscript<R: GraphRecord>(ref: Ref<R>) -> R? {
      mutating get {
        switch read(ref) {
        case .present(let record): return record
        case .missing: return nil
        case .unknown:
          need(ref)
          return nil
        }
      }
      set {
        do throws(KinshipError) {
          if let newValue {
            try R.requireStable(newValue.id)
            guard newValue.id == ref.id else {
              throw .misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(newValue.ref)))
            }
            try put(newValue)
          } else {
            if case .missing = read(ref) { return }
            try delete(ref)
          }
        } catch {
          failure = failure ?? error
        }
      }
    }

    /// Returns whether a record exists, as the transaction sees it.
    ///
    /// - Parameter ref: A ref to the record.
    /// - Returns: Whether it exists.
    /// - Complexity: O(1) on average.
    @inlinable
    public mutating func contains<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
      switch read(ref) {
      case .present: return true
      case .missing: return false
      case .unknown:
        need(ref)
        return false
      }
    }

    // MARK: Parts

    @inlinable
    func read<R: GraphRecord>(_ ref: Ref<R>) -> Knowledge<R> {
      cache.state.withLock { staging.read(ref.id, as: R.self, $0.map) }
    }

    /// Returns the record, which must exist; `nil` if memory lacks it, and this run does not count.
    @inlinable
    mutating func known<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) -> R? {
      switch read(ref) {
      case .present(let record): return record
      case .missing: throw .missing(AnyRef(ref))
      case .unknown:
        try continueRun(without: ref)
        return nil
      }
    }

    /// Notes that a record must be loaded, and lets the closure continue to find what else it
    /// lacks.
    @inlinable
    mutating func continueRun<R: GraphRecord>(without ref: Ref<R>) throws(KinshipError) {
      let error = need(ref)
      guard case .notLoaded = error else { throw error }
    }

    /// Notes that a record must be loaded.
    @inlinable
    @discardableResult
    mutating func need<R: GraphRecord>(_ ref: Ref<R>) -> KinshipError {
      guard let number = cache.schema.number(of: R.self) else {
        return .invalidSchema(.unknownType(R.recordName))
      }
      if !R.isStable(ref.id) {
        failure = failure ?? .invalidSchema(.unstableID(type: R.recordName))
        return .invalidSchema(.unstableID(type: R.recordName))
      }
      missing.records.append(IDs([ref.id], of: number))
      return .notLoaded(AnyRef(ref))
    }

    /// Stages a new value of a record, or its absence.
    @inlinable
    mutating func stage<R: GraphRecord>(
      _ knowledge: Knowledge<R>, for ref: Ref<R>
    ) throws(KinshipError) {
      let number = try cache.schema.requiredNumber(of: R.self)
      try R.requireStable(ref.id)
      let old = cache.schema.hasInverses[number] ? read(ref).element : nil
      let table = staging.table(number, of: R.self)
      let position = cache.state.withLock { state in
        table.values.withLock { $0.stage(ref.id, state.map) }
      }
      // The old value is destroyed outside the cache's lock.
      table.values.withLock { values in
        values.makeRoom()
        values.set(knowledge, at: position)
      }
      if cache.schema.hasInverses[number] { try keepInverses(number, old, knowledge.element, ref) }
    }

    /// Reserves room for many staged records of a type, because it must not grow while the cache is
    /// locked.
    func makeRoom<R: GraphRecord>(for count: Int, _ number: TypeNumber, of type: R.Type) {
      if count <= Chunk.size { return }
      staging.table(number, of: type).values.withLock { $0.makeRoom(for: count) }
    }
  }
}
