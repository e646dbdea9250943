import Foundation
import Kinship
import KinshipTesting

/// The aggregates of a query's answer, beside the answer itself.
struct Questions {
  let cache: GraphCache
  let query: RecordQuery<Sample>
  let answer: [Sample]

  typealias Path<Value> = any KeyPath<Sample, Value> & Sendable

  func ask() async throws {
    try await askInteger(\.small)
    try await askInteger(\.wide)
    try await askInteger(\.byte)
    try await askInteger(\.unsigned)
    try await askInteger(\.tags.count)
    try await askIntegers(\.perhaps)
    try await askReal(\.real)
    try await askReals(\.perhapsReal)
    try await askOrder(\.text)
    try await askOrders(\.perhapsText)
    try await askOrder(\.date)
    try await askOrder(\.uuid)
    try await askOrder(\.id)
    try await askOrder(\.partner.id)
    try await askGroups(\.flag)
    try await askGroups(\.perhapsFlag)
    try await askGroups(\.kind)
    try await askGroups(\.partner)
    try await askGroups(\.perhapsPartner)
    try await askGroups(\.friends)
    try await askGroups(\.owner)
    try await askGroups(\.perhapsOwner)
    try await askGroups(\.tags)
    try await askGroups(\.counts)
    try await askGroups(\.text.count)
  }

  /// The distinct values, the first of each, and their counts, found by equality alone.
  private func groups<Value: Hashable>(_ values: [Value]) -> [(value: Value, count: Int)] {
    var groups: [(value: Value, count: Int)] = []
    for value in values {
      let index = groups.firstIndex {
        $0.value == value || $0.value != $0.value && value != value
      }
      if let index { groups[index].count += 1 } else { groups.append((value, 1)) }
    }
    return groups
  }

  private func askGroups<Value: Hashable & Sendable>(_ path: Path<Value>) async throws {
    let groups = groups(answer.map { $0[keyPath: path] })
    let found = try await cache.find(query.grouped(by: path).count)
    for (value, count) in groups {
      let counted = found.first { $0.key == value || $0.key != $0.key && value != value }?.value
      try verifyEqual(counted, count, "how many have \(value) by \(path)")
    }
    try verifyEqual(found.count, groups.count, "how many values there are by \(path)")
    let distinct = try await cache.find(query.values(of: path))
    // In generic code, an optional property is like any other: `nil` is a value.
    try verifyEqual(distinct.count, groups.count, "how many values \(path) has")
    try verify(
      distinct.allSatisfy { one in
        groups.contains { $0.value == one || $0.value != $0.value && one != one }
      }, "\(distinct) are the values of \(path)")
  }

  private func askOrder<Value: Comparable & Hashable & Sendable>(
    _ path: Path<Value>
  ) async throws {
    try await askGroups(path)
    let values = answer.map { $0[keyPath: path] }
    try verifyFirst(try await cache.find(query.minimum(of: path)), values, "the least \(path)") {
      Self.precedes($0, $1)
    }
    try verifyFirst(try await cache.find(query.maximum(of: path)), values, "the most \(path)") {
      Self.precedes($1, $0)
    }
  }

  private func askOrders<Value: Comparable & Hashable & Sendable>(
    _ path: Path<Value?>
  ) async throws {
    try await askGroups(path)
    let values = answer.compactMap { $0[keyPath: path] }
    try verifyFirst(try await cache.find(query.minimum(of: path)), values, "the least \(path)") {
      Self.precedes($0, $1)
    }
    try verifyFirst(try await cache.find(query.maximum(of: path)), values, "the most \(path)") {
      Self.precedes($1, $0)
    }
  }

  /// Texts are ordered by their bytes.
  private static func precedes<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    guard let first = left as? String, let second = right as? String else { return left < right }
    return first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  /// Verifies that a value is the first of all, if NaN is the smallest.
  private func verifyFirst<Value: Comparable>(
    _ found: Value?, _ values: [Value], _ subject: String, _ precedes: (Value, Value) -> Bool
  ) throws {
    let numbers = values.filter { $0 == $0 }
    guard let found else { return try verify(values.isEmpty, "\(subject) is none of \(values)") }
    let isLeast = subject.contains("least")
    if isLeast ? numbers.count < values.count : numbers.isEmpty {
      return try verify(!values.isEmpty && found != found, "\(subject) is \(found) of \(values)")
    }
    try verify(numbers.contains(found), "\(subject) is \(found), one of \(values)")
    try verify(
      !numbers.contains { precedes($0, found) }, "\(subject) is \(found) of \(values)")
  }

  // MARK: Sums

  private func askInteger<Value: FixedWidthInteger & Summable>(
    _ path: Path<Value>
  ) async throws where Value.Sum == Value, Value.Average == Double {
    try await askOrder(path)
    try await verifySum(answer.map { $0[keyPath: path] }, "\(path)") {
      try await cache.find(query.sum(of: path))
    } average: {
      try await cache.find(query.average(of: path))
    }
  }

  private func askIntegers<Value: FixedWidthInteger & Summable>(
    _ path: Path<Value?>
  ) async throws where Value.Sum == Value, Value.Average == Double {
    try await askOrders(path)
    try await verifySum(answer.compactMap { $0[keyPath: path] }, "\(path)") {
      try await cache.find(query.sum(of: path))
    } average: {
      try await cache.find(query.average(of: path))
    }
  }

  private func verifySum<Value: FixedWidthInteger>(
    _ values: [Value], _ subject: String, sum: () async throws -> Value,
    average: () async throws -> Double?
  ) async throws {
    let exact = values.reduce(Int128(0)) { $0 + Int128($1) }
    do {
      try verifyEqual(try await sum(), Value(truncatingIfNeeded: exact), "the sum of \(subject)")
      try verify(Value(exactly: exact) != nil, "the sum of \(subject) is \(exact)")
    } catch KinshipError.overflow(type: "Sample", _) {
      try verify(Value(exactly: exact) == nil, "the sum of \(subject) is beyond its type")
    }
    let found = try await average()
    try verifyEqual(found == nil, values.isEmpty, "whether \(subject) has an average")
    if let found {
      let expected = Double(exact) / Double(values.count)
      try verify(
        abs(found - expected) <= expected.ulp, "the average of \(subject) is \(expected)")
    }
  }

  private func askReal(_ path: Path<Double>) async throws {
    try await askOrder(path)
    try await verifySum(answer.map { $0[keyPath: path] }, "\(path)") {
      try await cache.find(query.sum(of: path))
    } average: {
      try await cache.find(query.average(of: path))
    }
  }

  private func askReals(_ path: Path<Double?>) async throws {
    try await askOrders(path)
    try await verifySum(answer.compactMap { $0[keyPath: path] }, "\(path)") {
      try await cache.find(query.sum(of: path))
    } average: {
      try await cache.find(query.average(of: path))
    }
  }

  private func verifySum(
    _ values: [Double], _ subject: String, sum: () async throws -> Double,
    average: () async throws -> Double?
  ) async throws {
    var expected = 0.0
    for (value, count) in groups(values.sorted()) { expected += value * Double(count) }
    let found = try await sum()
    try verify(
      found == expected || found.isNaN && expected.isNaN,
      "the sum of \(subject) is \(found), not \(expected)")
    let mean = try await average()
    try verifyEqual(mean == nil, values.isEmpty, "whether \(subject) has an average")
    if let mean {
      let quotient = expected / Double(values.count)
      try verify(
        mean == quotient || mean.isNaN && quotient.isNaN, "the average of \(subject) is \(mean)")
    }
  }
}
