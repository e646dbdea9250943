import Kinship

/// An id that counts how often ids are hashed, compared and decoded: the steps of an operation on
/// many records, whatever time each takes.
struct CountedID: Hashable, Codable, Comparable, Sendable {
  private static let count = Lock(0)
  let number: Int

  init(_ number: Int) { self.number = number }

  init(from decoder: any Decoder) throws {
    Self.countStep()
    number = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  func hash(into hasher: inout Hasher) {
    Self.countStep()
    hasher.combine(number)
  }

  static func == (left: CountedID, right: CountedID) -> Bool {
    countStep()
    return left.number == right.number
  }

  static func < (left: CountedID, right: CountedID) -> Bool {
    countStep()
    return left.number < right.number
  }

  private static func countStep() { count.withLock { $0 += 1 } }

  /// The steps of a closure, if no other task takes any meanwhile.
  static func steps(_ body: () async throws -> Void) async rethrows -> Int {
    let before = count.withLock { $0 }
    try await body()
    return count.withLock { $0 } - before
  }
}
