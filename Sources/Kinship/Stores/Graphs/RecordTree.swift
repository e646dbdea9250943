/// A nested value, as APIs send it, that can be taken apart into records.
///
/// ```swift
/// struct PersonMessage: Decodable, RecordTree {
///   let id: Int
///   let name: String
///   let family: String
///   let parents: [PersonMessage]
///   let events: [EventMessage]
///
///   func root(adding nested: inout NestedRecords) -> Person {
///     let parents = nested.add(contentsOf: parents)
///     return Person(
///       id: id, name: name, family: family, father: parents.first,
///       mother: parents.dropFirst().first, events: nested.add(contentsOf: events))
///   }
/// }
/// ```
///
/// ``GraphCache/put(nested:)`` puts all of its records into memory,
/// ``GraphCache/Transaction/put(nested:)`` writes them, and a store returns them as a
/// ``FetchedGraph``.
public protocol RecordTree<Root> {
  /// The record of the value itself.
  associatedtype Root: GraphRecord

  /// Returns the record of the value itself, and adds what is nested in it.
  ///
  /// - Parameter nested: Takes the nested values, and returns refs to their records.
  /// - Returns: The record.
  func root(adding nested: inout NestedRecords) -> Root
}

/// The records of nested values, by type.
///
/// If several have the same identity, the last one added counts.
public struct NestedRecords {
  private var types: [any GraphRecord.Type] = []
  /// By type: its records.
  private var records = ErasedValues<ObjectIdentifier>()

  init() {}

  /// The records of each type.
  var lists: [any FetchedRecords] {
    func list<R: GraphRecord>(of type: R.Type) -> any FetchedRecords {
      let records = records.value(ObjectIdentifier(type), as: [R].self) ?? []
      return RecordsOfType(records, areOfOneGeneration: false)
    }
    return types.map { list(of: $0) }
  }

  /// Takes a nested value apart.
  ///
  /// - Parameter tree: The value.
  /// - Returns: A ref to its record.
  public mutating func add<Tree: RecordTree>(_ tree: Tree) -> Ref<Tree.Root> {
    add(tree.root(adding: &self))
  }

  /// Takes nested values apart.
  ///
  /// - Parameter trees: The values.
  /// - Returns: Refs to their records, in order.
  public mutating func add<Tree: RecordTree>(
    contentsOf trees: some Sequence<Tree>
  ) -> [Ref<Tree.Root>] {
    trees.map { add($0) }
  }

  /// Adds a record.
  ///
  /// - Parameter record: The record.
  /// - Returns: A ref to it.
  public mutating func add<R: GraphRecord>(_ record: R) -> Ref<R> {
    let type = ObjectIdentifier(R.self)
    if records[type] == nil { types.append(R.self) }
    records.change(type, from: [R]()) { $0.append(record) }
    return record.ref
  }
}

extension FetchedGraph {
  /// Creates an answer from nested values: their own records are the requested ones.
  ///
  /// - Parameter trees: The values, each with a record of its own.
  public init<Tree: RecordTree>(nested trees: some Sequence<Tree>) where Tree.Root == R {
    var nested = NestedRecords()
    self.init(trees.map { $0.root(adding: &nested) })
    related = nested.lists
  }
}
