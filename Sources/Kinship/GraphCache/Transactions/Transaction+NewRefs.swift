extension GraphCache.Transaction {
  /// Returns a ref for a new record whose id the backing store chooses.
  ///
  /// A database chooses such ids with a sequence, an identity column or a default.
  ///
  /// ```swift
  /// let (child, _) = try await cache.write { tx in
  ///   let mother = try tx.newRef(Person.self)
  ///   let child = try tx.newRef(Person.self)
  ///   try tx.insert(Person(id: mother.id, name: "Louise"))
  ///   try tx.insert(Person(id: child.id, name: "Albert", mother: mother))
  ///   return child
  /// }
  /// ```
  ///
  /// The store reserves the id before it commits the changes, so new records can refer to each
  /// other, and ids never change. If no reserved id is left, the store reserves some and the
  /// closure runs again. The first time it reserves one, later as many as have been used, up to 64.
  /// The ids of a transaction that fails are not used again.
  ///
  /// If someone else has nevertheless used the id, a transaction of
  /// ``GraphCache/write(loading:retries:body:)`` is re-run with other ids.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The ref. Each run of the closure gets the same refs, in the same order.
  /// - Throws: `KinshipError.noReservedID` if the store must reserve ids first: do not catch this
  ///   error. `.misuse(.unsupported)` if the store does not choose ids of the type, or there is no
  ///   store; `.invalidSchema(.unknownType)` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  public mutating func newRef<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> Ref<R> {
    let number = try cache.schema.requiredNumber(of: type)
    guard cache.store != nil else {
      throw .misuse(
        .unsupported(store: "A cache without a store", operation: "new ids of \(R.recordName)"))
    }
    if let id = reserved?.next(number, of: type) { return Ref(id) }
    if !missing.reservedIDs.contains(number) { missing.reservedIDs.append(number) }
    throw .noReservedID(type: R.recordName)
  }
}
