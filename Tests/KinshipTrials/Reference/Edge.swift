/// A relationship of the reference world.
///
/// The cases are in the order of the schema.
enum Edge: Int, CaseIterable, Sendable {
  case mentor
  case works
  case author
  case sequels

  var source: Kind { rawValue < 2 ? .author : .work }

  var target: Kind { self == .mentor || self == .author ? .author : .work }

  /// The name of the property.
  var name: String { "\(self)" }
}
