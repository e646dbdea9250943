extension IdentityMap {
  /// How long ago the value with an id was last loaded, inserted or changed; `nil` if it is not
  /// in memory.
  func age<Element: Cacheable>(of id: Element.ID, as type: Element.Type) -> Age? {
    guard let slot = table(type)?.pointee.find(id, in: pages) else { return nil }
    return recency.stamp(of: slot).age(at: clock.now)
  }
}
