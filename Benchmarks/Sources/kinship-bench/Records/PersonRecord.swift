import Foundation
import Kinship

/// The properties of a person that the cases read, for any type of ids.
protocol PersonRecord: GraphRecord {
  var name: String { get }
  var father: Ref<Self>? { get }
  var mother: Ref<Self>? { get }

  /// A number computed from parts of the record.
  ///
  /// Its sum over all records keeps the compiler from optimising the reads away, and checks that
  /// they returned the right records.
  var digest: Int { get }

  /// The id of the record with the given number, counted from 0.
  static func id(_ number: Int) -> ID

  init(id: ID, profile: Profile, father: Ref<Self>?, mother: Ref<Self>?, children: [Ref<Self>])
}
