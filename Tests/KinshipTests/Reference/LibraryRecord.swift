import Kinship
import KinshipTestSupport

/// A record of the reference world, with ids of any type.
protocol LibraryRecord: Record, Equatable where ID: TestID {
  static var kind: Kind { get }

  init(_ number: Int, _ entry: Entry)

  var value: Int { get set }
}

extension LibraryRecord {
  static func ref(_ number: Int) -> Ref<Self> { Ref(.numbered(number)) }
}
