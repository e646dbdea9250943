import Testing

/// The laws of a store that others change too, which suites of several processes hold.
extension Tag {
  @Tag static var lawP1: Tag
  @Tag static var lawP2: Tag
  @Tag static var lawP3: Tag
  @Tag static var lawP4: Tag
}
