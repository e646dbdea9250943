extension Node {
  /// The record that a ref leads to, if it is of a type.
  ///
  /// ```swift
  /// let owner = graph.root[\.owner, as: Company.self]
  /// ```
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The node, or `nil` if there is no ref, it is of another type, or the graph does not
  ///   hold its record: `lookup(_:as:)` tells which.
  /// - Complexity: As for looking the ref up in the graph.
  public subscript<Choice: RefChoice, T: GraphRecord>(
    path: KeyPath<R, Choice?>, as type: T.Type
  ) -> Node<T>? {
    lookup(path, as: type)?.node
  }

  /// The record that a ref leads to, if it is of a type.
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

  /// The records that those of an array of refs lead to that are of a type, as far as the graph
  /// holds them.
  ///
  /// - Parameters:
  ///   - path: The property that holds the refs, each of one of several types.
  ///   - type: The type.
  /// - Returns: The nodes in the order of the refs; ``Nodes/isComplete`` tells whether that is all
  ///   of the type.
  /// - Complexity: As for looking each ref up in the graph.
  public subscript<Choice: RefChoice, T: GraphRecord>(
    path: KeyPath<R, [Choice]>, as type: T.Type
  ) -> Nodes<T> {
    Nodes(storage, lookingUp: record[keyPath: path].compactMap { $0.as(type) })
  }

  /// What the graph says of an optional ref, if it is of a type: loaded, unloaded or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The answer, or `nil` if there is no ref, or it is of another type.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, Choice?>, as type: T.Type
  ) -> Lookup<T>? {
    record[keyPath: path]?.as(type).map { storage.lookup($0) }
  }

  /// What the graph says of a ref, if it is of a type: loaded, unloaded or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the ref, which may be of one of several types.
  ///   - type: The type.
  /// - Returns: The answer, or `nil` if the ref is of another type.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, Choice>, as type: T.Type
  ) -> Lookup<T>? {
    record[keyPath: path].as(type).map { storage.lookup($0) }
  }

  /// What the graph says of each of those of an array of refs that are of a type: loaded, unloaded
  /// or missing.
  ///
  /// - Parameters:
  ///   - path: The property that holds the refs, each of one of several types.
  ///   - type: The type.
  /// - Returns: The answers, in the order of the refs.
  /// - Complexity: As for looking each ref up in the graph.
  public func lookup<Choice: RefChoice, T: GraphRecord>(
    _ path: KeyPath<R, [Choice]>, as type: T.Type
  ) -> [Lookup<T>] {
    record[keyPath: path].compactMap { $0.as(type).map { storage.lookup($0) } }
  }
}
