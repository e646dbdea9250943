import Foundation
import Kinship

/// Types that encode themselves in all possible ways.
enum CodingShapes {
  struct Person: Codable, Hashable {
    var id: Int
    var name: String
    var title: String?
    var father: Ref<Relative>?
    var events: [Ref<Relative>]
    var birth: Event?
    var notes: [String: String]
    var isPrivate: Bool
    var height: Double
  }

  struct Relative: GraphRecord {
    let id: Int
  }

  struct Event: Codable, Hashable {
    var year: Int16
    var date: Date?
    var place: String
  }

  enum Choice: Codable, Hashable {
    case nothing
    case number(Int)
    case pair(String, right: Double?)
    indirect case nested(Choice, [Choice])
  }

  enum Sex: String, Codable, Hashable { case female = "F", male = "M" }

  struct Numbers: Codable, Hashable {
    var int8: Int8, int16: Int16, int32: Int32, int64: Int64, int: Int
    var uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64, uint: UInt
    var float: Float, double: Double
  }

  struct Empty: Codable, Hashable {}

  struct Mixed: Codable, Hashable {
    var empty: Empty
    var emptyList: [Int]
    var sparse: [Int?]
    var byID: [Int: String]
    var bySex: [Sex: Int]
    var byPair: [Pair: Bool]
    var matrix: [[Double]]
    var range: Range<Int>
    var data: Data
    var uuid: UUID
    var url: URL
    var decimal: Decimal
    var optionalData: Data?
  }

  struct Pair: Codable, Hashable {
    var left: Int
    var right: Int
  }

  class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  /// With its superclass's entries in a container of their own.
  final class Dog: Animal {
    var age: Int

    enum CodingKeys: CodingKey { case age }

    init(name: String, age: Int) {
      self.age = age
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      age = try container.decode(Int.self, forKey: .age)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(age, forKey: .age)
    }
  }

  /// With its superclass's entries among its own.
  final class Cat: Animal {
    var lives: Int

    enum CodingKeys: CodingKey { case lives }

    init(name: String, lives: Int) {
      self.lives = lives
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      lives = try container.decode(Int.self, forKey: .lives)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(lives, forKey: .lives)
    }
  }
}
