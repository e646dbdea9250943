/// Which types are leaves: asked of the runtime once a type.
final class LeafTypes {
  typealias Leaf = any CompactLeaf.Type

  private struct Entry {
    var type: UInt
    var leaf: Leaf?
  }

  private var all: [ObjectIdentifier: Leaf?] = [:]
  /// Those used of late, by some bits of the type's address.
  private let recent: UnsafeMutablePointer<Entry>
  private static var recentCount: Int { 64 }

  init() {
    recent = .allocate(capacity: Self.recentCount)
    recent.initialize(repeating: Entry(type: 0, leaf: nil), count: Self.recentCount)
  }

  deinit { recent.deallocate() }

  /// A type as a leaf; `nil` where it is none.
  @inline(__always)
  func leaf<Value>(_ type: Value.Type) -> Leaf? {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let slot = Int((address >> 4) % UInt(Self.recentCount))
    if recent[slot].type != address { find(type, address, slot) }
    return recent[slot].leaf
  }

  @inline(never)
  private func find<Value>(_ type: Value.Type, _ address: UInt, _ slot: Int) {
    let id = ObjectIdentifier(type)
    let leaf = all[id] ?? (type as? Leaf)
    all[id] = .some(leaf)
    recent[slot] = Entry(type: address, leaf: leaf)
  }
}
