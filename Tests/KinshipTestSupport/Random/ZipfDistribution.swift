internal import Foundation

/// Draws ranks.
///
/// The first are far more popular than the last, as in reads of real data.
///
/// Rank *r* (from 0) is drawn in proportion to 1 / (*r* + 1)^θ. With an exponent of 0 every rank is
/// equally likely; about 1 is typical of caches in the field.
public struct ZipfDistribution: Sendable {
  /// How many ranks there are.
  public var count: Int { upperBounds.count }

  private let upperBounds: [Double]

  /// Creates a distribution.
  ///
  /// - Parameters:
  ///   - count: How many ranks there are.
  ///   - exponent: θ, how much more popular the first ranks are.
  /// - Precondition: `count` is above 0, and `exponent` is finite and not negative.
  /// - Complexity: O(`count`), in time and memory: the table makes the draws exact.
  public init(count: Int, exponent: Double) {
    precondition(count > 0, "a distribution has one rank at least")
    precondition(exponent.isFinite && exponent >= 0, "an exponent is finite and not negative")
    var total = 0.0
    upperBounds = (1...count).map { rank in
      total += 1 / pow(Double(rank), exponent)
      return total
    }
  }

  /// Draws one rank.
  ///
  /// - Parameter generator: The source of the choice.
  /// - Returns: A rank in `0..<count`.
  /// - Complexity: O(log `count`)
  public func draw(using generator: inout some RandomNumberGenerator) -> Int {
    let point = Double.random(in: 0..<upperBounds[count - 1], using: &generator)
    return min(upperBounds.firstIndexWhereSorted { $0 > point }, count - 1)
  }

  /// The probability of one rank.
  ///
  /// - Parameter rank: A rank in `0..<count`.
  /// - Returns: The probability with which a draw gives it.
  public func probability(of rank: Int) -> Double {
    let below = rank == 0 ? 0 : upperBounds[rank - 1]
    return (upperBounds[rank] - below) / upperBounds[count - 1]
  }
}
