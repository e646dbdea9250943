/// Numbers that no write has had before.
final class Serial {
  private(set) var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}
