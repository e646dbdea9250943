extension Sequence where Element: Hashable {
  /// Each element once, in order of first appearance.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
