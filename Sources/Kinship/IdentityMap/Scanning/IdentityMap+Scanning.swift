extension IdentityMap {
  /// The values of a type that fulfil a condition, in no particular order.
  ///
  /// - Complexity: O(*n*) in the values of the type, and in the pages of all.
  func values<Element: Cacheable>(
    of type: TypeNumber, as elementType: Element.Type, passing test: PageTest
  ) throws(ScanFailure<Element>) -> [Element] {
    var found: ContiguousArray<Slot> = []
    try forEachPage(of: type, as: elementType, passing: test) { page, places in
      places.forEachPlace { found.append(Slot(page: page, place: $0)) }
    }
    return checked(operations[type].copy(self, found[...]), as: [Element].self)
  }

  /// Returns the number of values of a type that fulfil a condition.
  ///
  /// - Complexity: O(*n*) in the values of the type, and in the pages of all.
  func count<Element: Cacheable>(
    of type: TypeNumber, as elementType: Element.Type, passing test: PageTest
  ) throws(ScanFailure<Element>) -> Int {
    var count = 0
    try forEachPage(of: type, as: elementType, passing: test) { count &+= $1.nonzeroBitCount }
    return count
  }

  /// Returns the parts at an offset of the values of a type that fulfil a condition, in any order.
  ///
  /// - Complexity: O(*n*) in the values of the type, and in the pages of all.
  func parts<Element: Cacheable, Part>(
    at offset: Int, as partType: Part.Type, of type: TypeNumber, _ elementType: Element.Type,
    passing test: PageTest
  ) throws(ScanFailure<Element>) -> [Part] {
    var parts: [Part] = []
    let stride = MemoryLayout<Element>.stride
    try forEachPage(of: type, as: elementType, passing: test) { page, places in
      guard let base = pages.bases[page] else { return }
      let first = UnsafeRawPointer(base) + offset
      places.forEachPlace {
        parts.append((first + $0 &* stride).assumingMemoryBound(to: Part.self).pointee)
      }
    }
    return parts
  }

  private func forEachPage<Element: Cacheable>(
    of type: TypeNumber, as elementType: Element.Type, passing test: PageTest,
    _ body: (_ page: Int, _ places: UInt64) -> Void
  ) throws(ScanFailure<Element>) {
    for page in 0..<pages.bases.count where Int(pages.headers[page].owner) == type.index {
      guard let base = pages.bases[page] else { continue }
      let places = try test.passing(
        pages.headers[page].occupied, at: UnsafePointer(base.assumingMemoryBound(to: Element.self)))
      if places != 0 { body(page, places) }
    }
  }
}
