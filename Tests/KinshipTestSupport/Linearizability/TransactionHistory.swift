/// The reads and writes of transactions, and whether one order explains them.
///
/// Each write of a key creates a version, numbered by its transaction, and each transaction that
/// writes a key reads it first. There is an edge between two transactions if one must have come
/// before the other: it wrote the version that the other read or overwrote, or read the version
/// that the other overwrote. A cycle is a counterexample (Adya, Liskov, O'Neil: Generalized
/// Isolation Level Definitions, ICDE 2000).
public struct TransactionHistory<Key: Hashable & Sendable>: Sendable {
  /// The reads and writes of one transaction.
  public struct Entry: Sendable {
    /// By key, the number of the transaction that wrote the version read.
    public var reads: [Key: Int]
    /// The keys that it wrote.
    public var writes: Set<Key>

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - reads: By key, the number of the transaction that wrote the version read.
    ///   - writes: The keys that were written: each must have been read.
    public init(reads: [Key: Int], writes: Set<Key>) {
      self.reads = reads
      self.writes = writes
    }
  }

  /// The committed transactions, by number.
  ///
  /// The values at the beginning have numbers that are not here.
  public var entries: [Int: Entry] = [:]

  /// Creates an empty history.
  public init() {}

  /// Checks that one order explains everything.
  ///
  /// - Throws: ``Mismatch`` with two transactions that overwrote one version, or with a cycle.
  /// - Complexity: O(*n*) in the reads.
  public func verify() throws {
    var next: [Key: [Int: Int]] = [:]
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      for key in entry.writes {
        guard let version = entry.reads[key] else {
          throw Mismatch("transaction \(number) wrote \(key) without having read it")
        }
        if let other = next[key, default: [:]].updateValue(number, forKey: version) {
          throw Mismatch("\(other) and \(number) both overwrote version \(version) of \(key)")
        }
      }
    }
    var successors: [Int: Set<Int>] = [:]
    for (number, entry) in entries {
      for (key, version) in entry.reads {
        if version != number, entries[version] != nil {
          successors[version, default: []].insert(number)
        }
        if let overwriter = next[key]?[version], overwriter != number {
          successors[number, default: []].insert(overwriter)
        }
      }
    }
    if let cycle = Self.cycle(in: successors) {
      let path = cycle.map { "\($0): \(entries[$0].map(String.init(describing:)) ?? "")" }
      throw Mismatch("no order explains \(path.joined(separator: "; "))")
    }
  }

  /// A cycle, if there is one.
  private static func cycle(in successors: [Int: Set<Int>]) -> [Int]? {
    var finished: Set<Int> = []
    for start in successors.keys.sorted() where !finished.contains(start) {
      var path: [Int] = []
      var onPath: Set<Int> = []
      var open: [(node: Int, rest: [Int])] = []
      func enter(_ node: Int) {
        path.append(node)
        onPath.insert(node)
        open.append((node, successors[node, default: []].sorted()))
      }
      enter(start)
      while let last = open.indices.last {
        guard let node = open[last].rest.popLast() else {
          finished.insert(open[last].node)
          onPath.remove(open[last].node)
          path.removeLast()
          open.removeLast()
          continue
        }
        if onPath.contains(node) { return Array(path[(path.firstIndex(of: node) ?? 0)...]) }
        if !finished.contains(node) { enter(node) }
      }
    }
    return nil
  }
}
