import Kinship

extension [Int: Person] {
  /// A person and the ancestors within `generations` steps, breadth first, each once.
  func ancestors(of root: Int, generations: Int) -> [Person] {
    guard let person = self[root] else { return [] }
    var found = [person]
    var seen: Set<Int> = [root]
    var next = 0
    for _ in 0..<generations {
      let end = found.count
      while next < end {
        let (father, mother) = (found[next].father, found[next].mother)
        next += 1
        if let father, seen.insert(father.id).inserted, let record = self[father.id] {
          found.append(record)
        }
        if let mother, seen.insert(mother.id).inserted, let record = self[mother.id] {
          found.append(record)
        }
      }
    }
    return found
  }
}

extension PersonObject {
  /// The object and its ancestors within `generations` steps, breadth first, each once.
  func ancestors(generations: Int) -> [PersonObject] {
    var found = [self]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var next = 0
    for _ in 0..<generations {
      let end = found.count
      while next < end {
        let (father, mother) = (found[next].father, found[next].mother)
        next += 1
        if let father, seen.insert(ObjectIdentifier(father)).inserted { found.append(father) }
        if let mother, seen.insert(ObjectIdentifier(mother)).inserted { found.append(mother) }
      }
    }
    return found
  }
}
