import Kinship

// The same loop for each system: read each drawn id, insert its record if it is absent, and use the
// record. It is repeated in the source, so that each copy is compiled separately.

extension Dictionary where Value: PersonRecord, Key == Value.ID {
  mutating func digest(
    of draw: Draw<Value>, from universe: [Value], by reader: (some Reader).Type
  ) -> Int {
    var sum = 0
    for (number, id) in zip(draw.numbers, draw.ids) {
      if let record = self[id] {
        sum &+= reader.digest(of: record)
      } else {
        let record = universe[number]
        self[id] = record
        sum &+= reader.digest(of: record)
      }
    }
    return sum
  }
}

extension GraphCache {
  func digest<Member: PersonRecord>(
    of draw: Draw<Member>, from universe: [Member], by reader: (some Reader).Type
  ) throws(KinshipError) -> Int {
    var sum = 0
    for (number, ref) in zip(draw.numbers, draw.refs) {
      if let record = self[ref] {
        sum &+= reader.digest(of: record)
      } else {
        let record = universe[number]
        try put(record)
        sum &+= reader.digest(of: record)
      }
    }
    return sum
  }
}

extension GraphCache {
  func digestInPlace<Member: PersonRecord>(
    of draw: Draw<Member>, from universe: [Member], by reader: (some Reader).Type
  ) throws(KinshipError) -> Int {
    var sum = 0
    for (number, ref) in zip(draw.numbers, draw.refs) {
      if let digest = read(ref, { reader.digest(of: $0) }) {
        sum &+= digest
      } else {
        let record = universe[number]
        try put(record)
        sum &+= reader.digest(of: record)
      }
    }
    return sum
  }
}

extension LinkedCache where Member: PersonRecord {
  func digest(
    of draw: Draw<Member>, from universe: [Member], by reader: (some Reader).Type
  ) -> Int {
    var sum = 0
    for (number, id) in zip(draw.numbers, draw.ids) {
      if let record = self[id] {
        sum &+= reader.digest(of: record)
      } else {
        let record = universe[number]
        insert(record)
        sum &+= reader.digest(of: record)
      }
    }
    return sum
  }
}

extension QueueCache where Member: PersonRecord {
  mutating func digest(
    of draw: Draw<Member>, from universe: [Member], by reader: (some Reader).Type
  ) -> Int {
    var sum = 0
    for (number, id) in zip(draw.numbers, draw.ids) {
      if let record = self[id] {
        sum &+= reader.digest(of: record)
      } else {
        let record = universe[number]
        insert(record)
        sum &+= reader.digest(of: record)
      }
    }
    return sum
  }
}
