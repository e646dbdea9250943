/// A seeded generator of random numbers: the same seed gives the same numbers, on every platform.
///
/// SplitMix64 (Steele, Lea and Flood, 2014) is fast, has 64 bits of state, accepts every seed, and
/// is good enough to choose test cases with. It is not for secrets.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  /// The whole state: a generator made with this seed continues exactly where this one is.
  package private(set) var seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
  }

  package mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// Splits off a generator whose numbers are unrelated to the further numbers of this one.
  ///
  /// Give every part of a test a generator of its own, so that one part drawing more numbers does
  /// not change what the others do.
  ///
  /// - Returns: A new generator. This one advances by one number.
  package mutating func split() -> SplitMix64 {
    SplitMix64(seed: next())
  }

  /// Derives the seed of one trial among many from a common seed: a different one for every index.
  package static func subseed(_ index: UInt64, of seed: UInt64) -> UInt64 {
    var parent = SplitMix64(seed: seed)
    var child = SplitMix64(seed: parent.next() &+ index)
    return child.next()
  }

  package mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
