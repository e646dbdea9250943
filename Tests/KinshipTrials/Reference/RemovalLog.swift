import Kinship
import KinshipTestSupport

/// The removals that a listener has received.
final class RemovalLog<ID: TestID>: Sendable {
  private let heard = Lock<[GraphCache.Removal]>([])

  func hear(_ removal: GraphCache.Removal) { heard.withLock { $0.append(removal) } }

  /// Returns the removals since the last call, in words.
  func take() -> [String] {
    let removals = heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
    return removals.map { removal in
      let record =
        (removal.record as? Author<ID>).map { "\($0)" }
        ?? (removal.record as? Work<ID>).map { "\($0)" } ?? "?"
      return "\(removal.ref) \(removal.reason) \(record)"
    }
  }
}

extension ReferenceCache.Removal {
  /// The removal in the words of `RemovalLog`.
  func words<ID: TestID>(_ type: ID.Type) -> String {
    let (ref, record) =
      switch key.kind {
      case .author: (AnyRef(Author<ID>.ref(key.number)), "\(Author<ID>(key.number, entry))")
      case .work: (AnyRef(Work<ID>.ref(key.number)), "\(Work<ID>(key.number, entry))")
      }
    return "\(ref) \(reason) \(record)"
  }
}

extension Key {
  /// The ref of the key.
  func ref<ID: TestID>(_ type: ID.Type) -> AnyRef {
    switch kind {
    case .author: AnyRef(Author<ID>.ref(number))
    case .work: AnyRef(Work<ID>.ref(number))
    }
  }
}
