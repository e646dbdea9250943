/// The refs of a record, by relationship.
typealias RecordLinks = [(edge: EdgeID, refs: [AnyRef])]

extension GraphSchema {
  /// The refs that a record holds.
  func links<R: GraphRecord>(of record: R) -> RecordLinks {
    guard let number = number(of: R.self) else { return [] }
    return R.relationships.elements.enumerated().map { place, relationship in
      (EdgeID(source: number, number: place), relationship.refs(record))
    }
  }
}

extension GraphStorage {
  /// The refs that a record of the graph holds.
  func links(of node: NodeKey) -> RecordLinks {
    let type = TypeNumber(Int(node.type))
    return column(of: node).refs(at: Int(node.index)).map {
      (EdgeID(source: type, number: $0.relationship), $0.refs)
    }
  }
}
