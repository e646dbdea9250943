extension Array {
  /// The elements in arrays of `size`, the last with what is left.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
