import Kinship
import KinshipTestSupport
import Testing

/// The examples of properties, verbatim: another target's test verifies that both are equal.
struct PropertyExamples {
  typealias Node = TestNode<Int>

  enum Operation: Command {
    case put(Int)
    case evict

    var shrunk: [Operation] {
      switch self {
      case .put(let id): id.shrunk.map(Operation.put)
      case .evict: []
      }
    }
  }

  /// A store beside the set of records that were put and not evicted.
  struct CacheBesideModel {
    private let cache = MemoryStore()
    private let capacity: Int
    private var model: [Int] = []

    init(capacity: Int) { self.capacity = capacity }

    mutating func apply(_ operation: Operation) throws {
      switch operation {
      case .put(let id):
        cache.insert([Node(id: id)])
        model = model.filter { $0 != id } + [id]
      case .evict:
        for id in model.dropLast(capacity) { cache.remove(Ref<Node>(id)) }
        model = model.suffix(capacity)
      }
      for id in 0..<8 {
        try verifyEqual(cache[Ref<Node>(id)] != nil, model.contains(id), "whether \(id) is there")
      }
    }
  }

  @Test func `the cache evicts what its model evicts`() throws {
    try Property.check(seeds: 50, steps: 400) { generator in
      Operation.random(using: &generator)
    } system: { _ in
      CacheBesideModel(capacity: 4)
    } apply: { system, operation in
      try system.apply(operation)  // throws a Mismatch where the two differ
    }
  }
}

extension PropertyExamples.Operation {
  static func random(using generator: inout SplitMix64) -> Self {
    generator.chance(0.2) ? .evict : .put(Int.random(in: 0..<8, using: &generator))
  }
}
