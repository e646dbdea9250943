extension GraphCache {
  /// Changes that are made together or not at all.
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
  /// Reads see the transaction's own changes and otherwise what is committed; nobody else sees the
  /// changes before they are committed. Reading does not count as use.
  ///
  /// What a transaction needs and memory lacks is loaded, and the transaction run again from the
  /// start: so its closure must do nothing but read and change records. Give
  /// ``GraphCache/write(loading:retries:body:)`` what you know that it needs, and it runs once.
  public struct Transaction: ~Copyable {
    @usableFromInline let cache: GraphCache
    @usableFromInline let staging: Staging
    /// Whether the properties of a record that is not in memory may be set all the same.
    @usableFromInline let updatesBlindly: Bool
    /// What must be in memory before it can be known what the transaction does.
    @usableFromInline var needs: [IDs] = []
    var referrerNeeds: [(edge: EdgeID, targets: IDs)] = []
    /// The types of which ids must be reserved.
    var idNeeds: [TypeNumber] = []
    /// The ids that are reserved for it, if it has needed any.
    let reserved: ReservedIDs?
    /// Whether it may have set properties of records that it has not read.
    @usableFromInline var hasSetUnseen = false
    /// What went wrong where nothing could be thrown.
    @usableFromInline var failure: KinshipError?

    init(
      _ cache: GraphCache, _ staging: Staging, _ reserved: ReservedIDs?, updatesBlindly: Bool
    ) {
      self.cache = cache
      self.reserved = reserved
      self.staging = staging
      self.updatesBlindly = updatesBlindly
    }

    /// The record that a ref names, as the transaction sees it.
    ///
    /// Setting it changes the record, or makes it; setting it to `nil` deletes it, by the rules of
    /// its relationships. What cannot be done, such as to change the identity of a record, makes
    /// the transaction fail when the closure has ended.
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
              throw .identityChanged(from: AnyRef(ref), to: AnyRef(newValue.ref))
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

    /// Whether a record exists, as the transaction sees it.
    ///
    /// - Parameter ref: The ref that names it.
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

    /// The record, which must exist and be in memory.
    @inlinable
    mutating func required<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) -> R {
      guard let record = try known(ref) else { throw .notLoaded(AnyRef(ref)) }
      return record
    }

    /// The record, which must exist; `nil` if memory lacks it, and this run does not count.
    @inlinable
    mutating func known<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) -> R? {
      switch read(ref) {
      case .present(let record): return record
      case .missing: throw .missing(AnyRef(ref))
      case .unknown:
        try goOn(without: ref)
        return nil
      }
    }

    /// Notes that a record must be loaded, and lets the closure find what else it lacks.
    @inlinable
    mutating func goOn<R: GraphRecord>(without ref: Ref<R>) throws(KinshipError) {
      let error = need(ref)
      guard case .notLoaded = error else { throw error }
    }

    /// Notes that a record must be loaded.
    @inlinable
    @discardableResult
    mutating func need<R: GraphRecord>(_ ref: Ref<R>) -> KinshipError {
      guard let number = cache.schema.number(of: R.self) else { return .unknownType(R.recordName) }
      if !R.isStable(ref.id) {
        failure = failure ?? .unstableID(type: R.recordName)
        return .unstableID(type: R.recordName)
      }
      needs.append(IDs([ref.id], of: number))
      return .notLoaded(AnyRef(ref))
    }

    /// Stages a new value of a record, or that there is none.
    @inlinable
    mutating func stage<R: GraphRecord>(
      _ knowledge: Knowledge<R>, for ref: Ref<R>
    ) throws(KinshipError) {
      let number = try number(of: R.self)
      try R.requireStable(ref.id)
      let old = cache.schema.hasInverses[number] ? read(ref).element : nil
      let table = staging.table(number, of: R.self)
      let position = cache.state.withLock { state in
        table.values.withLock { $0.stage(ref.id, state.map) }
      }
      // What is replaced ends here, outside of the cache's lock.
      table.values.withLock { values in
        values.makeRoom()
        values.set(knowledge, at: position)
      }
      if cache.schema.hasInverses[number] { try keepInverses(number, old, knowledge.element, ref) }
    }

    /// Makes room for much that will be staged of a type: while the cache is locked, it must not
    /// grow.
    func makeRoom<R: GraphRecord>(for count: Int, _ number: TypeNumber, of type: R.Type) {
      if count <= Chunk.size { return }
      staging.table(number, of: type).values.withLock { $0.makeRoom(for: count) }
    }

    @inlinable
    func table<R: GraphRecord>(of type: R.Type) -> StagedTable<R>? {
      cache.schema.number(of: type).map { staging.table($0, of: type) }
    }
  }
}
