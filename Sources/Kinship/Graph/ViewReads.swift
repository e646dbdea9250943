/// The properties that views have read of each type, each with a bit of its own.
final class ViewProperties: Sendable {
  /// Returns whether two records in memory differ.
  private typealias Difference = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  private struct Table: Sendable {
    var offsets: [Int] = []
    var differences: [Difference] = []
    /// That of whole records, if one was read.
    var whole: Difference?
  }

  /// The bit of a whole record.
  static let whole: UInt64 = 1 << 63

  private let tables: Lock<[Int32: Table]> = Lock([:])

  /// Returns the bit of a property; that of the whole record if it is computed.
  func bit<R: GraphRecord, Value>(
    of offset: Int?, _ number: Int32, of type: R.Type, _ valueType: Value.Type
  ) -> UInt64 {
    tables.withLock { tables in
      if let offset, let known = tables[number]?.offsets.firstIndex(of: offset) {
        return 1 << UInt64(known)
      }
      var table = tables[number] ?? Table()
      defer { tables[number] = table }
      guard let offset, table.offsets.count < 63 else {
        table.whole = table.whole ?? Self.difference(of: R.self, at: 0)
        return Self.whole
      }
      table.offsets.append(offset)
      table.differences.append(Self.difference(of: Value.self, at: offset))
      return 1 << UInt64(table.offsets.count - 1)
    }
  }

  private static func difference<Value>(of type: Value.Type, at offset: Int) -> Difference {
    { old, new in
      func differ<Compared: Equatable>(_ type: Compared.Type) -> Bool {
        old.value(at: offset, as: type) != new.value(at: offset, as: type)
      }
      if let type = Value.self as? any Equatable.Type { return differ(type) }
      // An existential's value may be of such a type.
      let value = old.value(at: offset, as: Value.self) as? any Equatable
      return value.map { !Values.isEqual($0, new.value(at: offset, as: Value.self)) } ?? true
    }
  }

  /// Returns which of the properties that were read differ in two versions of a record.
  func differences(
    _ old: any GraphRecord, _ new: any GraphRecord, _ number: TypeNumber
  ) -> UInt64 {
    guard let table = tables.withLock({ $0[Int32(number.index)] }) else { return .max }
    func differences<R: GraphRecord>(_ old: R) -> UInt64 {
      guard let new = new as? R else { return .max }
      return withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { new in
          var bits: UInt64 = table.whole?(old, new) == true ? Self.whole : 0
          for (bit, differ) in table.differences.enumerated() where differ(old, new) {
            bits |= 1 << UInt64(bit)
          }
          return bits
        }
      }
    }
    return differences(old)
  }
}

extension UnsafeRawPointer {
  fileprivate func value<Value>(at offset: Int, as type: Value.Type) -> Value {
    (self + offset).assumingMemoryBound(to: type).pointee
  }
}

/// Records what a view reads while it runs, for its observers and for loading what is missing.
@usableFromInline
final class ViewReads: NotedReads {
  /// The reads of one row.
  struct Row: Sendable {
    /// The records that it has read, with the bits of the properties.
    var records: [NodeKey: UInt64] = [:]
    /// The refs that it has followed to records that do not exist.
    var missing: Set<AnyRef> = []
    /// The records whose referrers it has read.
    var referrers: Set<Referrers> = []
  }

  struct Referrers: Hashable, Sendable {
    let target: AnyRef
    let edge: EdgeID
  }

  /// The records and referrers that must be loaded, and the steps that lead to them.
  struct Needs: Sendable {
    var refs: Set<AnyRef> = []
    /// Whether the referrers of some record are unknown.
    var hasReferrers = false
    var steps: [PlanStep: Int] = [:]

    var isEmpty: Bool { refs.isEmpty && !hasReferrers }
  }

  private struct State: Sendable {
    var row = Row()
    var needs = Needs()
    var isRowComplete = true
  }

  let isRecording: Bool
  private let properties: ViewProperties?
  private let state = Lock(State())

  /// - Parameter properties: The notes of the properties that are read; `nil` to note none.
  init(_ properties: ViewProperties?) {
    self.properties = properties
    isRecording = properties != nil
  }

  /// Returns the notes of a type's column; `nil` if only needs are noted.
  func notes(of number: TypeNumber) -> ReadNotes? {
    isRecording ? ReadNotes(reads: self, number: number.index) : nil
  }

  /// Begins with the next row.
  func begin() {
    if isRecording { state.withLock { ($0.row, $0.isRowComplete) = (Row(), true) } }
  }

  /// Returns what the row has read; `nil` if it needs more.
  func end() -> Row? { state.withLock { $0.isRowComplete ? $0.row : nil } }

  var needs: Needs { state.withLock { $0.needs } }

  func recordRead<R: GraphRecord, Value>(
    _ number: Int, _ place: Int32, _ offset: Int?, of type: R.Type, _ valueType: Value.Type
  ) {
    guard let properties else { return }
    let bit = properties.bit(of: offset, Int32(number), of: type, valueType)
    let key = NodeKey(type: number, index: Int(place))
    state.withLock { $0.row.records[key, default: 0] |= bit }
  }

  /// Records that a row depends on whether a record exists.
  func recordExistence(_ number: Int, _ place: Int32) {
    if !isRecording { return }
    let key = NodeKey(type: number, index: Int(place))
    state.withLock { $0.row.records[key, default: 0] |= 0 }
  }

  func recordMissing<T: GraphRecord>(_ ref: Ref<T>) {
    if isRecording { state.withLock { _ = $0.row.missing.insert(AnyRef(ref)) } }
  }

  /// Records that a row has followed a ref to a record that is not loaded.
  func need<T: GraphRecord>(_ ref: Ref<T>) {
    state.withLock { state in
      state.isRowComplete = false
      state.needs.refs.insert(AnyRef(ref))
    }
  }

  /// Notes that the plan should follow a relationship; of computed ones, all that lead to a type.
  func noteStep<T: GraphRecord>(
    _ number: Int, _ generation: Int, _ offset: Int?, to target: T.Type, in schema: GraphSchema
  ) {
    let target = schema.number(of: target)
    let edges = schema.relationships[number].filter { edge in
      edge.offset >= 0 && offset != nil ? edge.offset == offset : edge.target == target
    }
    state.withLock { state in
      for edge in edges {
        let step = PlanStep(edge: edge.id)
        state.needs.steps[step] = max(state.needs.steps[step] ?? 0, generation + 1)
      }
    }
  }

  /// Records that a row has read the referrers of a record.
  func recordReferrers<R: GraphRecord, Source: GraphRecord>(
    of ref: Ref<R>, _ generation: Int, _ inverse: Inverse<R, Source>, _ found: Nodes<Source>,
    _ schema: GraphSchema
  ) {
    guard let edges = try? schema.edges(of: inverse) else { return }
    for node in found { recordExistence(Int(node.number), node.place) }
    let target = AnyRef(ref)
    state.withLock { state in
      for edge in edges {
        let step = PlanStep(edge: edge.id, isBackward: true)
        state.needs.steps[step] = max(state.needs.steps[step] ?? 0, generation + 1)
        state.row.referrers.insert(Referrers(target: target, edge: edge.id))
        if !found.isComplete {
          (state.isRowComplete, state.needs.hasReferrers) = (false, true)
        }
      }
    }
    // A source that refers elsewhere is no referrer any more.
    if isRecording {
      for node in found { for edge in edges { recordRelationship(node, edge) } }
    }
  }

  private func recordRelationship<Source: GraphRecord>(
    _ node: Node<Source>, _ edge: GraphSchema.Edge
  ) {
    func recordRead<Value>(_ type: Value.Type) {
      self.recordRead(
        Int(node.number), node.place, edge.offset < 0 ? nil : edge.offset, of: Source.self, type)
    }
    _openExistential(Swift.type(of: edge.keyPath).valueType, do: recordRead)
  }
}
