import Kinship
import KinshipTestSupport

/// A record of the reference world, with ids of any type.
protocol LibraryRecord: GraphRecord, Equatable where ID: TestID {
  static var kind: Kind { get }

  init(_ number: Int, _ entry: Entry)

  var value: Int { get set }
  /// The content, as in the model.
  var entry: Entry { get }
}

extension LibraryRecord {
  var number: Int { ref.number }

  static func ref(_ number: Int) -> Ref<Self> { Ref(.numbered(number)) }
}

extension Ref where R: LibraryRecord {
  /// The number of the record, or -1 for one outside the reference world.
  var number: Int { Key.numbers.first { .numbered($0) == id } ?? -1 }
}
