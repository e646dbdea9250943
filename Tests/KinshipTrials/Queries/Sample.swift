import Foundation
package import Kinship
import KinshipTesting

/// A record with a property of each kind that predicates compare, and values that are hard to
/// compare.
package struct Sample: GraphRecord, Equatable, Codable {
  package enum Kind: String, Codable, CaseIterable, Sendable { case plain, odd }

  /// A record whose ids are texts.
  package struct Owner: GraphRecord, Codable {
    package let id: String
  }

  package let id: Int
  var small: Int
  var wide: Int
  var byte: Int8
  var unsigned: UInt64
  var perhaps: Int?
  var real: Double
  var perhapsReal: Double?
  var text: String
  var perhapsText: String?
  var flag: Bool
  var perhapsFlag: Bool?
  var date: Date
  var uuid: UUID
  var kind: Kind
  var partner: Ref<Sample>
  var perhapsPartner: Ref<Sample>?
  var friends: [Ref<Sample>]
  var owner: Ref<Owner>
  var perhapsOwner: Ref<Owner>?
  var tags: [String]
  var counts: [String: Int]

  package static let relationships: Relationships<Sample> = [
    .toOne(\.partner), .toOne(\.perhapsPartner), .toMany(\.friends),
    .toOne(\.owner), .toOne(\.perhapsOwner),
  ]

  /// Indexes of each kind.
  ///
  /// Conditions on other properties use none.
  package static let indexes: RecordIndexes<Sample> = [
    .hashed(\.perhapsOwner), .hashed(\.real, \.flag), .ordered(\.small), .ordered(\.perhapsText),
    .ordered(\.perhaps, \.text), .ordered(\.date), .ordered(\.owner, \.small),
  ]

  /// The sample for stores that cannot hold NaN, nor numbers beyond `Int64`.
  var storable: Sample {
    var sample = self
    if real.isNaN { sample.real = 0.5 }
    if perhapsReal?.isNaN == true { sample.perhapsReal = nil }
    if unsigned > Int64.max { sample.unsigned = 7 }
    sample.date = Date(timeIntervalSinceReferenceDate: Double(small))
    return sample
  }

  static let texts = [
    "", "a", "A", "ab", "K", "\u{212A}", ";", "\u{37E}", "é", "e\u{301}", "e", "\u{301}", "a\r\nb",
    "\n", "ﬁ", "ß",
    "\u{1F469}\u{200D}\u{1F467}", "\u{1F469}", "Ω",
    "\u{2126}",
    "zebra crossing", String(repeating: "x", count: 200), "\0", "a\0b",
  ]
  static let integers = [0, 1, -1, 2, 7, .min, .max, .min + 1, 255]
  static let reals = [
    0, -0.0, 1, -1.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]
  static let uuids = (0..<3).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) }
  static let dates = [
    Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0),
    Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: 0.1),
  ]

  init(id: Int, _ random: inout SplitMix64) {
    func any<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    func some<Value>(_ values: [Value]) -> Value? {
      Bool.random(using: &random) ? any(values) : nil
    }
    func list<Value>(_ values: [Value]) -> [Value] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in any(values) }
    }
    self.id = id
    small = Int.random(in: -9...9, using: &random)
    wide = any(Self.integers)
    byte = any([0, 1, -1, .min, .max])
    unsigned = any([0, 1, .max])
    perhaps = some(Self.integers)
    real = any(Self.reals)
    perhapsReal = some(Self.reals)
    text = any(Self.texts)
    perhapsText = some(Self.texts)
    flag = any([true, false])
    perhapsFlag = some([true, false])
    date = any(Self.dates)
    uuid = any(Self.uuids)
    kind = any(Kind.allCases)
    partner = Ref(Int.random(in: 0...3, using: &random))
    perhapsPartner = some([0, 1, 2])
    friends = list([0, 1, 2, 3].map { Ref($0) })
    owner = Ref(any(Self.texts))
    perhapsOwner = some(Self.texts).map { Ref($0) }
    tags = list(Self.texts)
    counts = Dictionary(list(Self.texts).map { ($0, 1) }, uniquingKeysWith: +)
  }
}
