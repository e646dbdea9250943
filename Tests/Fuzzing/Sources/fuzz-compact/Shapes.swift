import Foundation
import Kinship

struct Person: GraphRecord, Codable, Equatable {
  var id: Int
  var name: String
  var father: Ref<Person>?
  var events: [Ref<Person>]

  static let relationships: Relationships<Person> = [.toOne(\.father), .toMany(\.events)]
}

struct Sundries: Codable, Equatable {
  var id: UInt8?
  var date: Date?
  var data: Data?
  var uuid: UUID?
  var url: URL?
  var decimal: Decimal?
  var sparse: [Int?]?
  var byID: [Int: String]?
  var floats: [Float]?
  var bytes: [UInt8]?
}

enum Choice: Codable, Equatable {
  case none
  case number(Int128)
  case pair(String, Double?)
  indirect case nested(Choice, [Choice])
}
