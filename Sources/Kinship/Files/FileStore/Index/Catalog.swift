/// What a store knows of its records without reading them: where they lie, and how much room they take.
struct Catalog {
  /// By the number of the type in the schema.
  let shelves: [any ErasedShelf]
  private let numbers: [ObjectIdentifier: Int]
  var space = SpaceUse()
  var isClosed = false
  /// What was done since the store was opened.
  var tally = Tally()

  /// What a store has done.
  struct Tally: Sendable {
    var commits = 0
    var syncs = 0
    var moved = 0
    var failure: KinshipError?
  }

  init(_ types: [any GraphRecord.Type], shelves: [any ErasedShelf]) {
    self.shelves = shelves
    numbers = Dictionary(
      uniqueKeysWithValues: types.enumerated().map { (ObjectIdentifier($1), $0) })
  }

  /// The number of a type in the schema.
  ///
  /// - Throws: `KinshipError.unknownType`.
  func number(of type: any GraphRecord.Type) throws(KinshipError) -> Int {
    guard let number = numbers[ObjectIdentifier(type)] else {
      throw .unknownType(type.recordName)
    }
    return number
  }

  /// The shelf of a type.
  ///
  /// - Throws: `KinshipError.unknownType`.
  func shelf<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> Shelf<R> {
    guard let shelf = shelves[try number(of: type)] as? Shelf<R> else {
      throw .unknownType(R.recordName)
    }
    return shelf
  }

  /// Where records lie, by their ids; those that there are, in the order of the ids.
  ///
  /// - Throws: `KinshipError.unknownType`.
  func reading<R: GraphRecord>(_ ids: some Sequence<R.ID>, of type: R.Type) throws(KinshipError)
    -> RecordReading<R>
  {
    let shelf = try shelf(of: type)
    var found: [R.ID] = []
    var positions: [Position] = []
    for id in ids {
      guard let position = shelf.positions[id] else { continue }
      found.append(id)
      positions.append(position)
    }
    return reading(found, positions, shelf)
  }

  /// Where all records of a type lie, in no particular order.
  ///
  /// - Throws: `KinshipError.unknownType`.
  func readingAll<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> RecordReading<R> {
    let shelf = try shelf(of: type)
    return reading(Array(shelf.positions.keys), Array(shelf.positions.values), shelf)
  }

  /// What is needed to read records, each from its position.
  func reading<R: GraphRecord>(
    _ ids: [R.ID], _ positions: [Position], _ shelf: Shelf<R>
  ) -> RecordReading<R> {
    var segments: [UInt32: LogSegment] = [:]
    for position in positions where segments[position.segment] == nil {
      segments[position.segment] = space.shares[position.segment]?.segment
    }
    return RecordReading(ids, positions, in: segments, shelf.codec)
  }
}
