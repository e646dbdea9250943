internal import Kinship

/// The locations and sizes of a store's records, known without reading them.
struct Catalog {
  /// By the number of the type in the schema.
  let locations: [any ErasedRecordLocations]
  private let numbers: [ObjectIdentifier: Int]
  /// Increases with each group of commits.
  var version: UInt64 = 0
  var space = SpaceUse()
  var isClosed = false
  var tally = Tally()

  struct Tally: Sendable {
    var commits = 0
    var syncs = 0
    var moved = 0
    var failure: KinshipError?
  }

  init(_ schema: GraphSchema) throws(KinshipError) {
    func makeLocations<R: StorableRecord>(
      of type: R.Type
    ) throws(KinshipError) -> any ErasedRecordLocations {
      RecordLocations(try RecordCodec<R>())
    }
    var all: [any ErasedRecordLocations] = []
    for type in schema.types {
      guard let codable = type as? any StorableRecord.Type else {
        throw .invalidSchema(.notCodable(type: type.recordName))
      }
      all.append(try makeLocations(of: codable))
    }
    locations = all
    numbers = Dictionary(
      uniqueKeysWithValues: schema.types.enumerated().map { (ObjectIdentifier($1), $0) })
  }

  func number(of type: any GraphRecord.Type) throws(KinshipError) -> Int {
    guard let number = numbers[ObjectIdentifier(type)] else {
      throw .invalidSchema(.unknownType(type.recordName))
    }
    return number
  }

  func locations<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> RecordLocations<R> {
    guard let locations = locations[try number(of: type)] as? RecordLocations<R> else {
      throw .invalidSchema(.unknownType(R.recordName))
    }
    return locations
  }

  /// A read of records by id; of those that exist, in the order of the ids.
  func reading<R: GraphRecord>(_ ids: some Sequence<R.ID>, of type: R.Type) throws(KinshipError)
    -> RecordReading<R>
  {
    let locations = try locations(of: type)
    var (found, positions): ([R.ID], [Position]) = ([], [])
    var segments: [UInt32: LogSegment] = [:]
    for id in ids {
      guard let position = locations.positions[id] else { continue }
      found.append(id)
      positions.append(position)
      if segments[position.segment] == nil {
        segments[position.segment] = space.shares[position.segment]?.segment
      }
    }
    return RecordReading(found, positions, in: segments, locations.codec)
  }

  func rows<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> RecordRows<R> {
    let locations = try locations(of: type)
    return RecordRows(
      rows: locations.positions.rows, segments: space.shares.mapValues { $0.segment },
      codec: locations.codec)
  }

  /// The indexes that a type declares, if they are made.
  ///
  /// A commit copies a whole index if someone still holds it.
  func declaredIndexes<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> IndexedIDs<R>? {
    (try locations(of: type).madeIndex(.declared) as? DeclaredIndexes<R>)?.ids
  }
}

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
  private let state: Lock<Catalog>

  init(_ schema: GraphSchema) throws(KinshipError) { state = Lock(try Catalog(schema)) }

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
