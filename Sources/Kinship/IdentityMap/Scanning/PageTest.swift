/// Up to 64 records in a row in memory.
struct RecordPage {
  let base: UnsafeRawPointer
  /// The number of bytes from one record to the next.
  let stride: Int

  init<Value>(_ first: UnsafePointer<Value>) {
    (base, stride) = (UnsafeRawPointer(first), MemoryLayout<Value>.stride)
  }
}

/// A condition that is evaluated for a page of records at once; the next condition then receives
/// only the remaining ones.
///
/// Each property is read in place, without a copy of the record.
struct PageTest: Sendable {
  /// Returns, of the records at some places of a page, a bit each, those that fulfil the condition.
  let passing: @Sendable (_ places: UInt64, RecordPage) throws(TestFailure) -> UInt64

  static let all = PageTest { places, _ in places }

  init(_ passing: @escaping @Sendable (UInt64, RecordPage) throws(TestFailure) -> UInt64) {
    self.passing = passing
  }

  /// A condition on the value at an offset in each record.
  @inline(__always)
  init<Value>(
    at offset: Int, _ type: Value.Type,
    _ isPassing: @escaping @Sendable (UnsafePointer<Value>) -> Bool
  ) {
    self.init { places, page throws(TestFailure) in
      PageTest.places(places, of: page, at: offset, as: Value.self, isPassing)
    }
  }

  @inline(__always)
  static func places<Value>(
    _ places: UInt64, of page: RecordPage, at offset: Int, as type: Value.Type,
    _ isPassing: (UnsafePointer<Value>) -> Bool
  ) -> UInt64 {
    let first = page.base + offset
    let stride = page.stride
    func isSet(_ place: Int) -> UInt64 {
      let value = (first + place &* stride).assumingMemoryBound(to: Value.self)
      return (isPassing(value) ? 1 : 0) &<< UInt64(truncatingIfNeeded: place)
    }
    var passing: UInt64 = 0
    // A page is usually full: then the places need not be looked for.
    if places == .max {
      for place in 0..<64 { passing |= isSet(place) }
      return passing
    }
    places.forEachPlace { passing |= isSet($0) }
    return passing
  }

  /// A condition on one record after another.
  init<R>(record type: R.Type, _ isPassing: @escaping @Sendable (UnsafePointer<R>) throws -> Bool) {
    self.init { places, page throws(TestFailure) in
      var passing: UInt64 = 0
      var rest = places
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest &- 1
        let record = (page.base + place &* page.stride).assumingMemoryBound(to: R.self)
        do {
          if try isPassing(record) { passing |= 1 &<< UInt64(truncatingIfNeeded: place) }
        } catch {
          throw TestFailure(place: place, cause: error)
        }
      }
      return passing
    }
  }

  func and(_ other: PageTest) -> PageTest {
    PageTest { [passing] places, page throws(TestFailure) in
      let left = try passing(places, page)
      return left == 0 ? 0 : try other.passing(left, page)
    }
  }

  func or(_ other: PageTest) -> PageTest {
    PageTest { [passing] places, page throws(TestFailure) in
      let found = try passing(places, page)
      return found == places ? found : try found | other.passing(places & ~found, page)
    }
  }

  /// Returns, of the values at some places of a page, those that fulfil the condition.
  func passing<Value>(
    _ places: UInt64, at page: UnsafePointer<Value>
  ) throws(ScanFailure<Value>) -> UInt64 {
    do {
      return try passing(places, RecordPage(page))
    } catch {
      throw ScanFailure(value: page[error.place], cause: error.cause)
    }
  }

  var negated: PageTest {
    PageTest { [passing] places, page throws(TestFailure) in places & ~(try passing(places, page)) }
  }
}

/// A value for which a condition could not be evaluated.
struct ScanFailure<Value: Sendable>: Error {
  let value: Value
  let cause: any Error
}

/// A condition that could not be evaluated for a record.
struct TestFailure: Error {
  /// The place of the record in its page.
  let place: Int
  let cause: any Error
}
