import Foundation
import Kinship
import Testing

@testable import KinshipTrials

/// An encoded value decodes as the same value, in either form.
struct RoundTripTests {
  private typealias Person = CodingShapes.Person
  private typealias Choice = CodingShapes.Choice

  private func verify<Value: Codable & Equatable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try CompactCoder.compact.roundTrip(value) == value, sourceLocation: sourceLocation)
    #expect(try JSONCoder.json.roundTrip(value) == value, sourceLocation: sourceLocation)
    #expect(
      try CompactCoder.compact.roundTrip([value, value]) == [value, value],
      sourceLocation: sourceLocation)
    #expect(
      try CompactCoder.compact.roundTrip(["a": value]) == ["a": value],
      sourceLocation: sourceLocation)
  }

  @Test func `records survive encoding and decoding`() throws {
    try verify(
      Person(
        id: 42, name: "Albert", title: nil, father: 7, events: [1, 300, 100_000],
        birth: .init(year: 1819, date: Date(timeIntervalSinceReferenceDate: 0.1), place: "Rosenau"),
        notes: ["en": "Prince", "de": "Prinz"], isPrivate: false, height: 1.78))
    try verify(
      Person(
        id: -1, name: "", title: "Ä 👩‍👩‍👧", father: nil, events: [], birth: nil, notes: [:],
        isPrivate: true, height: 0))
  }

  @Test func `enums survive encoding and decoding`() throws {
    try verify(Choice.nothing)
    try verify(Choice.number(.min))
    try verify(Choice.pair("a", right: nil))
    try verify(Choice.nested(.pair("b", right: 0.5), [.nothing, .number(1)]))
    try verify(CodingShapes.Sex.female)
  }

  @Test func `numbers survive encoding and decoding`() throws {
    try verify(
      CodingShapes.Numbers(
        int8: .min, int16: .min, int32: .min, int64: .min, int: .min, uint8: .max, uint16: .max,
        uint32: .max, uint64: .max, uint: .max, float: .greatestFiniteMagnitude, double: .pi))
    for shift in 0..<64 {
      for number in [UInt64(1) << shift, UInt64(1) << shift &- 1, UInt64.max >> shift] {
        try verify(number)
        try verify(Int64(bitPattern: number))
        try verify(Int64(bitPattern: ~number))
      }
    }
  }

  @Test func `collections, data, URLs and decimals survive encoding and decoding`() throws {
    try verify(
      CodingShapes.Mixed(
        empty: .init(), emptyList: [], sparse: [1, nil, 3], byID: [1: "a", -2: "b"],
        bySex: [.male: 1], byPair: [.init(left: 1, right: 2): true], matrix: [[1, 0.5], []],
        range: 3..<9, data: Data((0...255).map { UInt8($0) }), uuid: UUID(),
        url: try #require(URL(string: "https://example.org/a?b#c")),
        decimal: try #require(Decimal(string: "-12345678901234567890.0123456789")),
        optionalData: Data()))
  }

  @Test func `single values survive encoding and decoding`() throws {
    try verify(1)
    try verify("a")
    try verify(true)
    try verify(0.1)
    try verify(Int?.none)
    try verify([Int]())
    try verify(Data([1, 2]))
    try verify(String(repeating: "ä", count: 100_000))
    try verify(Date(timeIntervalSinceReferenceDate: 1e9))
  }

  @Test func `classes survive encoding and decoding`() throws {
    for coder in [CompactCoder.compact as any RecordCoder, JSONCoder.json] {
      let dog = try coder.roundTrip(CodingShapes.Dog(name: "Eos", age: 9))
      #expect(dog.name == "Eos")
      #expect(dog.age == 9)
      let cat = try coder.roundTrip(CodingShapes.Cat(name: "Tib", lives: 7))
      #expect(cat.name == "Tib")
      #expect(cat.lives == 7)
    }
  }

  @Test func `an encoder continues with the keys of another`() throws {
    let first = CompactCoder.compact.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try first.encode(CodingShapes.Pair(left: 1, right: 2), into: &bytes)
    let second = CompactCoder.compact.makeEncoder(keys: first.keys)
    try second.encode(CodingShapes.Event(year: 1, date: nil, place: "x"), into: &bytes)
    #expect(first.keys == ["left", "right"])
    #expect(second.keys == ["left", "right", "year", "place"])
    #expect(
      try CompactCoder.compact.decoded(
        CodingShapes.Pair.self, from: Array(bytes.prefix(6)), keys: second.keys)
        == CodingShapes.Pair(left: 1, right: 2))
  }
}
