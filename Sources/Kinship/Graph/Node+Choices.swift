extension Node {
  /// Returns the node that a ref leads to, if it is of a type.
  ///
  /// ```swift
  /// let owner = graph.root[\.owner, as: Company.self]
  /// ```
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The node, or `nil` if there is no ref, it is of another type, or the graph does not
  ///   hold its record; `lookup(_:as:)` distinguishes these.
  /// - Complexity: As for looking the ref up in the graph.
  public subscript<Choice: RefChoice, T: GraphRecord>(
    path: KeyPath<R, Choice?>, as type: T.Type
  ) -> Node<T>? {
    lookup(path, as: type)?.node
  }

  /// Returns the node that a ref leads to, if it is of a type.
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The node, or `nil` if the ref is of another type, or the graph does not hold its
  ///   record.
  /// - Complexity: As for looking the ref up in the graph.
  public subscript<Choice: RefChoice, T: GraphRecord>(
    path: KeyPath<R, Choice>, as type: T.Type
  ) -> Node<T>? {
    lookup(path, as: type)?.node
  }

  /// Returns the nodes of one type that an array of refs leads to and that the graph holds.
  ///
  /// - Parameters:
  ///   - path: The property that holds the refs, each of one of several types.
  ///   - type: The type.
  /// - Returns: The nodes in the order of the refs; ``Nodes/isComplete`` says whether these are all
  ///   of the type.
  /// - Complexity: As for looking each ref up in the graph.
  public subscript<Choice: RefChoice, T: GraphRecord>(
    path: KeyPath<R, [Choice]>, as type: T.Type
  ) -> Nodes<T> {
    nodes(of: record[keyPath: path].compactMap { $0.as(type) }, nil)
  }

  /// Looks up an optional ref, if it is of a type: loaded, unloaded or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The answer, or `nil` if there is no ref, or it is of another type.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, Choice?>, as type: T.Type
  ) -> Lookup<T>? {
    record[keyPath: path]?.as(type).map { follow($0, MemoryLayout<R>.offset(of: path)) }
  }

  /// Looks up a ref, if it is of a type: loaded, unloaded or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The answer, or `nil` if the ref is of another type.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, Choice>, as type: T.Type
  ) -> Lookup<T>? {
    record[keyPath: path].as(type).map { follow($0, MemoryLayout<R>.offset(of: path)) }
  }

  /// Looks up each ref of one type in an array: loaded, unloaded or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the refs, each of one of several types.
  ///   - type: The type.
  /// - Returns: The answers, in the order of the refs.
  /// - Complexity: As for looking each ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, [Choice]>, as type: T.Type
  ) -> [Lookup<T>] {
    record[keyPath: path].compactMap {
      $0.as(type).map { follow($0, MemoryLayout<R>.offset(of: path)) }
    }
  }
}
