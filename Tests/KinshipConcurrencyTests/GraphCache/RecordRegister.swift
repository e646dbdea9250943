import KinshipTestSupport

/// One record of a cache without a store, as a sequential object.
struct RecordRegister: SequentialModel {
  enum Operation: Hashable, Sendable {
    case put(Int)
    case update(Int)
    case remove
    case evict
    case read
    case peek
    case contains
    case find
    case invalidate
  }

  /// The value in memory.
  var value: Int?

  /// Returns the value before, if the cache does, or a Boolean as 0 or 1 for `contains` and others.
  mutating func apply(_ operation: Operation) -> Int? {
    let old = value
    switch operation {
    case .put(let new):
      value = new
      return nil
    case .update(let new):
      if old != nil { value = new }
      return old == nil ? 0 : 1
    case .remove:
      value = nil
      return old
    case .evict:
      value = nil
      return old == nil ? 0 : 1
    case .invalidate:
      value = nil
      return nil
    case .read, .peek, .find: return old
    case .contains: return old == nil ? 0 : 1
    }
  }

  static func randomOperation(using generator: inout SplitMix64) -> Operation {
    let value = Int.random(in: 1..<100, using: &generator)
    return switch Int.random(in: 0..<14, using: &generator) {
    case 0..<3: .put(value)
    case 3, 4: .update(value)
    case 5: .remove
    case 6: .evict
    case 7: .invalidate
    case 8, 9: .read
    case 10, 11: .peek
    case 12: .contains
    default: .find
    }
  }
}
