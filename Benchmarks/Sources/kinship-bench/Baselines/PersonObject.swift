import Foundation
import Kinship

/// A person as an object graph without refs has it: joined to its parents by pointers.
final class PersonObject {
  let id: Int
  let name: String
  let place: String
  let birth: Date
  fileprivate(set) var father: PersonObject?
  fileprivate(set) var mother: PersonObject?

  init(_ record: Person) {
    id = record.id
    name = record.name
    place = record.place
    birth = record.birth
  }

  /// The objects of all records, in their order.
  static func joined(_ records: [Person]) -> [PersonObject] {
    let objects = records.map(PersonObject.init)
    for (object, record) in zip(objects, records) {
      object.father = record.father.map { objects[$0.id] }
      object.mother = record.mother.map { objects[$0.id] }
    }
    return objects
  }
}
