/// Nodes of one type, in order: those of a to-many relationship, or all of a type in a graph.
///
/// The collection has only nodes that the graph holds. ``isComplete`` says whether refs were left
/// out; ``unloaded`` and ``missing`` list them.
public struct Nodes<R: GraphRecord>: Sendable, RandomAccessCollection {
  @usableFromInline let storage: GraphStorage
  @usableFromInline let number: Int
  /// The places of the nodes in their column.
  @usableFromInline let places: ArraySlice<Int32>
  /// The refs that are not in the graph because the plan did not lead to them.
  public let unloaded: [Ref<R>]
  /// The refs whose records do not exist.
  public let missing: [Ref<R>]
  /// Whether there may be other nodes whose refs are unknown.
  @usableFromInline let isCut: Bool

  /// The nodes of links that a traversal found, one for each ref.
  @inlinable
  init(
    _ storage: GraphStorage, column: Int, refs: [Ref<R>], links: ContiguousArray<Int32>,
    from start: Int
  ) {
    let links = links[start..<start + refs.count]
    if links.allSatisfy({ $0 >= 0 }) {
      self.init(storage, column: column, places: links)
    } else {
      // Refs that this relationship did not load may have been reached by another one.
      self.init(storage, lookingUp: refs)
    }
  }

  /// The nodes of refs that have to be looked up.
  @usableFromInline
  init(_ storage: GraphStorage, lookingUp refs: [Ref<R>]) {
    let type = storage.schema.number(of: R.self)
    let column = type.flatMap { storage.foundColumn($0, of: R.self) }
    var (places, unloaded, missing): ([Int32], [Ref<R>], [Ref<R>]) = ([], [], [])
    for ref in refs {
      switch column?.link(to: ref.id) ?? Link.unloaded {
      case Link.missing: missing.append(ref)
      case let place where place >= 0: places.append(place)
      default: unloaded.append(ref)
      }
    }
    self.storage = storage
    number = type?.index ?? 0
    (self.places, self.unloaded, self.missing, isCut) = (places[...], unloaded, missing, false)
    // A view must load these before its value counts.
    if let reads = storage.reads { for ref in unloaded { reads.need(ref) } }
  }

  @inlinable
  init(
    _ storage: GraphStorage, column: Int, places: ArraySlice<Int32>, isCut: Bool = false
  ) {
    self.storage = storage
    number = column
    self.places = places
    unloaded = []
    missing = []
    self.isCut = isCut
  }

  /// Whether the collection has every node, apart from records that do not exist.
  ///
  /// For an ``Inverse``, it is `false` if the plan did not follow the inverse from here, or reached
  /// its limit.
  public var isComplete: Bool { unloaded.isEmpty && !isCut }

  /// The position of the first node.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last node.
  @inlinable public var endIndex: Int { places.count }

  /// The node at a position.
  ///
  /// - Parameter position: A position from 0 up to the number of nodes.
  /// - Returns: The node.
  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Node<R> {
    Node(storage, column: number, place: Int(places[places.startIndex + position]))
  }
}
