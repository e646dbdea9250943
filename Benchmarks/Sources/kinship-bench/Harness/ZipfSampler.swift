import Foundation

/// Draws keys by Zipf's law: the k-th most popular of `count` keys with a weight of 1 / k^exponent.
///
/// Popular keys are scattered over the key space, as neighbours in a table would flatter caches.
struct ZipfSampler {
  private let cumulative: [Double]
  private let keyOfRank: [Int]

  init(count: Int, exponent: Double, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    keyOfRank = Array(0..<count).shuffled(using: &generator)
    var sum = 0.0
    cumulative = (1...count).map { rank in
      sum += pow(Double(rank), -exponent)
      return sum
    }
  }

  func draw(using generator: inout some RandomNumberGenerator) -> Int {
    let target = Double.random(in: 0..<(cumulative.last ?? 0), using: &generator)
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] <= target { low = middle + 1 } else { high = middle }
    }
    return keyOfRank[low]
  }
}
