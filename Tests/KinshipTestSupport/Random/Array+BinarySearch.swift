extension Array {
  /// The first index whose element satisfies a predicate that is false, then true, along the array.
  ///
  /// - Returns: That index, or `endIndex` if the predicate is false throughout.
  func firstIndexWhereSorted(_ predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}
