import Kinship
import KinshipTiers
import KinshipTesting
import KinshipTestSupport
import Testing

/// A store that does nothing itself forwards every call.
struct ForwardingStoreTests {
  private struct Plain: ForwardingStore {
    let base: any BackingStore
  }

  @Test(arguments: StoreConformance.Check.allCases)
  func `a forwarding store conforms`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { Plain(base: $0.memoryStore()) }.run(check)
  }

  /// A requirement that is not forwarded would use the default, that the store does not support it.
  @Test(arguments: ["Kinship/Stores/ForwardingStore", "KinshipTiers/RoutedStore"])
  func `every requirement is forwarded`(by store: String) throws {
    func functions(_ path: String) throws -> [Substring] {
      try RepositoryFile(path).text.split(separator: "\n").filter { $0.contains("func ") }.map {
        // Its name and its first parameters.
        $0.drop { $0 == " " }.trimmingPrefix("public ").prefix { $0 != "{" }
      }
    }
    let text = try RepositoryFile("Sources/Kinship/Stores/BackingStore.swift").text
    let requirements = text.components(between: "public protocol BackingStore", "\n}\n")
    let forwarding = try functions("Sources/\(store).swift")
    let names = requirements.split(separator: "\n").filter {
      $0.hasPrefix("  func ")
    }.map { $0.drop { $0 == " " } }
    #expect(names.count >= 4)
    for name in names {
      #expect(forwarding.contains { $0.hasPrefix(name.prefix(60)) }, "\(name) is not forwarded")
    }
  }

  @Test func `a forwarded call is answered by the base store`() async throws {
    typealias Node = TestNode<Int>
    let log = ScriptedStore(over: MemoryStore((0..<3).map { Node(id: $0, links: [Ref(0)]) }))
    let store = Plain(base: log)
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.resolve(Ref<Node>(1))
    _ = try await cache.find(RecordQuery<Node>())
    try await cache.write { tx in try tx.delete(Ref<Node>(0)) }
    #expect(Set(log.calls.map(\.kind)) == [.fetch, .query, .apply, .referrers])
    #expect(try await store.fetch(Node.self, ids: [0, 1, 2]).map(\.links) == [[], []])
  }
}

extension String {
  /// The text between two others.
  fileprivate func components(between start: String, _ end: String) -> Substring {
    guard let first = firstRange(of: start) else { return "" }
    let rest = self[first.upperBound...]
    guard let last = rest.firstRange(of: end) else { return rest }
    return rest[..<last.lowerBound]
  }
}
