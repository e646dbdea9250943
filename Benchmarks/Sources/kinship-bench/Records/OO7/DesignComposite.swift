import Kinship

/// A composite part with all that it owns.
struct DesignComposite: Sendable {
  let composite: CompositePart
  let document: Document
  var atomicParts: [AtomicPart] = []
  var connections: [Connection] = []

  static let connectionsEach = 3

  /// An empty composite part, whose document was not read.
  init(_ composite: CompositePart) {
    self.composite = composite
    document = Document(id: composite.id, title: "", text: "", part: composite.ref)
  }

  /// The ids are dense: those of its atomic parts and connections follow from its own.
  init(number: Int, partsEach: Int, using generator: inout SplitMix64) {
    let ids = number * partsEach..<(number + 1) * partsEach
    composite = CompositePart(
      id: number, type: Design.type(number),
      buildDate: Int.random(in: number % 10 == 0 ? 2_000...2_999 : 0...999, using: &generator),
      document: Ref(number), rootPart: Ref(ids.lowerBound), parts: ids.map { Ref($0) })
    document = Document(
      id: number, title: "Composite Part \(number)",
      text: Design.text("I am the documentation for composite part \(number).\n", 100 * partsEach),
      part: Ref(number))
    for id in ids {
      let ownConnections = id * Self.connectionsEach..<(id + 1) * Self.connectionsEach
      atomicParts.append(
        AtomicPart(
          id: id, type: Design.type(id),
          buildDate: Int.random(in: 1_000...1_999, using: &generator),
          x: Int.random(in: 0...99_999, using: &generator),
          y: Int.random(in: 0...99_999, using: &generator), docID: number,
          to: ownConnections.map { Ref($0) }, partOf: Ref(number)))
      for (place, connection) in ownConnections.enumerated() {
        // The first connection closes a ring, so that all parts are reachable from the root part.
        let next = ids.lowerBound + (id + 1 - ids.lowerBound) % partsEach
        connections.append(
          Connection(
            id: connection, type: Design.type(connection),
            length: Int.random(in: 0...99_999, using: &generator), from: Ref(id),
            to: Ref(place == 0 ? next : Int.random(in: ids, using: &generator))))
      }
    }
  }
}
