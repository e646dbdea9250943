extension GraphCache {
  /// The record that a ref names, from memory or else from the backing store.
  ///
  /// Of several calls for one ref, one asks the store and all get its answer. Calls that are made
  /// together go to the store together.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record.
  /// - Throws: `KinshipError.missing` if it does not exist, `.fetchFailed` with the cause if the
  ///   store fails, `.unexpectedRecord` if its answer is wrong, `.waitsForItself` within a call of
  ///   the store that it would wait for, `.unknownType`, and `CancellationError` at once when the
  ///   task is cancelled.
  /// - Complexity: O(1) on average for a record in memory, without a turn of the actor: it waits as
  ///   ``peek(_:)`` does, and for closures of ``perform(_:)``. It does not suspend then, so a long
  ///   loop should yield: <doc:Reading-without-waiting>.
  @inlinable
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ ref: Ref<R>, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R {
    var isAbsent = false
    // As in `find`: a function for both would cost a tenth of a hit.
    if hasFreshness {
      if let record = readYoung(ref, { quickLimits[$0.index] }) { return record }
    } else {
      switch readUnlessTaken(ref) {
      case .some(let record?): return record
      case .some(nil): isAbsent = true
      case nil: break
      }
    }
    guard let record = try await findLater(ref, isAbsent: isAbsent, fileID, line) else {
      throw KinshipError.missing(AnyRef(ref))
    }
    return record
  }

  /// The records that refs name, from memory or else from the backing store, in one batch.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, in the order of the refs.
  /// - Throws: `KinshipError.missing` if one does not exist, and what
  ///   ``resolve(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: O(*n*) in the refs, on average, for records in memory.
  @inlinable
  public func resolve<R: GraphRecord>(
    _ refs: [Ref<R>], fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> [R] {
    let found = try await find(refs, fileID: fileID, line: line)
    var records: [R] = []
    records.reserveCapacity(found.count)
    for (ref, record) in zip(refs, found) {
      guard let record else { throw KinshipError.missing(AnyRef(ref)) }
      records.append(record)
    }
    return records
  }

  /// The record that a ref names, from memory or else from the backing store, if it exists.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.unexpectedRecord` if
  ///   its answer is wrong, `.unknownType`, `.unstableID`, and `CancellationError` at once when the
  ///   task is cancelled.
  /// - Complexity: O(1) on average for a record in memory, without a turn of the actor: it waits as
  ///   ``peek(_:)`` does, and for closures of ``perform(_:)``. It does not suspend then, so a long
  ///   loop should yield: <doc:Reading-without-waiting>.
  @inlinable
  public nonisolated(nonsending) func find<R: GraphRecord>(
    _ ref: Ref<R>, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R? {
    var isAbsent = false
    if hasFreshness {
      if let record = readYoung(ref, { quickLimits[$0.index] }) { return record }
    } else {
      switch readUnlessTaken(ref) {
      case .some(let record?): return record
      case .some(nil): isAbsent = true
      case nil: break
      }
    }
    return try await findLater(ref, isAbsent: isAbsent, fileID, line)
  }

  /// The record in memory, which becomes the most recently used; nothing is said while a closure
  /// has the cache to itself.
  @inlinable
  nonisolated func readUnlessTaken<R: GraphRecord>(_ ref: Ref<R>) -> R?? {
    state.withLock { state in
      state.isTaken || state.isPast ? nil : .some(state.read(ref.id, as: R.self))
    }
  }

  /// The record in memory, if it is younger than a limit, whatever else is asked of its freshness;
  /// it becomes the most recently used.
  @inlinable
  nonisolated func readYoung<R: GraphRecord>(
    _ ref: Ref<R>, _ limit: @Sendable (TypeNumber) -> Age
  ) -> R? {
    state.withLock { state in
      if state.isTaken || state.isPast || state.arriving != nil { return nil }
      return state.map.read(ref.id, as: R.self, youngerThan: limit)?.pointee
    }
  }

  /// Finds a record that memory does not say at once.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - isAbsent: Whether it is known not to be in memory; without a store, there is none then.
  ///   - fileID: Where the call is.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  @usableFromInline
  nonisolated(nonsending) func findLater<R: GraphRecord>(
    _ ref: Ref<R>, isAbsent: Bool, _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> R? {
    if hasFreshness, let freshness = freshness(of: R.self) {
      return try await findByType(ref, freshness, fileID, line)
    }
    if !isAbsent { return try await findInTurn(ref, fileID, line) }
    if store == nil, schema.contains(R.self), R.isStable(ref.id) { return nil }
    return try await load([ref.id], of: R.self).first ?? nil
  }

  private func findInTurn<R: GraphRecord>(
    _ ref: Ref<R>, _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> R? {
    if watchers > 0 { return try await findWatched([ref], fileID, line).first ?? nil }
    dropPast()
    if let record = self[ref] { return record }
    return try await load([ref.id], of: R.self).first ?? nil
  }

  /// The records that refs name, from memory or else from the backing store, as far as they exist.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: For each ref its record, or `nil` where it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: O(*n*) in the refs, on average, for records in memory.
  @inlinable
  public func find<R: GraphRecord>(
    _ refs: [Ref<R>], fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> [R?] {
    if watchers > 0 { return try await findWatched(refs, fileID, line) }
    return try await findUnwatched(refs)
  }

  /// The same, for the cache itself: it is not what a program reads.
  @inlinable
  func findUnwatched<R: GraphRecord>(_ refs: [Ref<R>]) async throws -> [R?] {
    if hasFreshness, let freshness = freshness(of: R.self) {
      return try await findDated(refs, freshness).map { $0?.value }
    }
    dropPast()
    let records = records(for: refs)
    if !records.contains(where: { $0 == nil }) { return records }
    return try await load(refs.map { $0.id }, of: R.self)
  }

  /// The record that an optional ref of a record leads to, from memory or else from the store.
  ///
  /// - Parameters:
  ///   - record: The record that holds the ref.
  ///   - path: The property that holds it.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if there is no ref.
  /// - Throws: What ``resolve(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  @inlinable
  public nonisolated(nonsending) func related<R: GraphRecord, T: GraphRecord>(
    _ record: R, _ path: KeyPath<R, Ref<T>?>, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> T? {
    guard let ref = record[keyPath: path] else { return nil }
    return try await resolve(ref, fileID: fileID, line: line)
  }

  /// The record that a ref of a record leads to, from memory or else from the store.
  ///
  /// - Parameters:
  ///   - record: The record that holds the ref.
  ///   - path: The property that holds it.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record.
  /// - Throws: What ``resolve(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  @inlinable
  public nonisolated(nonsending) func related<R: GraphRecord, T: GraphRecord>(
    _ record: R, _ path: KeyPath<R, Ref<T>>, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> T {
    try await resolve(record[keyPath: path], fileID: fileID, line: line)
  }

  /// The records that the refs of a record lead to, from memory or else from the store.
  ///
  /// - Parameters:
  ///   - record: The record that holds the refs.
  ///   - path: The property that holds them.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, in the order of the refs.
  /// - Throws: What ``resolve(_:fileID:line:)-([Ref<R>],_,_)`` throws.
  @inlinable
  public func related<R: GraphRecord, T: GraphRecord>(
    _ record: R, _ path: KeyPath<R, [Ref<T>]>, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> [T] {
    try await resolve(record[keyPath: path], fileID: fileID, line: line)
  }

  /// The records that refer to a record, from memory or else from the store.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record.
  ///   - inverse: The relationships by which they refer to it.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, each once, in the order of their ids, where these are `Comparable`.
  /// - Throws: `KinshipError.unknownRelationship` if the inverse does not fit the schema, what the
  ///   store's ``BackingStore/referrers(to:by:)`` throws, and what
  ///   ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: O(*n* log *n*) in the records. The first time that a relationship is asked for
  ///   is O(*n*) in the records in memory that have it.
  public func related<Target: GraphRecord, Source: GraphRecord>(
    _ ref: Ref<Target>, _ inverse: Inverse<Target, Source>, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> [Source] {
    let target = IDs([ref.id], of: try schema.requiredNumber(of: Target.self))
    try Target.requireStable(ref.id)
    let edges = try schema.edges(of: inverse)
    for edge in edges { prepareReferrers(by: edge) }
    let nothing = Staging()
    var patience = Patience()
    var leases: [Lease] = []
    var isToldOf = false
    defer { for lease in leases { lease.end() } }
    while true {
      var found = OrderedIDs<Source.ID>()
      var unknown: [EdgeID] = []
      for edge in edges {
        let (sources, incomplete) = state.withLock { state in
          edge.operations.referrers(to: target, nothing, &state.map)
        }
        for id in sources.of(Source.self) { _ = found.append(id) }
        if !incomplete.isEmpty { unknown.append(edge.id) }
      }
      if unknown.isEmpty {
        let ids = found.list.sortedIfComparable()
        let records = try await findUnwatched(ids.map { Ref<Source>($0) })
        noteReferrers(to: AnyRef(ref), by: edges.map(\.id), records.compactMap { $0 })
        return records.compactMap { $0 }
      }
      if !isToldOf { try noteLoadOfReferrers(to: AnyRef(ref), by: unknown, fileID, line) }
      isToldOf = true
      for edge in unknown {
        leases.append(
          try await gatherReferrers(
            target, schema[edge], nothing, &patience, source: Source.self, target: Target.self))
      }
    }
  }

  /// Loads what is absent and reads all records at one moment.
  ///
  /// 1. The ids are claimed, so that what comes first is still there when the last has come.
  /// 2. After each wait everything is looked up again: an id may have been written, removed or
  ///    invalidated meanwhile.
  /// 3. When the claims end, the records become the most recently used, in the order of the ids,
  ///    unless they pass.
  @usableFromInline
  func load<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, passing isPassing: Bool = false
  ) async throws -> [R?] {
    let number = try schema.requiredNumber(of: type)
    try R.requireStable(ids: ids)
    guard store != nil else {
      return state.withLock { state in ids.map { state.map.peek($0, as: type) } }
    }
    let claims = claim(IDs(ids, of: number), passing: isPassing)
    defer { end(claims) }
    // What was too old to be kept, and is for this call alone.
    var handed: [ClaimTable.Place: any Sendable] = [:]
    var rounds = 0
    while true {
      if rounds == LoadQueue.maxRestarts, CallPath.current.isEmpty {
        // It is written faster than it is fetched: nobody writes while this has the turn.
        return try await inTurn(of: .load(ids.map { AnyRef(Ref<R>($0)) })) {
          try await load(ids, of: type, passing: isPassing)
        }
      }
      rounds += 1
      handed.merge(try await fetch(claims, besides: handed)) { $1 }
      if let records: [R?] = read(claims, besides: handed) { return records }
    }
  }

  /// Waits until what is absent was in memory or known missing for a moment.
  ///
  /// - Returns: What was too old to be kept, as optionals of the type.
  private func fetch(
    _ claims: Claims, besides handed: [ClaimTable.Place: any Sendable]
  ) async throws -> [ClaimTable.Place: any Sendable] {
    let absent =
      handed.isEmpty
      ? claims : Claims(type: claims.type, places: claims.places.filter { handed[$0] == nil })
    let waiter = state.withLock { $0.loader.nextWaiter() }
    var copies: [ClaimTable.Place: any Sendable] = [:]
    do {
      defer { copies = state.withLock { $0.handed.removeValue(forKey: waiter) } ?? [:] }
      try await wait(for: [absent], as: waiter)
    }
    return copies
  }

  /// What memory knows, and for the rest what was handed out; `nil` if anything is absent.
  private func read<R: GraphRecord>(
    _ claims: Claims, besides handed: [ClaimTable.Place: any Sendable]
  ) -> [R?]? {
    if handed.isEmpty {
      if claims.count <= Chunk.size {
        return state.withLock { $0.map.read(claims.places, as: R.self) }
      }
      // Nobody writes meanwhile: all of it is of one moment.
      var records: [R?] = []
      records.reserveCapacity(claims.count)
      for chunk in claims.chunks {
        let read = state.withLock { $0.map.read(chunk.places, as: R.self) }
        guard let read else { return nil }
        records += read
      }
      return records
    }
    let known = state.withLock { state in
      claims.places.map { state.map.read([$0], as: R.self)?.first }
    }
    var records: [R?] = []
    for (place, known) in zip(claims.places, known) {
      guard let record = known ?? handed[place].map({ checked($0, as: R?.self) }) else {
        return nil
      }
      records.append(record)
    }
    return records
  }
}
