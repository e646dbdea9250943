import Foundation
import Kinship

/// A person of an object graph without refs, with pointers to the parents.
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

  /// Creates objects for records, in the order of the records, and returns them by id.
  static func joined(_ records: [Person]) -> [Int: PersonObject] {
    let objects = records.map(PersonObject.init)
    let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0) })
    for (object, record) in zip(objects, records) {
      object.father = record.father.flatMap { byID[$0.id] }
      object.mother = record.mother.flatMap { byID[$0.id] }
    }
    return byID
  }
}
