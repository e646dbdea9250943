import Foundation
import Kinship

/// The properties of a person that the cases read, for any type of ids.
protocol PersonRecord: GraphRecord {
  var name: String { get }
  var father: Ref<Self>? { get }
  var mother: Ref<Self>? { get }

  /// A number made of parts of the record. Its sum over all records read uses what was read, so
  /// that no compiler leaves the reading out, and checks that it was the right records.
  var digest: Int { get }

  /// The id of the record with the given number, counted from 0.
  static func id(_ number: Int) -> ID

  init(id: ID, profile: Profile, father: Ref<Self>?, mother: Ref<Self>?, children: [Ref<Self>])
}
