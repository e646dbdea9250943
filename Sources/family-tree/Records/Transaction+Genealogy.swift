import Kinship

extension GraphCache.Transaction {
  /// Inserts all records of a genealogy.
  mutating func insert(_ genealogy: Genealogy) throws(KinshipError) {
    for person in genealogy.persons { try insert(person) }
    for family in genealogy.families { try insert(family) }
    for event in genealogy.events { try insert(event) }
    for place in genealogy.places { try insert(place) }
  }
}
