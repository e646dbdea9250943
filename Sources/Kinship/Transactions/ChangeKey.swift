/// The key of a queued change set, which stays the same however often the set is sent.
///
/// A store that notes the keys of applied sets, in the same transaction, recognises a set that is
/// sent again because the answer was lost.
public struct ChangeKey: Hashable, Sendable, CustomStringConvertible {
  /// The key: 128 random bits.
  public let bits: (high: UInt64, low: UInt64)

  /// Makes a new key.
  init() { self.init(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }

  init(high: UInt64, low: UInt64) { bits = (high, low) }

  /// The key in 32 hexadecimal digits.
  public var description: String {
    [bits.high, bits.low].map { bits in
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns whether two keys are equal.
  ///
  /// - Parameters:
  ///   - left: A key.
  ///   - right: Another.
  /// - Returns: Whether they are equal.
  public static func == (left: ChangeKey, right: ChangeKey) -> Bool { left.bits == right.bits }

  /// Hashes the key.
  ///
  /// - Parameter hasher: The hasher to feed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bits.high)
    hasher.combine(bits.low)
  }
}
