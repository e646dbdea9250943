/// Numbers that no earlier write has used.
final class Serial {
  private(set) var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}
