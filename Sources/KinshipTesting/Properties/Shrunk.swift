extension FixedWidthInteger {
  /// Integers closer to 0 than this one: 0 itself, half of it, and its neighbour.
  package var shrunk: [Self] {
    let neighbour = self > 0 ? self - 1 : self < 0 ? self + 1 : 0
    var simpler: [Self] = []
    for candidate in [0, self / 2, neighbour] where candidate != self {
      if simpler.last != candidate { simpler.append(candidate) }
    }
    return simpler
  }
}

extension Array {
  /// Arrays shorter than this one: the empty one, both halves, and each with one element removed.
  package var shrunk: [[Element]] {
    guard !isEmpty else { return [] }
    var simpler: [[Element]] = [[]]
    if count > 3 {
      simpler.append(Array(prefix(count / 2)))
      simpler.append(Array(suffix(count / 2)))
    }
    if count > 1 {
      for index in indices {
        var shorter = self
        shorter.remove(at: index)
        simpler.append(shorter)
      }
    }
    return simpler
  }
}
