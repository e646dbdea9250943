import Kinship

/// A record type that is in a schema and never used: one for each marker.
struct Unused<Marker>: GraphRecord {
  let id: Int
  var name: String
  var parent: Ref<Unused>?
  var parts: [Ref<Unused>]

  static var relationships: Relationships<Unused> {
    [.toOne(\.parent), .toMany(\.parts, onDelete: .cascade)]
  }
}

/// Nineteen of them.
let unusedTypes: [any GraphRecord.Type] = [
  Unused<Int>.self, Unused<Int8>.self, Unused<Int16>.self, Unused<Int32>.self, Unused<Int64>.self,
  Unused<UInt>.self, Unused<UInt8>.self, Unused<UInt16>.self, Unused<UInt32>.self,
  Unused<UInt64>.self, Unused<Float>.self, Unused<Double>.self, Unused<Bool>.self,
  Unused<String>.self, Unused<Substring>.self, Unused<Character>.self, Unused<Duration>.self,
  Unused<Never>.self, Unused<Unicode.Scalar>.self,
]
