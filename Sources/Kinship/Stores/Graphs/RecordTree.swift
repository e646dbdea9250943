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
  private final class List<R: GraphRecord>: NestedList {
    var records: [R] = []
    var list: any FetchedRecords { RecordsOfType(records, areOfOneGeneration: false) }
  }

  private var byType: [any NestedList] = []
  private var numbers: [ObjectIdentifier: Int] = [:]

  init() {}

  /// The records of each type.
  var lists: [any FetchedRecords] { byType.map(\.list) }

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
    let number = numbers[type] ?? byType.count
    if number == byType.count {
      numbers[type] = number
      byType.append(List<R>())
    }
    (byType[number] as? List<R>)?.records.append(record)
    return record.ref
  }
}

/// Nested records of one type.
private protocol NestedList: AnyObject {
  var list: any FetchedRecords { get }
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
