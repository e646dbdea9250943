/// What tells a queued change set from all others, however often it is sent.
///
/// A store that notes the keys of what it has made, in the same transaction, can tell what is sent
/// again because its answer was lost.
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

  /// Whether two keys are one.
  ///
  /// - Parameters:
  ///   - left: A key.
  ///   - right: Another.
  /// - Returns: Whether they are equal.
  public static func == (left: ChangeKey, right: ChangeKey) -> Bool { left.bits == right.bits }

  /// Hashes the key.
  ///
  /// - Parameter hasher: What it is fed to.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bits.high)
    hasher.combine(bits.low)
  }
}
