import Kinship

/// A part of an object graph without refs, with pointers to others.
final class PartObject {
  let id: Int
  let type: String
  let x: Int
  let y: Int
  let date: Int
  fileprivate(set) var connections: [PartObject] = []

  init(_ part: Part) {
    (id, type, x, y, date) = (part.id, part.type, part.x, part.y, part.date)
  }

  var digest: Int { x &+ y &+ type.utf8.count }

  /// Visits the part and the parts within `hops`, each once for every path to it.
  func visit(hops: Int, _ visits: inout Visits) {
    visits.visit(digest)
    guard hops > 0 else { return }
    for part in connections { part.visit(hops: hops - 1, &visits) }
  }
}

/// Parts by their ids.
final class PartObjects {
  private(set) var byID: [Int: PartObject] = [:]

  init(_ parts: [Part]) { insert(parts) }

  // Parts refer to each other in cycles.
  deinit { for part in byID.values { part.connections = [] } }

  func insert(_ parts: [Part]) {
    for part in parts { byID[part.id] = PartObject(part) }
    for part in parts {
      byID[part.id]?.connections = part.connections.compactMap { byID[$0.id] }
    }
  }
}
