internal import Kinship

/// The current catalog of an open store; it is replaced if it must be rebuilt.
final class CurrentCatalog: Sendable {
  private let state: Lock<LockedCatalog>

  init(_ catalog: LockedCatalog) { state = Lock(catalog) }

  var catalog: LockedCatalog {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// The catalog, shared by readers and the writer.
final class LockedCatalog: Sendable {
  /// By the number of the type in the schema.
  let codecs: [any ErasedCodec]
  private let state: Lock<Catalog>

  /// Creates the catalog of an empty store.
  ///
  /// - Throws: `KinshipError.notCodable`.
  init(_ schema: GraphSchema) throws(KinshipError) {
    var codecs: [any ErasedCodec] = []
    for type in schema.types {
      guard let codable = type as? any StorableRecord.Type else {
        throw .notCodable(type: type.recordName)
      }
      codecs.append(try Self.codec(codable))
    }
    self.codecs = codecs
    state = Lock(Catalog(schema.types, locations: codecs.map { $0.makeLocations() }))
  }

  private static func codec<R: StorableRecord>(
    _ type: R.Type
  ) throws(KinshipError) -> any ErasedCodec {
    try RecordCodec<R>()
  }

  /// Reads the catalog; the closure must be short.
  func read<Result: Sendable, E: Error>(
    _ body: (borrowing Catalog) throws(E) -> Result
  ) throws(E) -> Result {
    try state.withLock { catalog throws(E) in try body(catalog) }
  }

  /// Changes the catalog; the closure must be short.
  func change<Result: Sendable, E: Error>(
    _ body: (inout Catalog) throws(E) -> Result
  ) throws(E) -> Result {
    try state.withLock { catalog throws(E) in try body(&catalog) }
  }
}
