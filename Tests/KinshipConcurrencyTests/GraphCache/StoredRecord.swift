import KinshipTestSupport

/// One record of a store and a cache, as a sequential object: its true value, whether it is in
/// memory or not.
struct StoredRecord: SequentialModel {
  enum Operation: Hashable, Sendable {
    case write(Int)
    case delete
    case find
    /// A successful peek. An unsuccessful one says nothing about the true value.
    case peek
    case graph
    /// Changes the contents of memory, but not the truth.
    case drop
  }

  var value: Int?

  mutating func apply(_ operation: Operation) -> Int? {
    switch operation {
    case .write(let new):
      value = new
      return nil
    case .delete:
      value = nil
      return nil
    case .drop: return nil
    case .find, .peek, .graph: return value
    }
  }

  static func randomOperation(using generator: inout SplitMix64) -> Operation {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: .write(Int.random(in: 1..<100, using: &generator))
    case 2: .delete
    case 3, 4: .drop
    case 5: .graph
    case 6, 7: .peek
    default: .find
    }
  }
}
