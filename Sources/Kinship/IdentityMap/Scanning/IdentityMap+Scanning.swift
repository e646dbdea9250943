extension IdentityMap {
  /// The values of a type in some pages that fulfil a condition, in no particular order.
  func values<Element: Cacheable>(
    of type: TypeNumber, inPages range: Range<Int>, passing test: PageTest
  ) throws(ScanFailure<Element>) -> [Element] {
    var found: [Slot] = []
    try forEachPage(of: type, as: Element.self, in: range, passing: test) { page, places in
      places.forEachPlace { found.append(Slot(page: page, place: $0)) }
    }
    return checked(operations[type].copy(self, found[...]), as: [Element].self)
  }

  /// Adds the values of a type in some pages that fulfil a condition, in no particular order.
  func addValues<Element: Cacheable>(
    of type: TypeNumber, inPages range: Range<Int>, passing test: PageTest,
    to values: inout [Element]
  ) throws(ScanFailure<Element>) {
    try forEachPage(of: type, as: Element.self, in: range, passing: test) { page, places in
      guard let base = pages.bases[page]?.assumingMemoryBound(to: Element.self) else { return }
      places.forEachPlace { values.append(base[$0]) }
    }
  }

  /// Returns the number of values of a type in some pages that fulfil a condition.
  func count<Element: Cacheable>(
    of type: TypeNumber, as elementType: Element.Type, inPages range: Range<Int>,
    passing test: PageTest
  ) throws(ScanFailure<Element>) -> Int {
    var count = 0
    try forEachPage(of: type, as: elementType, in: range, passing: test) {
      count &+= $1.nonzeroBitCount
    }
    return count
  }

  /// Adds the parts at an offset of the values of a type in some pages that fulfil a condition.
  func addParts<Element: Cacheable, Part>(
    at offset: Int, of type: TypeNumber, _ elementType: Element.Type, inPages range: Range<Int>,
    passing test: PageTest, to parts: inout [Part]
  ) throws(ScanFailure<Element>) {
    let stride = MemoryLayout<Element>.stride
    try forEachPage(of: type, as: elementType, in: range, passing: test) { page, places in
      guard let base = pages.bases[page] else { return }
      let first = UnsafeRawPointer(base) + offset
      places.forEachPlace {
        parts.append((first + $0 &* stride).assumingMemoryBound(to: Part.self).pointee)
      }
    }
  }

  private func forEachPage<Element: Cacheable>(
    of type: TypeNumber, as elementType: Element.Type, in range: Range<Int>,
    passing test: PageTest, _ body: (_ page: Int, _ places: UInt64) -> Void
  ) throws(ScanFailure<Element>) {
    for page in range.clamped(to: 0..<pages.bases.count)
    where Int(pages.headers[page].owner) == type.index {
      guard let base = pages.bases[page] else { continue }
      let places = try test.passing(
        pages.headers[page].occupied, at: UnsafePointer(base.assumingMemoryBound(to: Element.self)))
      if places != 0 { body(page, places) }
    }
  }
}
